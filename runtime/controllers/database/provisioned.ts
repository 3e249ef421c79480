import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { databasePhases } from '../../../crds/databaseStates.ts';
import { database as machine } from '../../../machines/database.ts';
import type { DatabaseEvent, DatabaseState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { databaseEvents } from '../../../rules/database/events.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import { type AnyLifecycle, lifecycle, type Moment } from '../../lifecycle.ts';
import { why } from '../../services/why.ts';
import { noWorkload } from '../provisioning.ts';
import { databaseActs } from './acts.ts';
import type { Pieces } from './pieces.ts';
import { databaseSeen, gateIn } from './surroundings.ts';
import { writes } from './writes.ts';

const ending: readonly string[] = ['FinalBackup', 'Deleting'] satisfies readonly DatabaseState[];

/** The lens. Nothing is torn down for a database that is not being deleted, whatever its status says. */
export function phaseOf({ metadata, status }: CoreDatabase): DatabaseState | Absence {
  const phase = status?.phase ?? '';
  if (ending.includes(phase) && metadata.deletionTimestamp === undefined) return 'Provisioning';
  return databasePhases.find((one) => one === phase) ?? '(none)';
}

const retryIn = ({ others }: Moment): RetrySeen => others['provisionRetry'] as RetrySeen;

/**
 * Whether a database runs: follows its gate and its row of failures, and is the only machine that applies the running
 * spec.
 */
export function databaseProvisioned(pieces: Pieces): AnyLifecycle {
  return lifecycle<CoreDatabase, DatabaseFacts, DatabaseState, DatabaseEvent['type']>({
    name: 'database',
    kept: 'status',
    machine,
    ...tables.database,
    rules: byState(databaseEvents),
    retrying: (database) =>
      phaseOf(database) === 'Provisioning' && (database.status?.reconcileRetry?.reconcileFailures ?? 0) > 0,
    read: phaseOf,
    write: (to) => ({ phase: to }),
    shown: ({ status }) => status?.phase ?? 'Provisioning',
    observe: (database, reader, moment) => {
      const gate = gateIn(moment);
      const { now, failure } = moment;
      const { wanted, restore, gate: _, ...around } = databaseSeen(database, { reader, pieces, gate, now, failure });
      const { deletionTimestamp } = database.metadata;
      return {
        now,
        deletedAt: deletionTimestamp === undefined ? null : msOf(deletionTimestamp),
        gate,
        retry: retryIn(moment),
        wanted,
        restore,
        around: known(around),
        // Backups are not implemented yet, so there is none to wait for.
        finalBackup: known('finished'),
        remains: unasked,
      };
    },
    ask: (_, database) =>
      pieces.remaining(database).pipe(
        Effect.map((left) => known(left.length > 0)),
        Effect.catch((error) => Effect.succeed(unknown(why(error)))),
      ),
    writes,
    acts: databaseActs(pieces),
    ensures: { noWorkload: noWorkload(pieces) },
  });
}
