import type { DatabaseBackupState } from '../../../machines/names.ts';
import { backupArchiveEvents } from '../../../rules/backupArchive/events.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import type { DatabaseFacts, FinalBackupSeen } from '../../../rules/database/facts.ts';
import type { DatabaseBackupFacts, StorageSeen } from '../../../rules/databaseBackup/facts.ts';
import { byState, decide } from '../../../rules/engine.ts';
import { known, unasked } from '../../../rules/fact.ts';
import { type Deciding, type Joint, joint as erased, type JointInvariant, type Part } from '../../check/joint/joint.ts';
import type { Move } from '../../check/subject.ts';
import { lifecycle as databaseBackup } from '../databaseBackup.ts';
import { world as database } from './database.ts';
import { databaseFacts, type World as Database } from './databaseWorld.ts';
import { isKept, isPass, isThere, plainest } from './deployed.ts';
import { gateIn } from './gate.ts';
import { clean, now } from './row.ts';

/** One SQLite database in the cluster, with what takes its backups, and the archive that they go to. */
interface World extends Database {
  /** `status.backup.state`. */
  readonly backup: DatabaseBackupState;
  /** `spec.backup.enabled`. */
  readonly on: boolean;
  /** Whether the project has chosen where backups go. */
  readonly place: boolean;
  readonly storage: 'working' | 'failing';
  /** An archive that is not retired, whether it has a restore point, and whether the latest backup failed. */
  readonly archive: boolean;
  readonly finished: boolean;
  readonly latestFailed: boolean;
  /** `status.host`: whether it was ever ready. */
  readonly served: boolean;
  readonly final: FinalBackupSeen;
  /** Whether ten minutes have passed since its deletion. */
  readonly late: boolean;
}

const finalBackupMs = 600_000;
const withoutArchive = { archive: false, finished: false, latestFailed: false } as const;

/** As the controllers see it: nothing is to be saved of what was never ready, or has no archive. */
const finalOf = ({ served, archive, final }: World): FinalBackupSeen => (served && archive ? final : 'finished');
const deletedAt = ({ deleting, late }: World): number | null => (deleting ? now - (late ? finalBackupMs : 0) : null);

const seenStorage = ({ storage }: World): StorageSeen =>
  storage === 'failing' ? { is: storage, error: 'AccessDenied' } : { is: storage };

const backupFacts = (world: World, deciding: Deciding): DatabaseBackupFacts => ({
  now,
  project: 'shop',
  projectStorage: world.place,
  archive: world.archive,
  enabled: world.on && gateIn(deciding) !== 'Draft',
  engine: 'SQLite',
  placement: 'InCluster',
  storage: known(seenStorage(world)),
  backups: known({ finished: world.finished, changesSaved: true, latestFailed: world.latestFailed }),
});

function facts(world: World, deciding: Deciding): DatabaseFacts {
  const { wanted, ...others } = databaseFacts(world, deciding);
  const finalBackup = known(finalOf(world));
  return { ...others, wanted: { ...wanted, backup: world.on }, deletedAt: deletedAt(world), finalBackup };
}

// The machines of a database write no field that they do not know.
const [gate, row, itself] = database.parts as unknown as readonly Part<World>[];
if (!gate || !row || !itself) throw new Error('the joint world of a database lacks a machine');

const alone: Part<World> = {
  ...itself,
  facts,
  does: {
    ...itself.does,
    recordHost: (world) => ({ ...world, served: true }),
    startFinalBackup: (world) => (finalOf(world) === 'finished' ? world : { ...world, final: 'running' }),
    retireArchive: (world) => ({ ...world, ...withoutArchive }),
  },
};

const backups: Part<World> = {
  subject: databaseBackup,
  kept: 'status',
  read: ({ backup }) => backup,
  enter: (world, state) => ({ ...world, backup: state as DatabaseBackupState }),
  facts: backupFacts,
  does: { recordBackup: (world) => world, removeBackup: (world) => world },
  ensures: {
    archiveKept: (world) =>
      world.deleting || world.archive || !world.place || world.storage !== 'working'
        ? world
        : { ...world, ...withoutArchive, archive: true },
  },
};

const archiveRules = byState(backupArchiveEvents);
const retiring: readonly string[] = ['databaseDeleted', 'backupsTurnedOff', 'namespaceChanged', 'ownerVanished'];

const archiveFacts = (world: World): BackupArchiveFacts => ({
  now,
  found: null,
  deleteAfter: null,
  owner: known({
    is: 'alive',
    backupsOn: world.on && world.gate !== 'Draft',
    moved: false,
    deletingSince: deletedAt(world),
    finalBackup: finalOf(world) === 'finished' ? 'over' : 'awaited',
  }),
  folderInUse: unasked,
  restoring: unasked,
  connectionName: 'aws',
  connection: unasked,
  folder: unasked,
  serverName: 'orders',
  earlier: [],
  projectStorage: 'ready',
});

/** The pass of the archive, an object of its own, by its real rules. */
function archivePasses(world: World): readonly World[] {
  if (!world.archive) return [];
  const decision = decide(archiveRules, 'Protected', archiveFacts(world));
  const retires = decision.is === 'event' && retiring.includes(decision.rule.then);
  return retires ? [{ ...world, ...withoutArchive }] : [];
}

const taken = ['the pods run', 'what was deleted has ended', 'somebody turns the gate', 'it is deleted'];

const moves: readonly Move<World>[] = [
  ...(database.moves as unknown as readonly Move<World>[]).filter(({ name }) => taken.includes(name)),
  { name: 'backups are turned on or off', on: (at) => (isKept(at) ? [{ ...at, on: !at.on }] : []) },
  { name: 'storage is chosen or cleared', on: (at) => (isKept(at) ? [{ ...at, place: !at.place }] : []) },
  {
    name: 'the cloud changes',
    on: (at) => (['working', 'failing'] as const).map((storage) => ({ ...at, storage })),
  },
  { name: 'the archive follows its database', undisturbed: true, on: archivePasses },
  { name: 'the archive is deleted by hand', on: (at) => (at.archive ? [{ ...at, ...withoutArchive }] : []) },
  {
    name: 'a backup finishes',
    undisturbed: true,
    on: (at) =>
      at.archive && at.runs !== null && at.storage === 'working' && !at.deleting
        ? [{ ...at, finished: true, latestFailed: false }]
        : [],
  },
  {
    name: 'a backup fails',
    on: (at) => (at.archive && at.runs !== null && !at.deleting ? [{ ...at, latestFailed: true }] : []),
  },
  {
    name: 'the last backup ends',
    on: (at) => (at.final === 'running' ? (['finished', 'failed'] as const).map((final) => ({ ...at, final })) : []),
  },
  {
    name: 'ten minutes pass',
    undisturbed: true,
    on: (at) => (at.deleting && !at.late ? [{ ...at, late: true }] : []),
  },
];

const deployed: World = {
  ...(database.start[0] as Database),
  enabled: true,
  pending: false,
  snapshot: 0,
  approved: 0,
  backup: 'NoBackup',
  on: true,
  place: true,
  storage: 'working',
  ...withoutArchive,
  served: false,
  final: 'absent',
  late: false,
};
const draft: World = { ...deployed, enabled: false, approved: null };

/** What of the cloud decides nothing any more: a deletion waits for the last backup, whatever that meets. */
const inDeletion = {
  backup: 'NoBackup',
  place: true,
  storage: 'working',
  finished: false,
  latestFailed: false,
} as const;

/** What the search of the database alone tells apart, and nothing here depends on: each failure is the first one. */
function forgotten(world: World): World {
  const { gaveUp } = world.row;
  const plain = plainest({ ...world, row: { ...clean, gaveUp } });
  return world.deleting ? { ...plain, ...inDeletion } : { ...plain, final: 'absent', late: false };
}

const isUndisturbedReady = ({ phase, trouble, pods, connected, deleting, row: { gaveUp } }: World): boolean =>
  phase === 'Ready' && trouble === 'none' && pods === 'running' && connected && !deleting && !gaveUp;
const activeStates: readonly DatabaseBackupState[] = ['Starting', 'Protected', 'AtRisk'];

const invariants: Readonly<Record<string, JointInvariant<World>>> = {
  savedBeforeGone: {
    holds: 'What runs of a database with backups that is deleted goes after its last backup, or ten minutes.',
    alwaysStep: (before, after) =>
      before.runs === null ||
      after.runs !== null ||
      !before.deleting ||
      !before.on ||
      finalOf(before) === 'finished' ||
      before.late,
  },
  archiveOutlivesTheLastBackup: {
    holds: 'Neither machine lets go of the archive before the last backup, or ten minutes.',
    alwaysStep: (before, after, step) =>
      !before.archive ||
      after.archive ||
      !before.deleting ||
      !before.on ||
      before.gate === 'Draft' ||
      finalOf(before) === 'finished' ||
      before.late ||
      step.endsWith('by hand'),
  },
  protectedHasBackup: {
    holds: 'A pass that says Protected found a finished backup in an archive, in storage that works.',
    alwaysStep: (before, after, step) =>
      !isPass(step) ||
      after.backup !== 'Protected' ||
      (before.archive && before.finished && !before.latestFailed && before.storage === 'working'),
  },
  draftHasNoBackups: {
    holds: 'After a pass a draft says nothing of backups.',
    alwaysStep: (_, after, step) => !isPass(step) || after.gate !== 'Draft' || after.backup === 'NoBackup',
  },
  archiveOfWhatIsSaid: {
    holds: 'After a pass a database whose backups start, run or are at risk has an archive, unless it is deleted.',
    alwaysStep: (_, after, step) =>
      !isPass(step) || !activeStates.includes(after.backup) || after.deleting || after.archive,
  },
  deletedGetsNoArchive: {
    holds: 'Of what is being deleted no archive is made.',
    alwaysStep: (before, after) => !before.deleting || before.archive || !after.archive,
  },
  backupsTouchNothing: {
    holds: 'Whatever comes of its backups, a database that is Ready and as deployed stays so.',
    alwaysStep: (before, after, step) =>
      !isPass(step) || !isUndisturbedReady(before) || after.gate === 'Draft' || after.phase === 'Ready',
  },
  offSaysNothing: {
    holds: 'Left alone, a database without backups says nothing of them, and its archive is retired.',
    eventually: (at) => at.on || at.deleting || (at.backup === 'NoBackup' && !at.archive),
  },
  safeInTheEnd: {
    holds: 'Left alone, a database that is Ready, with backups and storage that works, is protected.',
    eventually: (at) =>
      at.deleting ||
      at.phase !== 'Ready' ||
      !at.on ||
      at.storage !== 'working' ||
      !(at.archive || at.place) ||
      at.backup === 'Protected',
  },
  deletionEnds: {
    holds: 'A deleted database goes, whatever the cloud says.',
    eventually: (at) => !at.deleting || at.phase === '(deleted)',
  },
};

const { retry } = database.commands;
if (!retry) throw new Error('the joint world of a database lacks a command');

/** A database with backups that are turned on and off, fail and finish, until the last one of its deletion. */
const world: Joint<World> = {
  name: 'databaseBackup',
  parts: [gate, row, alone, backups],
  start: [deployed, draft],
  moves,
  commands: { retry },
  isThere,
  within: isThere,
  plainest: forgotten,
  invariants,
  budget: { worlds: 12_000, seconds: 10 },
};

export const joint = erased(world);
