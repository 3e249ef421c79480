import type { PullRequestEnvironmentState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { OpenPullRequest, PullRequestFacts } from '../../../rules/pullRequestEnvironment/facts.ts';
import { environmentName } from '../../../rules/pullRequestEnvironment/name.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = PullRequestEnvironmentState | Absence | '(deleted)';

/** What does not change over a life: the setup of the project, and the origin of the pull request. */
type Setup = 'fine' | 'off' | 'unlinked' | 'targetUnbuilt' | 'fork';

interface World {
  readonly state: State;
  readonly setup: Setup;
  readonly event: PullRequestFacts['event'];
  /** The current event was sent by someone other than the application. */
  readonly forged: boolean;
  readonly prOpen: boolean;
  readonly draft: boolean;
  readonly environments: readonly string[];
  readonly open: readonly OpenPullRequest[];
  /** This environment contains copies of services and databases. */
  readonly copiesIn: string | null;
  /** The pushes received, and the push that the copies were built from. */
  readonly pushes: number;
  readonly built: number;
}

const repository = 'acme/shop';
const most = 2;
/** The numbers of the project's other pull requests. */
const others = [8, 9];

const factsOf = (world: World): PullRequestFacts => ({
  ...toldOf(world),
  copied: isCopied(world),
  removed: world.copiesIn === null && !world.environments.includes(ownOf(world) ?? ''),
});

const toldOf = ({ setup, event, forged, draft, environments, open }: World) => ({
  now: 0,
  asked: event === 'none' ? null : ({ is: 'hostEvent' } as const),
  event,
  throughApplication: !forged,
  number: 7,
  repository,
  targetBranch: 'main',
  headRepository: setup === 'fork' ? 'mallory/shop' : repository,
  draft,
  project: 'p',
  enabled: setup !== 'off',
  link: setup === 'unlinked' ? ('none' as const) : ('linked' as const),
  baseServices: setup === 'targetUnbuilt' ? [] : [{ repository, branch: 'main' }],
  maxOpen: most,
  open,
  environments,
});

const isOwn = (entry: OpenPullRequest) => entry.repository === repository && entry.number === 7;
const ownOf = ({ open }: World) => open.find(isOwn)?.environment;
const isCopied = (world: World) =>
  world.copiesIn !== null && world.copiesIn === ownOf(world) && world.environments.includes(world.copiesIn);
const without = (list: readonly string[], name: string | undefined) => list.filter((each) => each !== name);

/** An event of the Git host, one at a time; `forged` events change nothing at the Git host. */
const reports = (world: World, event: PullRequestFacts['event'], changed: Partial<World> = {}): readonly World[] =>
  world.event === 'none' ? [{ ...world, event, forged: false, ...changed }] : [];

const moves: readonly Move<World>[] = [
  { name: 'the pull request opens', on: (world) => (world.prOpen ? [] : reports(world, 'opened', { prOpen: true })) },
  {
    name: 'it opens as a draft',
    on: (world) => (world.prOpen ? [] : reports(world, 'opened', { prOpen: true, draft: true })),
  },
  {
    name: 'it is ready for review',
    on: (world) => (world.draft ? reports(world, 'readyForReview', { draft: false }) : []),
  },
  {
    name: 'it receives a push',
    on: (world) => (world.prOpen && world.pushes < 2 ? reports(world, 'pushed', { pushes: world.pushes + 1 }) : []),
  },
  { name: 'its event comes once more', on: (world) => (world.prOpen ? reports(world, 'reopened') : []) },
  { name: 'it closes', on: (world) => (world.prOpen ? reports(world, 'closed', { prOpen: false, draft: false }) : []) },
  { name: 'somebody forges that it closes', on: (world) => reports(world, 'closed', { forged: true }) },
  {
    name: 'another pull request opens',
    on: (world) => {
      const number = others.find((each) => !world.open.some((entry) => entry.number === each));
      if (number === undefined || world.open.length >= most) return [];
      const environment = `pr-${number}`;
      return [
        {
          ...world,
          environments: [...world.environments, environment],
          open: [...world.open, { number, repository: 'acme/api', environment }],
        },
      ];
    },
  },
  {
    name: 'another one closes',
    on: (world) =>
      world.open
        .filter((entry) => !isOwn(entry))
        .map(({ number, environment }) => ({
          ...world,
          environments: without(world.environments, environment),
          open: world.open.filter((entry) => entry.number !== number),
        })),
  },
  {
    name: 'the environment is taken out by hand',
    on: (world) => {
      const own = ownOf(world);
      return own !== undefined && world.environments.includes(own)
        ? [{ ...world, environments: without(world.environments, own), copiesIn: null }]
        : [];
    },
  },
];

const fixed = ['production', 'pr-7', 'pr-7-shop'];

const start: World = {
  state: '(none)',
  setup: 'fine',
  event: 'none',
  forged: false,
  prOpen: false,
  draft: false,
  environments: ['production'],
  open: [],
  copiesIn: null,
  pushes: 0,
  built: 0,
};

/** Whether the other list contains every environment of this list except the pull request's own. */
const keeps = (before: World, after: World) =>
  before.environments.every((name) => name === ownOf(before) || after.environments.includes(name));

/** One pull request, its project and the project's other pull requests. */
export const model: Model<World, PullRequestFacts, PullRequestEnvironmentState> = {
  start: [
    start,
    { ...start, environments: fixed.slice(0, 2) },
    { ...start, environments: fixed },
    ...(['off', 'unlinked', 'targetUnbuilt', 'fork'] as const).map((setup) => ({ ...start, setup })),
  ],
  state: ({ state }) => state,
  // A reopened pull request gets an environment like a new one.
  enter: (world, state) => ({
    ...world,
    state: state === '(deleted)' ? '(none)' : state,
    event: 'none',
    forged: false,
  }),
  facts: factsOf,
  does: {
    recordEntry: (world, facts) => {
      const name = environmentName(facts);
      const environment = name.is === 'none' ? '' : name.name;
      return { ...world, open: [...world.open, { number: 7, repository, environment }] };
    },
    recordOpen: (world) => world,
    recordClosing: (world) => world,
    rebuildCopies: (world) => ({ ...world, built: world.pushes }),
    removeEntry: (world) => ({ ...world, open: world.open.filter((entry) => !isOwn(entry)) }),
  },
  ensures: {
    environmentCopied: (world) => {
      const own = ownOf(world);
      if (own === undefined || isCopied(world)) return world;
      const environments = world.environments.includes(own) ? world.environments : [...world.environments, own];
      return { ...world, environments, copiesIn: own, built: world.pushes };
    },
    // What is in the environment goes before it.
    environmentRemoved: (world) =>
      world.copiesIn === null
        ? { ...world, environments: without(world.environments, ownOf(world)) }
        : { ...world, copiesIn: null },
  },
  moves,
  within: () => true,
  invariants: {
    withinMaxOpen: { always: ({ open }) => open.length <= most },
    forkNeverOpens: { never: ({ setup, state, open }) => setup === 'fork' && (state !== '(none)' || open.some(isOwn)) },
    namesUnique: { always: ({ environments }) => new Set(environments).size === environments.length },
    othersKept: { alwaysStep: (before, after, step) => step.startsWith('world: ') || keeps(before, after) },
    closedLeavesNothing: {
      always: (world) =>
        world.state === '(none)' ? ownOf(world) === undefined && world.copiesIn === null : ownOf(world) !== undefined,
    },
    closedIsRemoved: { eventually: ({ prOpen, state }) => prOpen || state === '(none)' },
    pushIsBuilt: { eventually: ({ state, pushes, built }) => state === '(none)' || built === pushes },
  },
};
