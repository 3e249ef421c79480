import { archiveActions } from './actions.ts';
import { Effect } from 'effect';
import { type CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { backupArchive as machine } from '../../../machines/backupArchive.ts';
import type { BackupArchiveEvent, BackupArchiveState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { serverNameOf } from '../../../rules/backup/names.ts';
import { backupArchiveEvents } from '../../../rules/backupArchive/events.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { databases } from '../../services/cluster/kinds.ts';
import { type AnyLifecycle, lifecycle, type Moment } from '../../contract/lifecycle.ts';
import { why } from '../../services/why.ts';
import { absent } from '../../step/step.ts';
import { type Deletions } from '../provisioned/deletion.ts';
import { isRetired } from './observe/archives.ts';
import type { Looks } from './ask/lists.ts';
import { ownerSeen } from './observe/owner.ts';
import { folderAfter, ownerNow, purgeFacts } from './ask.ts';
const stateOf = (archive: CoreBackupArchive): BackupArchiveState => (isRetired(archive) ? 'Retired' : 'Protected');

const dueAt = ({ spec }: CoreBackupArchive): number | null =>
  typeof spec.deleteAfter === 'string' ? msOf(spec.deleteAfter) : null;

const observing = (deletions: Deletions) => (archive: CoreBackupArchive, reader: CacheReader, moment: Moment) => {
  const { now, failure, resetFrom } = moment;
  const deleteAfter = dueAt(archive);
  const { database, databaseUID, storage, serverName } = archive.spec;
  const owner = ownerSeen(archive, reader.get(databases, database), { ...moment, reader, deletions });
  const isDue = deleteAfter !== null && now >= deleteAfter;
  // That nobody is there is true only by a direct read, which how an archive was made does not depend on.
  const isCertain = resetFrom === absent || (owner.is === 'alive' ? !isDue : isRetired(archive) && !isDue);
  const server = serverNameOf(database, databaseUID);
  return {
    now,
    found: null,
    deleteAfter,
    owner: isCertain ? known(owner) : unasked,
    folderInUse: unasked,
    restoring: unasked,
    connectionName: storage.connectionRef.name,
    connection: unasked,
    folder: folderAfter(archive, failure),
    serverName: server,
    earlier: serverName === server ? [] : [server],
    projectStorage: 'ready' as const,
  };
};

/** The machine of an archive. */
export const archiveLifecycle = (looks: Looks, deletions: Deletions): AnyLifecycle =>
  lifecycle<CoreBackupArchive, BackupArchiveFacts, BackupArchiveState, BackupArchiveEvent['type']>({
    name: 'backupArchive',
    kept: 'object',
    removes: true,
    machine,
    ...tables.backupArchive,
    rules: byState(backupArchiveEvents),
    retrying: ({ status }) =>
      (status?.conditions ?? []).some(({ type, status: is }) => type === 'Purged' && is === 'False'),
    read: stateOf,
    // The action that retires sets the date, which is the state.
    write: () => ({}),
    shown: stateOf,
    observe: observing(deletions),
    ask: (fact, archive, reader) =>
      (fact === 'owner' ? ownerNow(archive, reader, deletions) : purgeFacts[fact](archive, reader)).pipe(
        Effect.map((value) => known<unknown>(value)),
        Effect.catch((error) => Effect.succeed(unknown(why(error)))),
      ),
    forget: looks.gone,
    actions: archiveActions(looks),
    ensures: {},
  });
