import type { DeviceSignInState } from '../../../machines/names.ts';
import { firstPolls, grantedAccess, polledAt, reckonedFrom, slowedDown } from '../../../rules/deviceSignIn/data.ts';
import type { DeviceAsked, DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Model } from '../../check/subject.ts';

interface DeviceWorld {
  readonly state: DeviceSignInState | Absence | '(deleted)';
  readonly now: number;
  readonly asked: DeviceAsked | null;
  readonly pending: number;
  readonly mayGiveWay: boolean;
  readonly startsOfAddress: number;
  readonly issuedAt: number;
  readonly lastPollAt: number | null;
  readonly intervalMs: number;
  /** The model's own record. */
  readonly slowDowns: number;
  readonly tokens: number;
  readonly approvedBy: string | null;
  readonly granted: string | null;
  readonly refused: boolean;
  readonly handedOverLate: boolean;
  readonly isSetBack: boolean;
  /** Whether anything was decided since the clock was set back. */
  readonly isLookedAt: boolean;
}

const absentWorld: DeviceWorld = {
  state: '(none)',
  now: 0,
  asked: null,
  pending: 0,
  mayGiveWay: false,
  startsOfAddress: 0,
  issuedAt: 0,
  lastPollAt: null,
  intervalMs: 0,
  slowDowns: 0,
  tokens: 0,
  approvedBy: null,
  granted: null,
  refused: false,
  handedOverLate: false,
  isSetBack: false,
  isLookedAt: true,
};

const byMs = 600_000;

/** The clock is set back, so recorded times are now later by as much. */
const setBack = (world: DeviceWorld): DeviceWorld => ({
  ...world,
  isSetBack: true,
  isLookedAt: false,
  issuedAt: world.issuedAt + byMs,
  lastPollAt: world.lastPollAt === null ? null : world.lastPollAt + byMs,
});

/** Just before it expires. */
const maySetBack = (world: DeviceWorld) =>
  !isGone(world) && !world.isSetBack && world.asked === null && world.now === 599_999;

const isAhead = ({ issuedAt, lastPollAt, now }: DeviceWorld) => issuedAt > now || (lastPollAt ?? now) > now;

const admin = { with: 'session', role: 'admin' } as const;
const asks: readonly DeviceAsked[] = [
  { is: 'start' },
  { is: 'poll' },
  { is: 'giveWay' },
  { is: 'approve', by: admin, access: null, lifetimeDays: 7 },
  { is: 'approve', by: admin, access: 'observer', lifetimeDays: 8 },
  { is: 'approve', by: { with: 'token', role: 'admin' }, access: 'observer', lifetimeDays: 7 },
  { is: 'approve', by: { with: 'session', role: 'viewer' }, access: 'observer', lifetimeDays: 7 },
  { is: 'refuse', by: admin },
  { is: 'refuse', by: { with: 'token', role: 'admin' } },
];

/** The next time at which anything may differ; in the first seconds at the pace of the polls. */
function nextMoment({ now, issuedAt, lastPollAt, intervalMs }: DeviceWorld): number | undefined {
  const mayPoll = (lastPollAt ?? 0) + intervalMs;
  const ends = [599_999, 600_000, 1_199_999, 1_200_000].map((age) => issuedAt + age);
  const moments = [...(mayPoll <= 20_000 ? [mayPoll] : []), ...ends];
  return moments.toSorted((a, b) => a - b).find((moment) => moment > now);
}

const isGone = ({ state }: DeviceWorld) => state === '(none)' || state === '(deleted)';

/** One request; anyone sends any command at every boundary of its life. */
export const deviceSignInModel: Model<DeviceWorld, DeviceSignInFacts, DeviceSignInState> = {
  start: [
    absentWorld,
    { ...absentWorld, pending: 99, startsOfAddress: 9 },
    { ...absentWorld, pending: 100 },
    { ...absentWorld, pending: 100, mayGiveWay: true },
    { ...absentWorld, pending: 100, mayGiveWay: true, startsOfAddress: 10 },
    { ...absentWorld, startsOfAddress: 10 },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state, refused: world.refused || state === 'Refused', isLookedAt: true }),
  facts: ({ now, asked, pending, mayGiveWay, startsOfAddress, issuedAt, lastPollAt, intervalMs }) => ({
    now,
    asked,
    pending,
    mayGiveWay,
    startsOfAddress,
    issuedAt,
    lastPollAt,
    intervalMs,
  }),
  does: {
    issueCodes: (world) => ({ ...world, ...firstPolls, issuedAt: world.now, asked: null }),
    recordPoll: (world) => ({ ...world, ...polledAt(world, world.now), asked: null }),
    slowDown: (world) => ({ ...world, ...slowedDown(world), slowDowns: world.slowDowns + 1 }),
    recordApproval: (world) => ({
      ...world,
      approvedBy: world.asked?.is === 'approve' ? `${world.asked.by.with} ${world.asked.by.role}` : 'nobody',
      granted: world.asked?.is === 'approve' ? grantedAccess(world.asked.access) : null,
    }),
    logApproval: (world) => world,
    mintToken: (world) => ({ ...world, tokens: world.tokens + 1 }),
    handOver: (world) => ({ ...world, handedOverLate: world.now >= world.issuedAt + 600_000 }),
    makeRoom: (world) => ({ ...world, pending: world.pending - 1 }),
    reckonFromNow: (world) => reckonedFrom(world, world.now),
  },
  moves: [
    {
      name: 'time passes',
      undisturbed: true,
      on: (world) => {
        const next = nextMoment(world);
        return isGone(world) || next === undefined ? [] : [{ ...world, now: next }];
      },
    },
    {
      name: 'the one who asked leaves with the answer',
      undisturbed: true,
      on: (world) => (world.asked === null ? [] : [{ ...world, asked: null }]),
    },
    {
      name: 'the clock is set back',
      on: (world) => (maySetBack(world) ? [setBack(world)] : []),
    },
    {
      name: 'somebody asks',
      on: (world) =>
        world.asked !== null || world.state === '(deleted)' ? [] : asks.map((asked) => ({ ...world, asked })),
    },
  ],
  within: ({ slowDowns }) => slowDowns < 2,
  invariants: {
    handedOverOnce: { always: ({ tokens }) => tokens <= 1 },
    onlyAdminSessionsApprove: { always: ({ approvedBy }) => approvedBy === null || approvedBy === 'session admin' },
    // Approvals in this model choose no access.
    readOnlyWithLogsByDefault: { always: ({ granted }) => granted === null || granted === 'observer' },
    noTokenWithoutApproval: {
      always: ({ tokens, approvedBy, refused }) => tokens === 0 || (approvedBy !== null && !refused),
    },
    noTokenAfterTenMinutes: { never: ({ handedOverLate }) => handedOverLate },
    bornWithinBounds: {
      always: (world) => isGone(world) || (world.pending < 100 && world.startsOfAddress < 10),
    },
    slowerEachTime: {
      always: (world) => world.state === '(none)' || world.intervalMs === 5_000 + 5_000 * world.slowDowns,
    },
    neverAhead: { always: (world) => isGone(world) || !world.isLookedAt || !isAhead(world) },
    endsForgotten: { eventually: isGone },
  },
};
