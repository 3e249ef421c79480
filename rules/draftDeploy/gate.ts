import type { VerdictRule } from '../verdict.ts';
import type { DraftDeployFacts } from './facts.ts';
import { draftDeployStateOf } from './storedState.ts';
import { closed, open } from '../words.ts';

export type GateSeen = Pick<DraftDeployFacts, 'kind' | 'stored'>;

export const serviceWaits = open('Service is configured and waiting for deployment');
export const resourceWaits = closed('Resource is configured and waiting for deployment');
export const snapshotMissing = closed('resource has pending changes and no last deployed snapshot');

/** The gate's verdict in the Ready condition of a resource, which precedes every other check. */
export const gate: readonly VerdictRule<GateSeen>[] = [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (seen) => draftDeployStateOf(seen) === 'Draft' && seen.kind === 'service',
    message: () => serviceWaits,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (seen) => draftDeployStateOf(seen) === 'Draft',
    message: () => resourceWaits,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (seen) => draftDeployStateOf(seen) === 'SnapshotMissing',
    message: () => snapshotMissing,
  },
  { reason: 'Open', status: 'True', when: () => true, message: () => closed('deployed') },
];
