import type { NameLockoutState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import type { FailureRecord, NameLockoutFacts } from '../../../rules/nameLockout/facts.ts';
import type { Model } from '../../check/subject.ts';

/** An attempted sign-in and its response. */
interface Try {
  readonly right: boolean;
  readonly whileLocked: boolean;
  readonly answer: 'in' | 'refused' | null;
}

interface NameWorld {
  readonly state: NameLockoutState | Absence | '(deleted)';
  readonly now: number;
  readonly configured: boolean;
  readonly record: FailureRecord;
  readonly otherRecords: number;
  readonly tried: Try | null;
  /** The model's own record of wrong passwords that were reported as wrong, in the minute from the first. */
  readonly toldFrom: number | null;
  readonly told: number;
  /** When the fifth of them was reported. */
  readonly fifthAt: number | null;
  readonly isSetBack: boolean;
}

const none: FailureRecord = { since: 0, failures: 0, lockedUntil: 0 };
const unlocked: NameWorld = {
  state: 'Open',
  now: 0,
  configured: true,
  record: none,
  otherRecords: 0,
  tried: null,
  toldFrom: null,
  told: 0,
  fifthAt: null,
  isSetBack: false,
};

const byMs = 100_000;
const ahead = (time: number | null) => (time === null ? null : time + byMs);
const notAhead = (time: number | null, now: number) => (time === null ? null : Math.min(time, now));

/** The clock is set back, so recorded times are now later by as much. */
const setBack = (world: NameWorld): NameWorld => ({
  ...world,
  isSetBack: true,
  tried: null,
  record: {
    ...world.record,
    since: world.record.since + byMs,
    lockedUntil: world.record.lockedUntil === 0 ? 0 : world.record.lockedUntil + byMs,
  },
  toldFrom: ahead(world.toldFrom),
  fifthAt: world.record.lockedUntil === 0 ? null : ahead(world.fifthAt),
});

const isAnswered = ({ tried }: NameWorld) => tried === null || tried.answer !== null;
const isLockedByMemory = ({ fifthAt, now }: NameWorld) => fifthAt !== null && now < fifthAt + 60_000;

/** A wrong password for an open name is reported as wrong. */
function tell(world: NameWorld): NameWorld {
  const goesOn = world.toldFrom !== null && world.now < world.toldFrom + 60_000;
  const told = goesOn ? world.told + 1 : 1;
  return {
    ...world,
    toldFrom: goesOn ? world.toldFrom : world.now,
    told,
    fifthAt: told === 5 ? world.now : world.fifthAt,
  };
}

const answered = (world: NameWorld, answer: 'in' | 'refused'): NameWorld =>
  world.tried === null ? world : { ...world, tried: { ...world.tried, answer } };

const refused = (world: NameWorld): NameWorld =>
  answered(
    world.configured && world.tried?.right === false && !world.tried.whileLocked ? tell(world) : world,
    'refused',
  );

function nextMoment({ now, record }: NameWorld): number {
  const edges = record.failures === 0 ? [] : [record.since + 59_999, record.since + 60_000];
  const ends = record.lockedUntil === 0 ? [] : [record.lockedUntil - 1, record.lockedUntil];
  const next = [...edges, ...ends].toSorted((a, b) => a - b).find((moment) => moment > now);
  return next ?? now + 20_000;
}

/** One name; anyone tries any password at every boundary of its minutes. */
export const nameLockoutModel: Model<NameWorld, NameLockoutFacts, NameLockoutState> = {
  start: [
    unlocked,
    { ...unlocked, otherRecords: 255 },
    { ...unlocked, otherRecords: 256 },
    { ...unlocked, configured: false },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: (world) => ({
    now: world.now,
    asked: isAnswered(world) ? null : 'signIn',
    configured: world.configured,
    record: world.record,
    otherRecords: world.otherRecords,
    passwordRight: known(world.tried?.right ?? false),
  }),
  does: {
    admit: (world) => answered(world, 'in'),
    refuse: refused,
    beginMinute: (world) => ({ ...world, record: { since: world.now, failures: 1, lockedUntil: 0 } }),
    countFailure: (world) => ({ ...world, record: { ...world.record, failures: world.record.failures + 1 } }),
    reckonFromNow: (world) => ({
      ...world,
      record: {
        ...world.record,
        since: Math.min(world.record.since, world.now),
        lockedUntil: Math.min(world.record.lockedUntil, world.now + 60_000),
      },
      toldFrom: notAhead(world.toldFrom, world.now),
      fifthAt: notAhead(world.fifthAt, world.now),
    }),
    lock: (world) => ({ ...world, record: { ...world.record, lockedUntil: world.now + 60_000 } }),
    dropSpent: (world) =>
      world.now >= world.record.since + 60_000 && world.now >= world.record.lockedUntil
        ? { ...world, record: none }
        : world,
    dropOldestUnlocked: (world) => ({ ...world, otherRecords: world.otherRecords - 1 }),
  },
  moves: [
    {
      name: 'time passes',
      undisturbed: true,
      on: (world) => (isAnswered(world) ? [{ ...world, now: nextMoment(world) }] : []),
    },
    {
      name: 'the clock is set back',
      on: (world) => (isAnswered(world) && !world.isSetBack && world.record.failures > 0 ? [setBack(world)] : []),
    },
    {
      name: 'somebody signs in',
      on: (world) =>
        isAnswered(world)
          ? [false, true].map((right) => ({
              ...world,
              tried: { right, whileLocked: isLockedByMemory(world), answer: null },
            }))
          : [],
    },
  ],
  within: ({ now }) => now <= 140_000,
  invariants: {
    lockedAnswersLikeWrong: {
      always: ({ tried }) => tried === null || tried.answer !== 'in' || (tried.right && !tried.whileLocked),
    },
    rightPasswordOpens: {
      always: ({ tried, configured }) =>
        tried?.answer !== 'refused' || !configured || !tried.right || tried.whileLocked,
    },
    fiveTriesAMinute: { always: ({ told }) => told <= 5 },
    onlyConfiguredRecorded: { always: ({ configured, record }) => configured || record.failures === 0 },
    recordsBounded: {
      always: ({ record, otherRecords }) => otherRecords + (record.failures > 0 ? 1 : 0) <= 256,
    },
    lockWithinAMinute: {
      always: ({ tried, record, now }) => (tried?.answer ?? null) === null || record.lockedUntil <= now + 60_000,
    },
    lockEnds: { eventually: ({ state }) => state === 'Open' },
  },
};
