import type { AddressLockoutState } from '../../../machines/names.ts';
import type { AddressLockoutFacts } from '../../../rules/addressLockout.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Model } from '../../check/subject.ts';

interface AddressWorld extends AddressLockoutFacts {
  readonly state: AddressLockoutState | Absence | '(deleted)';
  /** Sign-ins whose password is being checked. */
  readonly underWay: number;
  /** The model's own count of failures, in the minute from the first. */
  readonly failedFrom: number | null;
  readonly failed: number;
  readonly twentiethAt: number | null;
  readonly passedWhileRefused: boolean;
  readonly isSetBack: boolean;
  /** Whether anything was decided since the clock was set back. */
  readonly isLookedAt: boolean;
  /** Whether the command is decided again by the next pass. */
  readonly isAskedAgain: boolean;
}

const open: AddressWorld = {
  state: 'Open',
  now: 0,
  asked: null,
  reach: 'public',
  since: 0,
  failures: 0,
  refusedUntil: 0,
  underWay: 0,
  failedFrom: null,
  failed: 0,
  twentiethAt: null,
  passedWhileRefused: false,
  isSetBack: false,
  isLookedAt: true,
  isAskedAgain: false,
};

const byMs = 100_000;
const ahead = (time: number | null) => (time === null ? null : time + byMs);
const notAhead = (time: number | null, now: number) => (time === null ? null : Math.min(time, now));

/** The clock is set back, so recorded times are now later by as much. */
const setBack = (world: AddressWorld): AddressWorld => ({
  ...world,
  isSetBack: true,
  isLookedAt: false,
  since: world.since + byMs,
  refusedUntil: world.refusedUntil === 0 ? 0 : world.refusedUntil + byMs,
  failedFrom: ahead(world.failedFrom),
  twentiethAt: world.refusedUntil === 0 ? null : ahead(world.twentiethAt),
});

const isAhead = ({ since, refusedUntil, now }: AddressWorld) => since > now || refusedUntil > now + 60_000;

/** A sign-in fails; the model records it for public addresses only. */
function fail(world: AddressWorld): AddressWorld {
  if (world.reach !== 'public') return { ...world, asked: 'failure', underWay: world.underWay - 1 };
  const goesOn = world.failedFrom !== null && world.now < world.failedFrom + 60_000;
  const failed = goesOn ? world.failed + 1 : 1;
  return {
    ...world,
    asked: 'failure',
    underWay: world.underWay - 1,
    failedFrom: goesOn ? world.failedFrom : world.now,
    failed,
    twentiethAt: failed === 20 ? world.now : world.twentiethAt,
  };
}

function nextMoment({ now, since, failures, refusedUntil }: AddressWorld): number {
  const edges = failures === 0 ? [] : [since + 59_999, since + 60_000];
  const ends = refusedUntil === 0 ? [] : [refusedUntil - 1, refusedUntil];
  return [...edges, ...ends].toSorted((a, b) => a - b).find((moment) => moment > now) ?? now + 30_000;
}

/** One address, whose sign-ins arrive and fail at every boundary of its minutes. */
export const addressLockoutModel: Model<AddressWorld, AddressLockoutFacts, AddressLockoutState> = {
  start: [open, { ...open, reach: 'private' }, { ...open, since: 0, failures: 18, failedFrom: 0, failed: 18 }],
  state: ({ state }) => state,
  enter: (world, state) => ({
    ...world,
    state,
    isLookedAt: true,
    isAskedAgain: false,
    // A sign-in that finds its refusal over is decided in the next pass too.
    asked: world.isAskedAgain || (world.state === 'Refused' && state === 'Open') ? world.asked : null,
  }),
  facts: ({ now, asked, reach, since, failures, refusedUntil }) => ({
    now,
    asked,
    reach,
    since,
    failures,
    refusedUntil,
  }),
  does: {
    beginMinute: (world) => ({ ...world, since: world.now, failures: 1, refusedUntil: 0 }),
    countFailure: (world) => ({ ...world, failures: world.failures + 1 }),
    refuseAddress: (world) => ({ ...world, refusedUntil: world.now + 60_000 }),
    forget: (world) => ({ ...world, since: 0, failures: 0, refusedUntil: 0 }),
    loseCount: ({ now, reach }) => ({ ...open, now, reach }),
    reckonFromNow: (world) => ({
      ...world,
      isAskedAgain: true,
      since: Math.min(world.since, world.now),
      refusedUntil: Math.min(world.refusedUntil, world.now + 60_000),
      failedFrom: notAhead(world.failedFrom, world.now),
      twentiethAt: notAhead(world.twentiethAt, world.now),
    }),
    refuse: (world) => world,
    passOn: (world) => ({
      ...world,
      underWay: world.underWay + 1,
      passedWhileRefused:
        world.passedWhileRefused || (world.twentiethAt !== null && world.now < world.twentiethAt + 60_000),
    }),
  },
  moves: [
    {
      name: 'time passes',
      undisturbed: true,
      on: (world) => (world.asked === null ? [{ ...world, now: nextMoment(world) }] : []),
    },
    {
      name: 'the clock is set back',
      on: (world) => (world.asked === null && !world.isSetBack && world.failures > 0 ? [setBack(world)] : []),
    },
    {
      name: 'a sign-in comes',
      on: (world) => (world.asked === null && world.underWay < 2 ? [{ ...world, asked: 'signIn' }] : []),
    },
    {
      name: 'a sign-in fails',
      on: (world) => (world.asked === null && world.underWay > 0 ? [fail(world)] : []),
    },
  ],
  within: ({ now, failures }) => now <= 125_000 && (failures < 3 || failures > 17),
  invariants: {
    unlimitedNeverCounted: {
      always: ({ state, reach, failures }) => reach === 'public' || (state === 'Open' && failures === 0),
    },
    nothingPassesWhileRefused: { never: ({ passedWhileRefused }) => passedWhileRefused },
    refusedOnlyAfterTwenty: { always: ({ state, twentiethAt }) => state === 'Open' || twentiethAt !== null },
    refusalWithinAMinute: { always: (world) => !world.isLookedAt || !isAhead(world) },
    refusalEnds: { eventually: ({ state }) => state === 'Open' },
  },
};
