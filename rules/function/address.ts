import type { AppSpec } from '../../crds/coreApp.ts';
import { namespaceOf } from '../project/environment.ts';
import { wakeAddress } from '../service/wake.ts';

type Place = Pick<AppSpec, 'project' | 'environment'>;

/** Where a service is called from inside the cluster: by the wake proxy where it may sleep. */
export const addressOf = (app: string, place: Place, maySleep: boolean): string =>
  maySleep ? wakeAddress(app, place) : `http://${app}.${namespaceOf(place.project, place.environment)}.svc`;
