import type { CoreApp } from '../../crds/coreApp.ts';
import { gateStateOf } from '../draftDeploy/waits.ts';
import { isAutoscaled } from './effective.ts';

/** Why the running number of copies differs from the configured one; empty when it does not. */
export function scaledNote(app: CoreApp): string {
  if (gateStateOf('service', app) === 'Draft') return 'It is a draft: no copy runs until it is deployed.';
  return isAutoscaled(app.spec) ? 'Autoscaling is on: the number of copies follows the load.' : '';
}
