import type { ManagedDatabaseState } from '../../../machines/names.ts';
import type { ManagedDatabaseFacts } from '../../../rules/managedDatabase/facts.ts';
import type { Model } from '../../check/subject.ts';
import { factsOf, type World } from './world.ts';

const isOther = ({ at }: World) => at === 'otherKind';
const revoked = (world: World): World => ({
  ...world,
  live: false,
  claimed: false,
  held: false,
  secret: world.secret === 'live' ? 'dead' : world.secret,
});
const issued = (world: World): World => ({
  ...world,
  live: true,
  orphans: world.live || !world.claimed ? world.orphans + 1 : world.orphans,
  mistake: isOther(world) ? 'adopted' : world.mistake,
});

const issues = ({ state, wanted, at, up, claimed, live, secret, givenUp }: World) =>
  (state === 'Starting' || state === 'Ready') &&
  wanted === 'wanted' &&
  at === 'ready' &&
  up &&
  claimed &&
  !givenUp &&
  !live &&
  secret === 'none';

/** One database at a provider that may not respond, while processes may die between any two writes. */
export const model: Model<World, ManagedDatabaseFacts, ManagedDatabaseState> = {
  start: (['MySQL', 'Redis'] as const).flatMap((engine) =>
    (['absent', 'ready', 'otherKind'] as const).flatMap((at) =>
      (['none', 'byHand'] as const).map((secret): World => ({
        state: '(none)',
        wanted: 'wanted',
        engine,
        at,
        up: true,
        writable: true,
        changed: false,
        givenUp: false,
        overdue: false,
        justFailed: false,
        claimed: false,
        held: false,
        live: false,
        orphans: 0,
        secret,
        mistake: 'none',
      })),
    ),
  ),
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: factsOf,
  does: {
    claimLogin: (world) => ({ ...world, claimed: true, live: false, orphans: world.orphans + (world.live ? 1 : 0) }),
    createDatabase: (world) => ({
      ...world,
      at: 'starting',
      mistake: world.at === 'absent' ? world.mistake : 'createdTwice',
    }),
    deleteConnection: (world) => ({ ...world, secret: 'none' }),
    issueLogin: (world) => ({ ...issued(world), held: true }),
    recordRefusal: (world) => ({ ...world, changed: false }),
    recordStart: (world) => ({
      ...world,
      overdue: false,
      changed: false,
      mistake: isOther(world) ? 'adopted' : world.mistake,
    }),
    recordStoreFailure: (world) => ({ ...world, justFailed: true }),
    revokeLogin: revoked,
    storeConnection: (world) =>
      world.secret === 'none' && world.held ? { ...world, secret: 'live', held: false } : world,
  },
  moves: [
    {
      name: 'the provider reports ready',
      undisturbed: true,
      on: (world) => (world.at === 'starting' ? [{ ...world, at: 'ready' }] : []),
    },
    {
      name: 'the provider answers again',
      undisturbed: true,
      on: (world) => (world.up ? [] : [{ ...world, up: true }]),
    },
    {
      name: 'Secrets can be written again',
      undisturbed: true,
      on: (world) => (world.writable ? [] : [{ ...world, writable: true }]),
    },
    {
      name: 'half an hour passes',
      undisturbed: true,
      on: (world) => (world.overdue ? [] : [{ ...world, overdue: true, justFailed: false }]),
    },
    {
      name: 'half a minute passes',
      undisturbed: true,
      on: (world) => (world.justFailed ? [{ ...world, justFailed: false }] : []),
    },
    {
      name: 'it is tried again',
      undisturbed: true,
      on: (world) => (world.givenUp ? [{ ...world, givenUp: false }] : []),
    },
    { name: 'it is given up', on: (world) => (world.givenUp ? [] : [{ ...world, givenUp: true }]) },
    { name: 'the provider falls silent', on: (world) => (world.up ? [{ ...world, up: false }] : []) },
    { name: 'Secrets cannot be written', on: (world) => (world.writable ? [{ ...world, writable: false }] : []) },
    { name: 'the process ends', on: (world) => (world.held ? [{ ...world, held: false }] : []) },
    {
      name: 'the process ends right after a login was issued',
      on: (world) => (issues(world) ? [issued(world)] : []),
    },
    {
      name: 'the process ends right after the login was stored',
      on: (world) =>
        world.state === 'LoginIssued' && world.held && world.writable && world.secret === 'none'
          ? [{ ...world, secret: 'live', held: false }]
          : [],
    },
    {
      name: 'the connection Secret is deleted',
      on: (world) => (world.secret === 'none' ? [] : [{ ...world, secret: 'none' }]),
    },
    {
      name: 'the spec is changed',
      on: (world) =>
        world.state === '(none)'
          ? []
          : (['MySQL', 'Redis'] as const).map((engine) => ({ ...world, changed: world.state === 'Refused', engine })),
    },
    {
      name: 'somebody replaces or removes the database at the provider',
      on: (world) => [
        { ...world, at: 'absent' as const, live: false, secret: world.secret === 'live' ? 'dead' : world.secret },
        { ...world, at: 'otherKind' as const, live: false, secret: world.secret === 'live' ? 'dead' : world.secret },
      ],
    },
    {
      name: 'it is no longer wanted',
      on: (world) =>
        world.wanted === 'wanted'
          ? [
              { ...world, wanted: 'unwanted' },
              { ...world, wanted: 'deleting' },
            ]
          : [],
    },
    {
      name: 'it is wanted again',
      on: (world) => (world.wanted === 'unwanted' ? [{ ...world, wanted: 'wanted' }] : []),
    },
  ],
  within: ({ orphans, state }) => orphans < 2 && state !== '(deleted)',
  invariants: {
    oneLiveLogin: { always: ({ live, orphans }) => orphans + (live ? 1 : 0) <= 1 },
    otherKindNeverAdopted: { never: ({ mistake }) => mistake === 'adopted' },
    neverCreatedTwice: { never: ({ mistake }) => mistake === 'createdTwice' },
    storedLoginLives: {
      alwaysStep: (before, after, step) =>
        step.startsWith('world') || after.secret !== 'dead' || before.secret === 'dead',
    },
    unstoredLoginRevoked: { eventually: ({ live, secret, orphans }) => orphans === 0 && (!live || secret === 'live') },
    comesToRest: {
      eventually: ({ state, wanted, secret, live, writable }) =>
        !writable ||
        (wanted === 'wanted'
          ? state === 'Refused' || (state === 'Ready' && secret !== 'none')
          : (state === '(none)' || state === '(deleted)') && !live),
    },
  },
};
