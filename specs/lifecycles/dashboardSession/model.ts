import type { DashboardSessionState } from '../../../machines/names.ts';
import type { DashboardSessionFacts, UserSeen } from '../../../rules/dashboardSession/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';

interface SessionWorld {
  readonly state: DashboardSessionState | Absence | '(deleted)';
  readonly now: number;
  readonly asked: DashboardSessionFacts['asked'];
  readonly locked: boolean;
  readonly right: boolean;
  readonly signedInAt: number;
  readonly role: 'admin' | 'viewer';
  readonly epoch: number;
  readonly user: UserSeen;
  /** Stored next to the users. */
  readonly epochWhenGone: number;
  /** The model's own record. */
  readonly isOver: boolean;
  readonly servedAfterEnd: boolean;
  readonly servedLate: boolean;
  readonly servedAs: string | null;
  readonly roleAtServing: string | null;
}

const stranger: SessionWorld = {
  state: '(none)',
  now: 0,
  asked: null,
  locked: false,
  right: false,
  signedInAt: 0,
  role: 'admin',
  epoch: 0,
  user: { is: 'present', role: 'admin', epoch: 0 },
  epochWhenGone: 0,
  isOver: false,
  servedAfterEnd: false,
  servedLate: false,
  servedAs: null,
  roleAtServing: null,
};

const twelveHours = 43_200_000;
const moments = [1, twelveHours - 1, twelveHours, twelveHours + 1];

/** The epoch of a name increases by one when its user signs out, is removed, or is replaced by another user. */
const epochOf = ({ user, epochWhenGone }: SessionWorld) => (user.is === 'present' ? user.epoch : epochWhenGone);

const roleOf = (user: UserSeen) => (user.is === 'present' ? user.role : 'nobody');

/** A request gets the permissions of a role. */
const served = (world: SessionWorld, role: string): SessionWorld => ({
  ...world,
  asked: null,
  servedAfterEnd: world.servedAfterEnd || world.isOver,
  servedLate: world.servedLate || world.now >= twelveHours,
  servedAs: role,
  roleAtServing: roleOf(world.user),
});

/** One session, while its user signs out elsewhere, changes roles or is removed. */
export const dashboardSessionModel: Model<SessionWorld, DashboardSessionFacts, DashboardSessionState> = {
  start: [stranger],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: ({ now, asked, locked, right, signedInAt, role, epoch, user }) => ({
    now,
    asked,
    nameLocked: locked,
    passwordRight: known(right),
    signedInAt,
    role,
    epoch,
    user,
  }),
  commands: { signOut: 'signOut' },
  does: {
    sealCookie: (world) => ({
      ...world,
      asked: null,
      signedInAt: world.now,
      role: world.user.is === 'present' ? world.user.role : 'viewer',
      epoch: world.user.is === 'present' ? world.user.epoch : 0,
    }),
    refuse: (world) => ({ ...world, asked: null }),
    serve: (world) => served(world, world.role),
    serveAsNow: (world, { user }) => served(world, roleOf(user)),
    bumpEpoch: (world) => ({
      ...world,
      isOver: true,
      user: world.user.is === 'present' ? { ...world.user, epoch: world.user.epoch + 1 } : world.user,
    }),
    takeCookie: (world) => world,
  },
  moves: [
    {
      name: 'time passes',
      undisturbed: true,
      on: (world) => {
        const next = moments.find((moment) => moment > world.now);
        return world.state === '(none)' || next === undefined ? [] : [{ ...world, now: next }];
      },
    },
    {
      name: 'somebody signs in',
      on: (world) =>
        world.state !== '(none)' || world.asked !== null
          ? []
          : [
              { ...world, asked: 'signIn', right: true, locked: false },
              { ...world, asked: 'signIn', right: true, locked: true },
              { ...world, asked: 'signIn', right: false, locked: false },
            ],
    },
    { name: 'a request comes', on: (world) => (world.asked === null ? [{ ...world, asked: 'request' }] : []) },
    {
      name: 'the user signs out elsewhere',
      on: (world) =>
        world.user.is === 'present' && world.user.epoch === 0 && world.state !== '(none)'
          ? [{ ...world, isOver: true, user: { ...world.user, epoch: 1 } }]
          : [],
    },
    {
      name: 'the role changes',
      on: (world) =>
        world.user.is === 'present'
          ? [{ ...world, user: { ...world.user, role: world.user.role === 'admin' ? 'viewer' : 'admin' } }]
          : [],
    },
    {
      name: 'the user is removed',
      on: (world) =>
        world.state === '(none)' || world.user.is === 'absent'
          ? []
          : [{ ...world, isOver: true, user: { is: 'absent' }, epochWhenGone: epochOf(world) + 1 }],
    },
    {
      name: 'a user of the same name is made',
      on: (world) =>
        world.user.is === 'absent'
          ? [{ ...world, user: { is: 'present', role: 'admin', epoch: world.epochWhenGone } }]
          : [],
    },
  ],
  within: (world) => epochOf(world) < 3,
  invariants: {
    servedOnlyWithinTwelveHours: { never: ({ servedLate }) => servedLate },
    signOutEndsEverySession: { never: ({ servedAfterEnd }) => servedAfterEnd },
    servedAsRoleNow: { always: ({ servedAs, roleAtServing }) => servedAs === roleAtServing },
    bornOfRightPassword: { always: ({ state, right, locked }) => state === '(none)' || (right && !locked) },
    sessionEnds: { eventually: ({ state }) => state !== 'Active' },
  },
};
