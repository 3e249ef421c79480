import { type TriedDeploy, deployedRows, type Leaving, leavingRow, otherwise } from '../provision/ready.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import type { VerdictRule } from '../verdict.ts';
import { byParts } from './causes.ts';
import type { DatabaseSeen } from './facts.ts';
import { servesMeanwhile } from './wanted.ts';
import { blockers } from './blockers.ts';
import { hidden, open, sentence, toViewers } from '../words.ts';
import { resourceWaits } from '../draftDeploy/gate.ts';

/** A database with the states that its machines reached. */
export interface DatabaseStanding
  extends DatabaseSeen, Pick<TriedDeploy, 'retrying' | 'gaveUp'>, Pick<Leaving, 'leaving'> {
  /** Whether its machine reached Ready, when the status names the connection Secret. */
  readonly provisioned: boolean;
}

const isServed = ({ connected, provisioned }: DatabaseStanding) => connected && provisioned;
/** A serving database keeps serving while a change cannot be applied yet. */
const isServedMeanwhile = (seen: DatabaseStanding) => seen.provisioned && servesMeanwhile(seen);
const isExternal = ({ wanted }: DatabaseSeen) => wanted.placement === 'External';

const served = open('Database connection is available');

const before: readonly VerdictRule<DatabaseStanding>[] = [
  leavingRow('lastBackup', open('One last backup is taken before the database is deleted')),
  leavingRow('deletion', open('Database is being deleted')),
  ...deployedRows<DatabaseStanding>(resourceWaits),
];

const checks: readonly VerdictRule<DatabaseStanding>[] = [
  ...blockers,
  // The same status that reports Ready names the connection Secret.
  {
    reason: 'DatabaseReady',
    status: 'True',
    when: (seen) => isExternal(seen) && isServed(seen),
    message: ({ wanted }) =>
      sentence('{provider} database connection is available', { provider: hidden(wanted.provider || 'External') }),
  },
  {
    reason: 'DatabaseReady',
    status: 'True',
    when: (seen) => isServed(seen) && seen.pods === 'running' && seen.notActed !== '',
    message: ({ notActed }) =>
      sentence('Database connection is available; this node does without {notActed}', {
        notActed: toViewers(notActed),
      }),
  },
  {
    reason: 'DatabaseReady',
    status: 'True',
    when: (seen) => isServed(seen) && seen.pods === 'running',
    message: () => served,
  },
  otherwise(open('Database is being provisioned'), byParts),
];

/** The Ready condition of a database, in the order checked. */
export const databaseReady: readonly VerdictRule<DatabaseStanding>[] = [
  ...before,
  { reason: 'DatabaseReady', status: 'True', when: isServedMeanwhile, message: () => served },
  ...checks,
];

/**
 * The outcome of a pass: what Ready would report if the database had not been given up. A pending change is a wait,
 * even while it serves.
 */
export const databaseOutcome = (seen: DatabaseSeen): PassOutcome =>
  outcomeBy([...before, ...checks], { ...seen, retrying: false, gaveUp: null, leaving: null, provisioned: true });
