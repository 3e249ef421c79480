import { provisioningFailed, retrying } from '../provisionRetry/says.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { VerdictRule } from '../verdict.ts';
import type { DatabaseSeen } from './facts.ts';
import { hindrances } from './hindrance.ts';
import { closed, hidden, nothing, type Said, sentence } from '../words.ts';
import { resourceWaits } from '../draftDeploy/gate.ts';

/** A database with the state of its own machines. */
export interface DatabaseStanding extends DatabaseSeen {
  /** Whether it was given up, and the next pass tries again. */
  readonly retrying: boolean;
  /** Why the controller stopped: after counted failures, or at once for the given reason. */
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
  // Precedes every check, because a controller that stopped checks nothing.
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
  // A database that is ready reports so only once its connection Secret is written.
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

/** The outcome of a pass: what Ready would report if the database had not been given up. */
export const databaseOutcome = (seen: DatabaseSeen): PassOutcome =>
  outcomeBy(databaseReady, { ...seen, retrying: false, gaveUp: null });
