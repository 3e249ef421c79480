import type { Move } from '../../check/subject.ts';
import type { World } from './world.ts';

const waits = ({ state }: World) => state === '(none)';
const lives = ({ state }: World) => state === '(none)' || state === 'Protected';
const retired = ({ state }: World) => state === 'Retired';
const tenMinutes = 600_000;

/** Time passes to one millisecond before a deadline, then to the deadline. */
const nearer = (leftMs: number) => (leftMs > 1 ? leftMs - 1 : 1);

/** What the database, its owner and the cloud do to an archive. */
export const moves: readonly Move<World>[] = [
  {
    name: 'backups are switched',
    on: (world) => (lives(world) ? [{ ...world, backupsOn: !world.backupsOn }] : []),
  },
  {
    name: 'storage changes',
    on: (world) =>
      waits(world)
        ? (['none', 'regionUnknown', 'ready'] as const).map((projectStorage) => ({ ...world, projectStorage }))
        : [],
  },
  {
    name: 'the archive is made, and its first pass comes late',
    on: (world) =>
      waits(world) && !world.unseen && world.owner === 'alive' && world.backupsOn && world.projectStorage === 'ready'
        ? [{ ...world, unseen: true, pages: 2 }]
        : [],
  },
  {
    name: 'the namespace changes',
    on: (world) => (world.state === 'Protected' && !world.moved ? [{ ...world, moved: true }] : []),
  },
  {
    name: 'the database is deleted',
    on: (world) => (world.owner === 'alive' ? [{ ...world, owner: 'deleting', deletingForMs: 0 }] : []),
  },
  {
    name: 'the final backup ends',
    on: (world) =>
      world.owner === 'deleting' && world.finalBackup === 'awaited' ? [{ ...world, finalBackup: 'over' }] : [],
  },
  {
    name: 'the final backup takes its time',
    undisturbed: true,
    on: (world) =>
      world.owner === 'deleting' && world.deletingForMs < tenMinutes
        ? [{ ...world, deletingForMs: world.deletingForMs + nearer(tenMinutes - world.deletingForMs) }]
        : [],
  },
  {
    name: 'the database is gone',
    on: (world) =>
      world.owner === 'gone'
        ? []
        : [{ ...world, owner: 'gone', moved: false, finalBackup: 'awaited', deletingForMs: 0 }],
  },
  {
    name: 'days pass',
    undisturbed: true,
    on: (world) =>
      retired(world) && world.leftMs > 0
        ? [
            {
              ...world,
              leftMs: world.leftMs - nearer(world.leftMs),
              retiredForMs: world.retiredForMs + nearer(world.leftMs),
              deletingForMs: world.owner === 'deleting' ? world.deletingForMs + nearer(world.leftMs) : 0,
            },
          ]
        : [],
  },
  {
    name: 'the connection goes or comes',
    on: (world) => (retired(world) ? [{ ...world, connected: !world.connected }] : []),
  },
  {
    name: 'the cloud refuses or relents',
    on: (world) => (retired(world) ? [{ ...world, refused: !world.refused }] : []),
  },
  {
    name: 'another archive takes or leaves the folder',
    on: (world) => (retired(world) ? [{ ...world, folderInUse: !world.folderInUse }] : []),
  },
  {
    name: 'a restore from it begins or ends',
    on: (world) => (retired(world) ? [{ ...world, restoring: !world.restoring }] : []),
  },
];
