import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { type Joint, joint as erased, type Part } from '../../check/joint/joint.ts';
import { lifecycle as database } from '../database.ts';
import { databaseFacts, retryFacts, type World } from './databaseWorld.ts';
import { commands, isKept, isThere, movesOf, plainest, invariantsOf } from './deployed.ts';
import { gateOf, running } from './gate.ts';
import { clean, rowPart } from './row.ts';

const gate = gateOf<World>('database');

const gone = { runs: null, pods: 'none', connected: false } as const;
const same = (world: World) => world;

const itself: Part<World> = {
  subject: database,
  kept: 'status',
  read: ({ phase }) => phase,
  enter: (world, state) => ({ ...world, phase: state as World['phase'] }),
  facts: databaseFacts,
  does: {
    applyWorkload: (world, { gate: at }: DatabaseFacts) => ({ ...world, runs: running(world, at), pods: 'starting' }),
    deleteWorkload: (world) => ({ ...world, ...gone, ending: world.ending || world.runs !== null }),
    writeConnection: (world) => ({ ...world, connected: true }),
    discardRestore: same,
    createRestoreJob: same,
    failAttempt: same,
    recordFailure: same,
    recordHost: same,
    recordRestored: same,
    retireArchive: same,
    startAttempt: same,
    startFinalBackup: same,
    succeedAttempt: same,
  },
  ensures: { noWorkload: (world) => ({ ...world, ...gone }) },
};

const first: World = {
  phase: '(none)',
  gate: '(none)',
  external: false,
  enabled: false,
  workflow: true,
  pending: true,
  spec: 0,
  snapshot: null,
  row: clean,
  trouble: 'none',
  ...gone,
  deleting: false,
  ending: false,
  approved: null,
};
const createdByUser: World = gate.approvedBy({ ...first, enabled: true, workflow: false, pending: false });

/** Whether the same stands outside the object, whichever version runs: what is saved renames them. */
const isAsStanding = (one: World, two: World) =>
  (one.runs === null) === (two.runs === null) &&
  one.pods === two.pods &&
  one.connected === two.connected &&
  one.ending === two.ending;

/** A database that people deploy, save, retry, edit and delete, while its dependencies come and go. */
export const world: Joint<World> = {
  name: 'database',
  parts: [gate.part, rowPart(retryFacts), itself],
  start: [first, { ...first, external: true }, createdByUser, { ...createdByUser, external: true }],
  moves: [
    ...movesOf(gate, ['waits', 'counts', 'forGood']),
    {
      name: 'the connection Secret is deleted',
      on: (at) => (isKept(at) && at.connected ? [{ ...at, connected: false }] : []),
    },
  ],
  commands,
  isThere,
  within: isThere,
  plainest,
  invariants: {
    ...invariantsOf(gate, isAsStanding),
    endLeavesNothing: {
      holds: 'When its life has ended, nothing of it is left.',
      always: (at) => at.phase !== '(deleted)' || (at.runs === null && !at.connected && !at.ending),
    },
  },
  budget: { worlds: 300_000, seconds: 60 },
};

export const joint = erased(world);
