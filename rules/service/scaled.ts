import type { CoreApp } from '../../crds/coreApp.ts';
import { gateStateOf } from '../draftDeploy/waits.ts';
import { isAutoscaled } from './effective.ts';

/** Why the number of copies that was set is not the one that runs; empty where it is. */
export function scaledNote(app: CoreApp): string {
  if (gateStateOf('service', app) === 'Draft') return 'It is a draft: no copy runs until it is deployed.';
  return isAutoscaled(app.spec) ? 'Autoscaling is on: the number of copies follows the load.' : '';
}
