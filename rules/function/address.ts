import type { AppSpec } from '../../crds/coreApp.ts';
import { namespaceOf } from '../project/environment.ts';
import { wakeAddress } from '../service/wake.ts';

type Place = Pick<AppSpec, 'project' | 'environment'>;

/** The address of a service inside the cluster: the wake proxy when it may sleep. */
export const addressOf = (app: string, place: Place, maySleep: boolean): string =>
  maySleep ? wakeAddress(app, place) : `http://${app}.${namespaceOf(place.project, place.environment)}.svc`;
