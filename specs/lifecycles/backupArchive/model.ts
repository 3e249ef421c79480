import type { BackupArchiveState } from '../../../machines/names.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import { deleteAfterOf } from '../../../rules/backupArchive/retirement.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';
import { moves } from './moves.ts';
import type { World } from './world.ts';

const start: World = {
  state: '(none)',
  owner: 'alive',
  backupsOn: false,
  moved: false,
  finalBackup: 'awaited',
  deletingForMs: 0,
  projectStorage: 'none',
  earlier: false,
  unseen: false,
  leftMs: 0,
  retiredForMs: 0,
  connected: true,
  refused: false,
  folderInUse: false,
  restoring: false,
  pages: 0,
  removed: { ofAlive: false, early: false, inUse: false, restoring: false },
};

const now = Date.UTC(2026, 6, 1);
const sevenDays = 7 * 86_400_000;
const tenMinutes = 10 * 60_000;

const factsOf = (world: World): BackupArchiveFacts => ({
  now,
  found: world.state === '(none)' && world.unseen ? 'Protected' : null,
  deleteAfter: world.state === 'Retired' ? now + world.leftMs : null,
  owner: known(
    world.owner === 'gone'
      ? { is: 'gone' }
      : {
          is: 'alive',
          backupsOn: world.backupsOn,
          moved: world.moved,
          deletingSince: world.owner === 'deleting' ? now - world.deletingForMs : null,
          finalBackup: world.finalBackup,
        },
  ),
  folderInUse: known(world.folderInUse),
  restoring: known(world.restoring),
  connectionName: 'shop-cloud',
  connection: known(world.connected ? 'ready' : 'noKeys'),
  folder: known(
    world.refused
      ? { is: 'refused', code: 'AccessDenied', text: 'Access Denied' }
      : { is: world.pages > 0 ? 'filled' : 'empty' },
  ),
  serverName: 'orders-0a1b2c3d',
  earlier: world.earlier ? ['orders-0a1b2c3d'] : [],
  projectStorage: world.projectStorage,
});

const remembering = (world: World): World => ({
  ...world,
  removed: {
    ofAlive: world.removed.ofAlive || world.owner !== 'gone',
    early: world.removed.early || world.retiredForMs < sevenDays,
    inUse: world.removed.inUse || world.folderInUse,
    restoring: world.removed.restoring || world.restoring,
  },
});

const isPass = (step: string) => step.startsWith('pass');
const retires = (before: World, after: World) => before.state === 'Protected' && after.state === 'Retired';
const isBlocked = ({ connected, refused, folderInUse, restoring }: World) =>
  !connected || refused || folderInUse || restoring;

/** The life of one archive: its database is turned off, moved, deleted or lost, and the cloud comes and goes. */
export const model: Model<World, BackupArchiveFacts, BackupArchiveState> = {
  start: [start, { ...start, earlier: true }],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state, unseen: world.unseen && state === '(none)' }),
  facts: factsOf,
  does: {
    createArchive: (world) => ({ ...world, pages: 2, earlier: false }),
    followDatabase: (world) => world,
    retire: (world, facts) => ({ ...world, leftMs: deleteAfterOf(facts.now) - facts.now, retiredForMs: 0 }),
    recordUnpurged: (world) => world,
    purgePage: (world) => ({ ...remembering(world), pages: world.pages - 1 }),
    deleteArchive: remembering,
  },
  moves,
  within: () => true,
  invariants: {
    staysRetired: {
      alwaysStep: (before, after, step) => !isPass(step) || before.state !== 'Retired' || after.state !== 'Protected',
    },
    aliveIsUntouched: { never: ({ removed }) => removed.ofAlive },
    notBeforeDeleteAfter: { never: ({ removed }) => removed.early },
    restoringIsUntouched: { never: ({ removed }) => removed.restoring },
    keptAfterDeletion: {
      alwaysStep: (_, after, step) =>
        !isPass(step) ||
        after.state !== 'Retired' ||
        after.owner !== 'deleting' ||
        after.leftMs + after.deletingForMs >= sevenDays,
    },
    folderInUseIsUntouched: { never: ({ removed }) => removed.inUse },
    nothingLeftBehind: { alwaysStep: (_, after) => after.state !== '(deleted)' || after.pages === 0 },
    finalBackupFirst: {
      alwaysStep: (before, after) =>
        !retires(before, after) ||
        before.owner !== 'deleting' ||
        !before.backupsOn ||
        before.finalBackup === 'over' ||
        before.deletingForMs >= tenMinutes,
    },
    deletionGoesOn: { eventually: ({ owner, state }) => owner === 'alive' || state !== 'Protected' },
    purgeComes: {
      eventually: (world) =>
        world.owner !== 'gone' || isBlocked(world) || world.state === '(none)' || world.state === '(deleted)',
    },
  },
};
