import { provisioningFailed, retrying } from '../provisionRetry/says.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { VerdictRule } from '../verdict.ts';
import type { DatabaseSeen } from './facts.ts';
import { hindrances } from './hindrance.ts';
import { closed, hidden, nothing, type Said, sentence } from '../words.ts';
import { resourceWaits } from '../draftDeploy/gate.ts';

/** A database with what is known of its own course. */
export interface DatabaseStanding extends DatabaseSeen {
  /** Whether it was given up, and is to be tried again by the next pass. */
  readonly retrying: boolean;
  /** Why the controller stopped: after counted failures, or at once for the reason given. */
  readonly gaveUp: null | { readonly by: 'failures' } | { readonly by: 'permanentError'; readonly why: Said };
}

const isExternal = ({ wanted }: DatabaseSeen) => wanted.placement === 'External';

/** The Ready condition of a database, in the order checked. */
export const databaseReady: readonly VerdictRule<DatabaseStanding>[] = [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ gate }) => gate === 'Draft',
    message: () => resourceWaits,
    counts: 'waiting',
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ retrying }) => retrying,
    message: () => retrying,
  },
  // Above everything that is checked: a controller that stopped looks at nothing.
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp?.by === 'failures',
    message: () => provisioningFailed,
  },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp !== null,
    message: ({ gaveUp }) => (gaveUp?.by === 'permanentError' ? gaveUp.why : nothing),
  },
  ...hindrances,
  // What is ready says so only when its connection Secret is written.
  {
    reason: 'DatabaseReady',
    status: 'True',
    when: (seen) => isExternal(seen) && seen.connected,
    message: ({ wanted }) =>
      sentence('{provider} database connection is available', { provider: hidden(wanted.provider || 'External') }),
  },
  {
    reason: 'DatabaseReady',
    status: 'True',
    when: ({ connected, pods }) => connected && pods === 'running',
    message: () => closed('Database connection is available'),
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: () => true,
    message: () => closed('Database is being provisioned'),
    counts: 'waiting',
  },
];

/** How a pass ends that looked around a database: what Ready would say of one that was not given up. */
export const databaseOutcome = (seen: DatabaseSeen): PassOutcome =>
  outcomeBy(databaseReady, { ...seen, retrying: false, gaveUp: null });
