import { type Leaving, leavingRow, otherwise, type Tried, triedRows } from '../provision/ready.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import { byUnwritten } from '../cause/unwritten.ts';
import type { VerdictRule } from '../verdict.ts';
import { open } from '../words.ts';
import type { LogicalDatabaseObserved } from './facts.ts';
import { logicalBlockers } from './blockers.ts';

/** A logical database with the states that its machines reached. */
export interface LogicalDatabaseStanding extends LogicalDatabaseObserved, Tried, Pick<Leaving, 'leaving'> {}

/** The Ready condition of a logical database, in the order checked. */
export const logicalDatabaseReady: readonly VerdictRule<LogicalDatabaseStanding>[] = [
  leavingRow('deletion', open('Logical database is being deleted')),
  ...triedRows<LogicalDatabaseStanding>(),
  ...logicalBlockers,
  {
    reason: 'LogicalDatabaseReady',
    status: 'True',
    when: ({ created, connected }) => created && connected,
    message: () => open('Logical database connection is available'),
  },
  otherwise(open('the connection Secret is being written'), byUnwritten),
];

/** The outcome of a pass: what Ready would report if it had not given up. */
export const logicalDatabaseOutcome = (seen: LogicalDatabaseObserved): PassOutcome =>
  outcomeBy(logicalDatabaseReady, { ...seen, retrying: false, gaveUp: null, leaving: null });
