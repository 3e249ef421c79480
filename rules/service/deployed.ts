import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import type { DraftDeployState } from '../../machines/names.ts';
import { runningSpec } from '../draftDeploy/running.ts';
import { gateStateOf } from '../draftDeploy/waits.ts';

/** The deploy state of a service, as stored in it. */
export const gateOf = (app: CoreApp): DraftDeployState => gateStateOf('service', app);

/** The running spec; the current spec when none runs or the running one is unknown. */
export const specOf = (app: CoreApp, gate: DraftDeployState = gateOf(app)): AppSpec =>
  runningSpec(gate, app) ?? app.spec;

/** The service with its running spec, which builds, pushes and pods follow; null when nothing runs. */
export function runningApp(app: CoreApp): CoreApp | null {
  const spec = runningSpec(gateOf(app), app);
  return spec === null ? null : { ...app, spec };
}
