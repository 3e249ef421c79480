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
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import { type AnyLifecycle, lifecycle, type Moment } from '../../contract/lifecycle.ts';
import { why } from '../../services/why.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import type { Deletions } from '../provisioned/deletion.ts';
import { gateIn } from '../provisioned/draftDeploy.ts';
import { noWorkload } from '../provisioned/provisioning.ts';
import { finalBackupSeen } from '../backupArchive/read.ts';
import type { BackupPieces } from './lifecycles/databaseBackup/owned.ts';
import { databaseActions, remainingOf } from './actions.ts';
import type { Pieces } from './owned.ts';
import { databaseSeen } from './observe.ts';
import { removeClaims } from './owned/volumes.ts';
import type { Ensure } from '../../contract/ensure.ts';

const ending: readonly string[] = ['FinalBackup', 'Deleting'] satisfies readonly DatabaseState[];

/** The lens. Nothing is torn down for a database that is not being deleted, whatever its status says. */
export function phaseOf({ metadata, status }: CoreDatabase): DatabaseState | Absence {
  const phase = status?.phase ?? '';
  if (ending.includes(phase) && !isDeleting({ metadata })) return 'Provisioning';
  return databasePhases.find((one) => one === phase) ?? '(none)';
}

interface Parts {
  readonly pieces: Pieces;
  readonly backups: BackupPieces;
  readonly deletions: Deletions;
}

const retryIn = ({ others }: Moment): RetrySeen => others['provisionRetry'] as RetrySeen;

/**
 * Whether a database runs: follows its gate and its row of failures, and is the only machine that applies the running
 * spec.
 */
export function databaseProvisioned({ pieces, backups, deletions }: Parts, images: DatabaseImages): AnyLifecycle {
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
      const seen = databaseSeen(database, { reader, pieces, gate, now, failure });
      const { wanted, restore, gate: _, ...around } = seen;
      return {
        now,
        deletedAt: deletions.since(database, moment),
        gate,
        retry: retryIn(moment),
        wanted,
        restore,
        around: known(around),
        finalBackup: known(finalBackupSeen(database, reader)),
        remains: unasked,
      };
    },
    ask: (_, database, reader) =>
      remainingOf(database, reader, { pieces, backups }).pipe(
        Effect.map(known),
        Effect.catch((error) => Effect.succeed(unknown(why(error)))),
      ),
    forget: deletions.forget,
    actions: databaseActions({ pieces, backups }, images),
    ensures: { noWorkload: withoutBackups(withoutClaims(noWorkload(pieces)), backups) },
  });
}

/** What took the backups goes with the database. */
const withoutBackups = (ensure: Ensure<CoreDatabase>, backups: BackupPieces): Ensure<CoreDatabase> => ({
  ...ensure,
  run: (given) => {
    const ensured = ensure.run(given);
    return isDeleting(given.object) ? Effect.tap(ensured, () => backups.remove(given.object, given.reader)) : ensured;
  },
});

/** The claims of a chart go once it is gone itself. */
export const withoutClaims = (ensure: Ensure<CoreDatabase>): Ensure<CoreDatabase> => ({
  ...ensure,
  run: (given) => {
    const ensured = ensure.run(given);
    if (!isDeleting(given.object)) return ensured;
    const removing = removeClaims(given.object, given.reader).pipe(Effect.catchTag('Gone', () => Effect.void));
    return Effect.tap(ensured, () => removing);
  },
});
