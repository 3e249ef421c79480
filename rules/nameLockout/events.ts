import type { NameLockoutEvent, NameLockoutState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { NameLockoutFacts } from './facts.ts';
import { closed, sentence, toViewers } from '../words.ts';
import { signedIn, signInRefused } from './answer.ts';

type NameLockoutRule = EventRule<NameLockoutFacts, NameLockoutState, NameLockoutEvent['type']>;
const rule = ruleFor<NameLockoutFacts, NameLockoutState, NameLockoutEvent['type']>();

/** Every number that the rules compare with. */
export const nameLockoutLimits = { failuresMost: 5, windowMs: 60_000, lockMs: 60_000, recordsMost: 256 } as const;
type NameLockoutLimits = Readonly<Record<keyof typeof nameLockoutLimits, number>>;

const signIn = ['signIn'] as const;
const always = () => true;
const wrongMessage = () => signInRefused;

/**
 * Every sign-in rule needs the result of the password check, even where it does not matter, so that all answers take
 * the same time.
 */
export const nameLockoutEventsWith = (limits: NameLockoutLimits): readonly NameLockoutRule[] => {
  const isRunning = ({ now, record }: Pick<NameLockoutFacts, 'now' | 'record'>) =>
    record.failures > 0 && now < record.since + limits.windowMs;
  const lockEnd = {
    at: 'lockEnd',
    moment: ({ now, record }: Pick<NameLockoutFacts, 'now' | 'record'>) =>
      record.lockedUntil === 0 ? now + limits.lockMs : Math.min(record.lockedUntil, now + limits.lockMs),
  };

  return [
    rule({
      id: 'clock-set-back',
      in: ['Open', 'Locked'],
      finds: true,
      // The minute of counting, or the lock, would end more than its full length from now.
      when: ({ now, record }) => record.since > now || record.lockedUntil > now + limits.lockMs,
      then: 'clockSetBack',
      says: () => closed('the clock was set back: its minute is reckoned from now'),
      look: lockEnd,
    }),
    rule({
      id: 'lock-ended',
      in: ['Locked'],
      when: ({ now, record }) => now >= record.lockedUntil,
      finds: true,
      then: 'lockEnded',
      says: () => closed('lockout expired'),
    }),
    rule({
      id: 'lock-end-awaited',
      in: ['Locked'],
      when: always,
      then: 'lockEndAwaited',
      says: () =>
        sentence('locked after {failuresMost} failed sign-ins within a minute', {
          failuresMost: toViewers(limits.failuresMost),
        }),
      look: lockEnd,
    }),
    rule({
      id: 'sign-in-awaited',
      in: ['Open'],
      when: always,
      then: 'signInAwaited',
      says: () => closed('open'),
    }),
    rule({
      id: 'unknown-name-tried',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      when: ({ configured }) => !configured,
      then: 'unknownNameTried',
      says: wrongMessage,
    }),
    rule({
      id: 'signed-in',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      when: ({ passwordRight }) => passwordRight.value,
      then: 'signedIn',
      says: () => signedIn,
    }),
    rule({
      id: 'failed-fifth',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      when: (facts) => isRunning(facts) && facts.record.failures + 1 >= limits.failuresMost,
      then: 'failedFifth',
      says: wrongMessage,
      look: lockEnd,
    }),
    rule({
      id: 'failed-again',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      when: isRunning,
      then: 'failedAgain',
      says: wrongMessage,
    }),
    rule({
      id: 'failed-first-of-many',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      // An expired record of this name frees its slot.
      when: ({ otherRecords }) => otherRecords >= limits.recordsMost,
      then: 'failedFirstOfMany',
      says: wrongMessage,
    }),
    rule({
      id: 'failed-first',
      in: ['Open'],
      answers: signIn,
      needs: ['passwordRight'],
      when: always,
      then: 'failedFirst',
      says: wrongMessage,
    }),
    rule({
      id: 'tried-while-locked',
      in: ['Locked'],
      answers: signIn,
      needs: ['passwordRight'],
      when: always,
      then: 'triedWhileLocked',
      says: wrongMessage,
      look: lockEnd,
    }),
  ];
};

/** The events of a name at sign-in, in the order checked. */
export const nameLockoutEvents = nameLockoutEventsWith(nameLockoutLimits);
