import type { TokenState } from '../../../machines/names.ts';
import type { Decider } from '../../../rules/deviceSignIn/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { TokenAsked, TokenFacts } from '../../../rules/token/facts.ts';
import type { Model } from '../../check/subject.ts';

interface TokenWorld extends TokenFacts {
  readonly state: TokenState | Absence | '(deleted)';
  /** The model's own record. */
  readonly madeBy: string | null;
  readonly shown: number;
  readonly isTaken: boolean;
  readonly acceptedWhenOver: boolean;
  readonly acceptedWrong: boolean;
  readonly recordedTooSoon: boolean;
}

const unmade: TokenWorld = {
  state: '(none)',
  now: 0,
  asked: null,
  project: null,
  environment: null,
  expiresAt: null,
  lastUsedAt: null,
  madeBy: null,
  shown: 0,
  isTaken: false,
  acceptedWhenOver: false,
  acceptedWrong: false,
  recordedTooSoon: false,
};

const admin: Decider = { with: 'session', role: 'admin' };
const adminToken: Decider = { with: 'token', role: 'admin' };
const viewer: Decider = { with: 'session', role: 'viewer' };
const day = 86_400_000;
const quarterHour = 900_000;
/** Ten years from the start, with the leap days of 1972 and 1976. */
const tenYears = (10 * 365 + 2) * day;

const creations: readonly TokenAsked[] = [
  { is: 'create', by: admin, expiresAt: null },
  { is: 'create', by: admin, expiresAt: quarterHour },
  { is: 'create', by: admin, expiresAt: tenYears + 1 },
  { is: 'create', by: adminToken, expiresAt: null },
  { is: 'create', by: viewer, expiresAt: null },
  { is: 'collect', lifetimeDays: 7 },
  { is: 'collect', lifetimeDays: 8 },
];
const asks: readonly TokenAsked[] = [
  { is: 'use', secretRight: true },
  { is: 'use', secretRight: false },
  { is: 'revoke', by: admin },
  { is: 'revoke', by: adminToken },
  { is: 'revoke', by: viewer },
  { is: 'deleteProject', project: 'shop' },
  { is: 'deleteProject', project: 'blog' },
  { is: 'deleteEnvironment', project: 'shop', environment: 'production' },
  { is: 'deleteEnvironment', project: 'shop', environment: 'staging' },
  { is: 'deleteEnvironment', project: 'blog', environment: 'production' },
];

const makerOf = ({ asked }: TokenFacts) => (asked?.is === 'create' ? `${asked.by.with} ${asked.by.role}` : 'device');
function expiryOf({ now, asked }: TokenFacts): number | null {
  if (asked?.is === 'create') return asked.expiresAt;
  return asked?.is === 'collect' ? now + asked.lifetimeDays * day : null;
}

/** Whether the token must no longer be accepted: revoked or expired. */
const isOver = ({ isTaken, expiresAt, now }: TokenWorld) => isTaken || (expiresAt !== null && now >= expiresAt);

function nextMoment({ now, lastUsedAt, expiresAt }: TokenWorld): number | undefined {
  const pause = lastUsedAt === null ? [] : [lastUsedAt + 599_999, lastUsedAt + 600_000];
  const end = expiresAt === null ? [] : [expiresAt - 1, expiresAt];
  return [...pause, ...end].toSorted((a, b) => a - b).find((moment) => moment > now);
}

/** One token; anyone sends any command at every boundary of its life. */
export const tokenModel: Model<TokenWorld, TokenFacts, TokenState> = {
  start: [unmade, { ...unmade, project: 'shop', environment: 'production' }],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: ({ now, asked, project, environment, expiresAt, lastUsedAt }) => ({
    now,
    asked,
    project,
    environment,
    expiresAt,
    lastUsedAt,
  }),
  does: {
    storeHash: (world) => ({ ...world, asked: null, madeBy: makerOf(world), expiresAt: expiryOf(world) }),
    showSecret: (world) => ({ ...world, shown: world.shown + 1 }),
    logCreation: (world) => world,
    logRevocation: (world) => world,
    dropHash: (world) => ({ ...world, asked: null, isTaken: true }),
    accept: (world) => ({
      ...world,
      asked: null,
      acceptedWhenOver: world.acceptedWhenOver || isOver(world),
      acceptedWrong: world.acceptedWrong || (world.asked?.is === 'use' && !world.asked.secretRight),
    }),
    recordUse: (world) => ({
      ...world,
      lastUsedAt: world.now,
      recordedTooSoon: world.recordedTooSoon || (world.lastUsedAt !== null && world.now - world.lastUsedAt < 600_000),
    }),
    refuse: (world) => ({ ...world, asked: null }),
  },
  moves: [
    {
      name: 'time passes',
      undisturbed: true,
      on: (world) => {
        const next = nextMoment(world);
        return next === undefined ? [] : [{ ...world, now: next }];
      },
    },
    {
      name: 'the one who asked leaves with the answer',
      undisturbed: true,
      on: (world) => (world.asked === null ? [] : [{ ...world, asked: null }]),
    },
    {
      name: 'somebody asks',
      on: (world) =>
        world.asked === null
          ? (world.state === '(none)' ? [...creations, ...asks] : asks).map((asked) => ({ ...world, asked }))
          : [],
    },
  ],
  within: ({ now, lastUsedAt }) => now < 8 * day && (lastUsedAt ?? 0) < 3_000_000,
  invariants: {
    neverAcceptedWhenOver: { never: ({ acceptedWhenOver }) => acceptedWhenOver },
    onlyItsSecretIsAccepted: { never: ({ acceptedWrong }) => acceptedWrong },
    useRecordedSparsely: { never: ({ recordedTooSoon }) => recordedTooSoon },
    madeByAdminOrDevice: {
      always: ({ madeBy }) => madeBy === null || madeBy === 'session admin' || madeBy === 'device',
    },
    livesAtMostTenYears: { always: ({ expiresAt }) => expiresAt === null || expiresAt <= tenYears },
    outlivesItsCreator: {
      alwaysStep: (before, after, step) =>
        !/creatorRemoved|loggedOut/.test(step) || JSON.stringify(before) === JSON.stringify(after),
    },
    shownOnce: { always: ({ state, shown }) => shown === (state === '(none)' ? 0 : 1) },
    expiryComes: { eventually: ({ state, expiresAt }) => expiresAt === null || state !== 'Active' },
  },
};
