import { Effect } from 'effect';
import { type BackupArchiveSpec, type CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { annotation, label } from '../../../crds/names.ts';
import { backupArchive as machine } from '../../../machines/backupArchive.ts';
import type { BackupArchiveEvent, BackupArchiveState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { pointsStatus } from '../../../rules/backup/points.ts';
import { serverNameOf } from '../../../rules/backup/names.ts';
import { archiveLabels, followedSpec } from '../../../rules/backupArchive/archive.ts';
import { backupArchiveEvents } from '../../../rules/backupArchive/events.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import { archivePurged } from '../../../rules/backupArchive/purged.ts';
import { deleteAfterOf } from '../../../rules/backupArchive/retirement.ts';
import { withCondition } from '../../../rules/condition.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import { engineOf } from '../../../rules/restore/refusals.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { backupArchives, cloudConnections, databases, projects } from '../../services/cluster/kinds.ts';
import { byArchiveCloud, byArchivedDatabase, byOwnKeys } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, specRead } from '../../contract/reads.ts';
import { type Acting, type AnyLifecycle, lifecycle, type Moment } from '../../contract/lifecycle.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { why } from '../../services/why.ts';
import { absent } from '../../step/step.ts';
import { backupJobs, postgresBackups, postgresClusters } from '../../owned/addonKinds.ts';
import { gateOf, specOf } from '../../../rules/database/deployed.ts';
import { type Deletions, makeDeletions } from '../provisioned/deletion.ts';
import { isRetired } from './observe/archives.ts';
import { isListed, listed } from './ensures/listed.ts';
import type { Looks } from './ask/lists.ts';
import { isBackedUpNow, ownerSeen } from './observe/owner.ts';
import { progressOf } from './observe/progress.ts';
import { folderAfter, ownerNow, purgeFacts, purging } from './ask.ts';
import { thinned } from './ensures/thinned.ts';
import { cachedOnly, type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

/**
 * CoreBackupArchive: follows its database, is retired when that lets go of it, and purged seven days later. `deletions` are
 * those of the database's controller: both count the time of a last backup from the same moment, also over a clock that
 * is set.
 */
export function backupArchiveController(looks: Looks, deletions: Deletions = makeDeletions()): Controller {
  return controller<CoreBackupArchive>({
    resource: backupArchives,
    lifecycles: [archiveKept(looks, deletions)],
    watches: [
      watching<CoreDatabase>({
        resource: databases,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => archivedOf(metadata.name, reader),
      }),
      ...([backupJobs, postgresBackups, postgresClusters] as readonly Resource[]).map((resource) =>
        watching({
          resource,
          reads: everyChange,
          concerns: ({ metadata }, reader) => archivedOf(metadata.labels?.[label.name] ?? '', reader),
        }),
      ),
      watching({
        resource: cloudConnections,
        reads: specRead,
        concerns: ({ metadata }, reader) => storedBy([metadata.name], reader),
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) =>
          storedBy(namesBy(reader, cloudConnections, byOwnKeys, metadata.name), reader),
      }),
      cachedOnly(projects),
    ],
    derive: (archive, deriving) => derive(archive, deriving, looks),
    ensures: { listed: listed(looks), thinned: thinned(looks) },
    adopt: (archive) => {
      const wanted = archiveLabels(archive.spec);
      const labels = archive.metadata.labels ?? {};
      const isSame = Object.entries(wanted).every(([name, value]) => labels[name] === value);
      return isSame ? null : { metadata: { labels: wanted } };
    },
  });
}

const archivedOf = (database: string, reader: CacheReader): readonly string[] =>
  namesBy(reader, backupArchives, byArchivedDatabase, database);

/** The archives in the accounts of these connections. */
const storedBy = (connections: readonly string[], reader: CacheReader): readonly string[] =>
  namesByEach(reader, backupArchives, byArchiveCloud, connections);

const stateOf = (archive: CoreBackupArchive): BackupArchiveState => (isRetired(archive) ? 'Retired' : 'Protected');

/**
 * The restore points as last listed. Where nobody listed them since it was retired, those that were written down stay;
 * where none were, the ones listed before are the best that is known.
 */
function derive(archive: CoreBackupArchive, { reader }: Deriving, looks: Looks) {
  const look = looks.of(archive);
  if (look === null || (!isListed(archive, look) && archive.status?.restorePoints !== undefined)) return {};
  const end = archive.status?.recoveryWindowEnd;
  const log =
    engineOf(archive) === 'Postgres'
      ? {
          isSaved: !isRetired(archive) && progressOf(archive, reader).changesSaved,
          end: typeof end === 'string' ? msOf(end) : null,
        }
      : null;
  return { ...pointsStatus(look.points, log, look.at) };
}

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

type Spec = Partial<{ readonly [F in keyof BackupArchiveSpec]: BackupArchiveSpec[F] | null }>;
type Acts = Acting<CoreBackupArchive, BackupArchiveFacts>;

/** What follows from the database as it is deployed now; nothing once it is gone. */
function followed({ object, reader }: Acts) {
  const database = reader.get(databases, object.spec.database);
  if (database?.metadata.uid !== object.spec.databaseUID || !isBackedUpNow(database)) return {};
  const displayName = database.metadata.annotations?.[annotation.displayName];
  return {
    ...(displayName === undefined ? {} : { metadata: { annotations: { [annotation.displayName]: displayName } } }),
    spec: followedSpec(database, specOf(database, gateOf(database))) satisfies Spec,
  };
}

function unpurged({ object, facts, at }: Acts) {
  const { connection, folder, connectionName } = facts;
  const verdict = readOut('Purged', archivePurged, {
    connectionName,
    connection: connection.is === 'known' ? connection.value : 'ready',
    refusal: folder.is === 'known' && folder.value.is === 'refused' ? folder.value : { code: '', text: '' },
  });
  return { status: { ...object.status, conditions: withCondition(object, verdict, at) } };
}

const archiveKept = (looks: Looks, deletions: Deletions): AnyLifecycle =>
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
    writes: {
      createArchive: () => ({}),
      followDatabase: followed,
      retire: ({ facts }) => ({ spec: { deleteAfter: isoTime(deleteAfterOf(facts.now)) } }),
      recordUnpurged: unpurged,
      purgePage: ({ object }) =>
        (object.status?.conditions ?? []).length === 0 ? {} : { status: { ...object.status, conditions: [] } },
      deleteArchive: () => ({}),
    },
    acts: {
      followDatabase: ({ object, reader }) => Effect.asVoid(looks.look(object, reader)),
      purgePage: ({ object }) => purging(object),
    },
    ensures: {},
  });
