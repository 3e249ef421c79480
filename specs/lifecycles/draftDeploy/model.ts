import { known } from '../../../rules/fact.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { DeployedKind, DeployStored, DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = DraftDeployState | '(none)' | '(deleted)';

/** Two settings of a resource: one waits for a deploy, one applies at once. */
interface Settings {
  readonly version: number;
  readonly replicas: number;
}

/** One resource, what runs of it, and the requests that a witness observed. */
interface World {
  readonly state: State;
  readonly kind: DeployedKind;
  readonly stored: DeployStored | null;
  readonly spec: Settings;
  /** The version of the snapshot. */
  readonly snapshot: number | null;
  readonly runs: Settings | null;
  readonly asked: DraftDeployFacts['asked'];
  /** The edit that will be saved. */
  readonly wanted: Settings;
  readonly room: boolean;
  readonly deleted: boolean;
  /** The versions that were deployed with room for them, or written without a gate, lowest first. */
  readonly approved: readonly number[];
}

const first: World = {
  state: '(none)',
  kind: 'service',
  stored: null,
  spec: { version: 0, replicas: 0 },
  snapshot: null,
  runs: null,
  asked: null,
  wanted: { version: 0, replicas: 0 },
  room: true,
  deleted: false,
  approved: [],
};

const settings = [0, 1].flatMap((version) => [0, 1].map((replicas): Settings => ({ version, replicas })));
const approve = (world: World, version: number): readonly number[] =>
  [...new Set([...world.approved, version])].toSorted((a, b) => a - b);
const write = (world: World, stored: Partial<DeployStored>): World => ({
  ...world,
  stored: { enabled: false, workflow: false, pending: [], snapshot: false, ...world.stored, ...stored },
});

/** The state that a person would read from the fields. */
function standing({ kind, stored }: World): State {
  if (stored === null) return '(none)';
  if (kind === 'logicalDatabase') return 'Ungated';
  if (!stored.enabled && (stored.workflow || kind === 'service')) return 'Draft';
  if (!stored.workflow) return 'Ungated';
  if (stored.pending.length === 0) return 'Deployed';
  return stored.snapshot ? 'PendingChanges' : 'SnapshotMissing';
}

/** Nothing is in progress: no request waits, and external edits were observed. */
const quiet = (world: World) => world.asked === null && standing(world) === world.state;
/** Without the gate, or without a snapshot and with nothing waiting, a write is a deploy. */
const runsAsWritten = (world: World) =>
  standing(world) === 'Ungated' || (standing(world) === 'Deployed' && world.snapshot === null);
const editedUnseen = ({ state, spec, snapshot }: World) =>
  state === 'Deployed' && snapshot !== null && spec.version !== snapshot;

const moves: readonly Move<World>[] = [
  {
    name: 'a draft is created',
    on: (world) => (quiet(world) && world.stored === null ? [{ ...world, asked: 'createDraft' }] : []),
  },
  {
    name: 'a deployed resource is created',
    on: (world) =>
      quiet(world) && world.stored === null
        ? [{ ...world, asked: 'createDeployed', approved: world.room ? approve(world, 0) : world.approved }]
        : [],
  },
  {
    name: 'a deploy is asked for',
    on: (world) =>
      quiet(world) && world.stored !== null
        ? [
            {
              ...world,
              asked: 'deploy',
              approved: world.room && !world.deleted ? approve(world, world.spec.version) : world.approved,
            },
          ]
        : [],
  },
  {
    name: 'it is stopped',
    on: (world) => (quiet(world) && world.stored !== null ? [{ ...world, asked: 'stop' }] : []),
  },
  {
    name: 'settings are saved',
    on: (world) =>
      quiet(world) && world.stored !== null
        ? settings.map((wanted) => ({
            ...world,
            asked: 'save',
            wanted,
            approved: world.state === 'Ungated' ? approve(world, wanted.version) : world.approved,
          }))
        : [],
  },
  {
    name: 'it is deleted',
    on: (world) => (quiet(world) && world.stored !== null ? [{ ...world, deleted: true }] : []),
  },
  { name: 'nodes come or go', on: (world) => (quiet(world) ? [{ ...world, room: !world.room }] : []) },
  {
    name: 'somebody creates it by hand',
    on: (world) => {
      if (!quiet(world) || world.stored !== null) return [];
      return [
        write(world, { enabled: true }),
        write(world, { enabled: true, workflow: true }),
        write(world, { workflow: true, pending: ['created'] }),
        write(world, { enabled: true, workflow: true, pending: ['settings'] }),
        { ...write(world, { enabled: true, workflow: true, pending: ['settings'], snapshot: true }), snapshot: 0 },
      ].map((created) => ({ ...created, approved: runsAsWritten(created) || created.snapshot !== null ? [0] : [] }));
    },
  },
  {
    name: 'somebody edits a setting that waits',
    on: (world) => {
      if (!quiet(world) || world.stored === null) return [];
      const spec = { ...world.spec, version: 1 - world.spec.version };
      return [
        runsAsWritten(world)
          ? { ...world, spec, runs: spec, approved: approve(world, spec.version) }
          : { ...world, spec },
      ];
    },
  },
  {
    name: 'somebody turns spec.deploy.enabled',
    on: (world) => {
      if (!quiet(world) || world.stored === null || world.kind === 'logicalDatabase') return [];
      const turned = write(world, { enabled: !world.stored.enabled });
      return [{ ...turned, approved: runsAsWritten(turned) ? approve(world, world.spec.version) : world.approved }];
    },
  },
  {
    name: 'somebody takes the workflow annotation away',
    on: (world) =>
      quiet(world) && world.stored?.workflow
        ? [{ ...write(world, { workflow: false }), approved: approve(world, world.spec.version) }]
        : [],
  },
  {
    name: 'somebody puts the workflow annotation back',
    on: (world) =>
      quiet(world) && world.stored !== null && !world.stored.workflow && world.kind !== 'logicalDatabase'
        ? [{ ...write(world, { workflow: true }), approved: approve(world, world.spec.version) }]
        : [],
  },
];

const versions = (from: number, to: number) => (from === to ? [] : ['spec.version']);
const replicas = (from: number, to: number) => (from === to ? [] : ['spec.replicas']);

/** A service that is saved, deployed and edited directly, with a logical database beside it. */
export const model: Model<World, DraftDeployFacts, DraftDeployState> = {
  start: [first, { ...first, kind: 'logicalDatabase' }],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state, asked: null, wanted: first.wanted }),
  facts: ({ kind, stored, deleted, asked, spec, wanted, snapshot, room }) => {
    const next = asked === 'save' ? wanted : spec;
    return {
      now: 0,
      kind,
      stored,
      deleted,
      asked,
      changed: [...versions(spec.version, next.version), ...replicas(spec.replicas, next.replicas)],
      differing: versions(snapshot ?? spec.version, next.version),
      room: known(room ? { is: 'enough' } : { is: 'tooLittle', why: 'no node has room' }),
    };
  },
  does: {
    saveDraft: (world) => write(world, { enabled: false, workflow: true, pending: ['created'] }),
    saveUngated: (world) => ({ ...write(world, {}), approved: [0] }),
    saveSpec: (world) => ({ ...world, spec: world.wanted }),
    markChanges: (world) =>
      write(world, { pending: world.stored?.pending[0] === 'created' ? ['created'] : ['settings'] }),
    disable: (world) => write(world, { enabled: false, workflow: true }),
    clearMarkers: (world) => write(world, { pending: [] }),
    enable: (world) =>
      write(world, { enabled: true, workflow: world.stored?.workflow === true || standing(world) === 'Draft' }),
    takeSnapshot: (world) => ({ ...write(world, { snapshot: true }), snapshot: world.spec.version }),
    changeRevision: (world) => world,
  },
  ensures: {
    nothingRuns: (world) => ({ ...world, runs: null }),
    specRuns: (world) => ({ ...world, runs: world.spec }),
    deployedRuns: (world) => ({ ...world, runs: { ...world.spec, version: world.snapshot ?? world.spec.version } }),
    snapshotRuns: (world) =>
      world.snapshot === null ? world : { ...world, runs: { ...world.spec, version: world.snapshot } },
  },
  moves,
  within: () => true,
  invariants: {
    onlyDeployedRuns: { always: ({ runs, approved }) => runs === null || approved.includes(runs.version) },
    refusedChangesNothing: {
      alwaysStep: (before, after) =>
        before.room ||
        before.kind === 'logicalDatabase' ||
        (before.asked !== 'deploy' && before.asked !== 'createDeployed') ||
        JSON.stringify(after) === JSON.stringify({ ...before, asked: null, wanted: first.wanted }),
    },
    deletedAnswersNothing: {
      alwaysStep: (before, after) =>
        !before.deleted || before.asked === null || JSON.stringify(after.stored) === JSON.stringify(before.stored),
    },
    draftRunsNothing: { never: ({ state, runs }) => state === 'Draft' && runs !== null },
    savedAtOnceRuns: {
      alwaysStep: (before, after) =>
        before.asked !== 'save' ||
        after.runs === null ||
        (after.state !== 'Ungated' && after.snapshot === null) ||
        after.runs.replicas === before.wanted.replicas,
    },
    deployLeavesNothingWaiting: {
      alwaysStep: (before, after) =>
        before.asked !== 'deploy' ||
        !before.room ||
        after.state === 'Ungated' ||
        (after.runs?.version === after.spec.version && after.stored?.pending.length === 0),
    },
    standsAsItIs: {
      eventually: (world) => standing(world) === world.state && (world.deleted || !editedUnseen(world)),
    },
  },
};
