import { archiveActions } from './actions.ts';
import { Effect } from 'effect';
import { type CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { backupArchive as machine } from '../../../machines/backupArchive.ts';
import type { BackupArchiveEvent, BackupArchiveState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { backupArchiveEvents } from '../../../rules/backupArchive/events.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { type AnyLifecycle, lifecycle } from '../../contract/lifecycle.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import { type Deletions } from '../provisioned/deletion.ts';
import { isRetired } from './observe/archives.ts';
import type { BucketListings } from './ask/bucketListings.ts';
import { ownerNow, purgeFacts } from './ask.ts';
import { observing } from './observe.ts';
const stateOf = (archive: CoreBackupArchive): BackupArchiveState => (isRetired(archive) ? 'Retired' : 'Protected');

/** The machine of an archive. */
export const archiveLifecycle = (listings: BucketListings, deletions: Deletions): AnyLifecycle =>
  lifecycle<CoreBackupArchive, BackupArchiveFacts, BackupArchiveState, BackupArchiveEvent['type']>({
    name: 'backupArchive',
    storage: 'object',
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
        Effect.catch((error) => Effect.succeed(unknown(errorMessage(error)))),
      ),
    forget: listings.gone,
    actions: archiveActions(listings),
    ensures: {},
  });
