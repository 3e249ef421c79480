import * as fc from 'fast-check';
import type { DeployAwaited } from '../../../rules/deploy/verdict.ts';

const phases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Succeeded', 'Failed', 'Cancelled'] as const;

/** Ready as a service reports it: only one that is not ready may be given up. */
const ready = fc.oneof(
  fc.constant({ status: 'True', reason: 'ServiceReady', message: 'Service is running' }),
  fc.constantFrom('ReconcileError', 'ProvisionFailed').map((reason) => ({ status: 'False', reason, message: 'why' })),
);

/** Deploys at every boundary of the verdict. */
export const deploys: fc.Arbitrary<DeployAwaited> = fc.record({
  takenUp: fc.boolean(),
  ready: fc.option(ready, { freq: 5 }),
  pendingChanges: fc.boolean(),
  build: fc.option(fc.record({ phase: fc.constantFrom(...phases), failureReason: fc.constant('builder Job failed') }), {
    freq: 3,
  }),
});

/** 001 Events, 002 deploy and decision 156, written down a second time: the row of the verdict. */
export function documentsOfDeploy({ takenUp, ready: said, pendingChanges, build }: DeployAwaited): string {
  const serves = takenUp && said?.status === 'True';
  if (serves && !pendingChanges && (build?.phase ?? 'Succeeded') === 'Succeeded') return 'WHK-003';
  if (takenUp && said?.reason === 'ProvisionFailed') return 'WHK-005';
  return build?.phase === 'Failed' ? 'WHK-005a' : 'WHK-003a';
}
