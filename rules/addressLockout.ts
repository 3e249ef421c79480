import type { AddressLockoutEvent, AddressLockoutState } from '../machines/names.ts';
import { type EventRule, ruleFor } from './engine.ts';
import { closed, sentence, toViewers } from './words.ts';
import { signInRefused } from './nameLockout/answer.ts';

/** The facts about an address when a sign-in arrives or fails, or when its refusal is checked. */
export interface AddressLockoutFacts {
  readonly now: number;
  /** A sign-in that arrives, or one that was admitted and failed. */
  readonly asked: 'signIn' | 'failure' | null;
  /** Only public addresses are limited, because many people may share any other. */
  readonly reach: 'public' | 'private' | 'loopback' | 'linkLocal' | 'shared';
  /** Time of the first failure in the current minute. */
  readonly since: number;
  /** Failures since then; 0 when none is counted. */
  readonly failures: number;
  /** 0 while the address is not refused. */
  readonly refusedUntil: number;
}

type AddressRule = EventRule<AddressLockoutFacts, AddressLockoutState, AddressLockoutEvent['type']>;
const rule = ruleFor<AddressLockoutFacts, AddressLockoutState, AddressLockoutEvent['type']>();

/** Every number that the rules compare with. */
export const addressLockoutLimits = { failuresMost: 20, windowMs: 60_000, refusalMs: 60_000 } as const;
type AddressLockoutLimits = Readonly<Record<keyof typeof addressLockoutLimits, number>>;

const always = () => true;
const comes = ['signIn'] as const;
const fails = ['failure'] as const;

/** The rules with limits other than the documents'. */
export const addressLockoutEventsWith = (limits: AddressLockoutLimits): readonly AddressRule[] => {
  const isRunning = ({ now, since, failures }: AddressLockoutFacts) => failures > 0 && now < since + limits.windowMs;
  const refusalEnd = {
    at: 'refusalEnd',
    moment: ({ now, refusedUntil }: AddressLockoutFacts) =>
      refusedUntil === 0 ? now + limits.refusalMs : Math.min(refusedUntil, now + limits.refusalMs),
  };

  return [
    rule({
      id: 'clock-set-back',
      in: ['Open', 'Refused'],
      finds: true,
      // The minute of counting, or the refusal, would end more than its full length from now.
      when: ({ now, since, refusedUntil }) => since > now || refusedUntil > now + limits.refusalMs,
      then: 'clockSetBack',
      says: () => closed('the clock was set back: its minute is reckoned from now'),
      look: refusalEnd,
    }),
    rule({
      id: 'refusal-ended',
      in: ['Refused'],
      when: ({ now, refusedUntil }) => now >= refusedUntil,
      finds: true,
      then: 'refusalEnded',
      says: () => closed('its minute is over: the address is open again'),
    }),
    rule({
      id: 'refusal-end-awaited',
      in: ['Refused'],
      when: always,
      then: 'refusalEndAwaited',
      says: () =>
        sentence('refused after {failuresMost} failed sign-ins within a minute', {
          failuresMost: toViewers(limits.failuresMost),
        }),
      look: refusalEnd,
    }),
    rule({
      id: 'refused-at-once',
      in: ['Refused'],
      answers: comes,
      when: always,
      then: 'refusedAtOnce',
      says: () => signInRefused,
      look: refusalEnd,
    }),
    rule({
      id: 'failed-meanwhile',
      in: ['Refused'],
      answers: fails,
      when: always,
      then: 'failedMeanwhile',
      says: () => closed('a sign-in that came before the refusal failed'),
      look: refusalEnd,
    }),

    rule({ id: 'sign-in-awaited', in: ['Open'], when: always, then: 'signInAwaited', says: () => closed('open') }),
    rule({
      id: 'sign-in-came',
      in: ['Open'],
      answers: comes,
      when: always,
      then: 'signInCame',
      says: () => closed('its password is looked at'),
    }),
    rule({
      id: 'unlimited-failed',
      in: ['Open'],
      answers: fails,
      when: ({ reach }) => reach !== 'public',
      then: 'unlimitedFailed',
      says: () => closed('a sign-in failed; only public addresses are limited'),
    }),
    rule({
      id: 'failed-twentieth',
      in: ['Open'],
      answers: fails,
      when: (facts) => isRunning(facts) && facts.failures + 1 >= limits.failuresMost,
      then: 'failedTwentieth',
      says: () =>
        sentence('{failuresMost} sign-ins failed within a minute', { failuresMost: toViewers(limits.failuresMost) }),
      look: refusalEnd,
    }),
    rule({
      id: 'failed-again',
      in: ['Open'],
      answers: fails,
      when: isRunning,
      then: 'failedAgain',
      says: ({ failures }) =>
        sentence('{failures} sign-ins failed within a minute', { failures: toViewers(failures + 1) }),
    }),
    rule({
      id: 'failed-first',
      in: ['Open'],
      answers: fails,
      when: always,
      then: 'failedFirst',
      says: () => closed('a sign-in failed: a minute of counting begins'),
    }),
  ];
};

/** The events of a client address at sign-in, in the order checked. */
export const addressLockoutEvents = addressLockoutEventsWith(addressLockoutLimits);
