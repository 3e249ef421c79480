import type { VerdictRule } from '../verdict.ts';
import type { DraftDeployFacts } from './facts.ts';
import { standsAs } from './stands.ts';
import { closed } from '../words.ts';

export type GateSeen = Pick<DraftDeployFacts, 'kind' | 'stored'>;

/** What the gate says in the Ready condition of a resource, before anything else is checked. */
export const gate: readonly VerdictRule<GateSeen>[] = [
  {
    reason: 'Draft',
    status: 'False',
    when: (seen) => standsAs(seen) === 'Draft' && seen.kind === 'service',
    message: () => closed('Service is configured and waiting for deployment'),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (seen) => standsAs(seen) === 'Draft',
    message: () => closed('Resource is configured and waiting for deployment'),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (seen) => standsAs(seen) === 'SnapshotMissing',
    message: () => closed('resource has pending changes and no last deployed snapshot'),
  },
  { reason: 'Open', status: 'True', when: () => true, message: () => closed('deployed') },
];
