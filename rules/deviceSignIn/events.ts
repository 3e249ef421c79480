import type { DeviceSignInEvent, DeviceSignInState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { DeviceAsked, DeviceSignInFacts } from './facts.ts';
import { closed, sentence, toViewers } from '../words.ts';

type DeviceRule = EventRule<DeviceSignInFacts, DeviceSignInState | Absence, DeviceSignInEvent['type']>;
const rule = ruleFor<DeviceSignInFacts, DeviceSignInState | Absence, DeviceSignInEvent['type']>();

/** Every number that the rules compare with. */
export const deviceLimits = {
  lifetimeMs: 600_000,
  keptMs: 1_200_000,
  pendingMost: 100,
  startsOfAddressMost: 10,
  shortDays: 7,
  middleDays: 30,
  longDays: 90,
} as const;
type DeviceLimits = Readonly<Record<keyof typeof deviceLimits, number>>;

const always = () => true;
const awaitsMessage = () => closed('waits for an admin to approve its code');
const setBackMessage = () => closed('the clock was set back: its time is reckoned from now');
const expiredMessage = () => closed('its 10 minutes are over');
const refusedMessage = () => closed('refused by an admin');
const accesses: readonly string[] = ['admin', 'observer', 'viewer'];
const ended = ['Refused', 'Issued', 'Expired'] as const;

const start = ['start'] as const;
const poll = ['poll'] as const;
const approve = ['approve'] as const;
const refuse = ['refuse'] as const;
const decide = [...approve, ...refuse] as const;

interface Asking {
  readonly asked: DeviceAsked | null;
}
const deciderOf = ({ asked }: Asking) => (asked?.is === 'approve' || asked?.is === 'refuse' ? asked.by : undefined);

const isChosen = ({ asked }: Asking, days: readonly number[]) =>
  asked?.is === 'approve' &&
  (asked.access === null || accesses.includes(asked.access)) &&
  days.includes(asked.lifetimeDays);

type Timed = Pick<DeviceSignInFacts, 'now' | 'issuedAt'>;

/** The lifetime, or the pause after the last poll, would end more than its full length from now. */
const isAhead = ({ now, issuedAt, lastPollAt }: Timed & Pick<DeviceSignInFacts, 'lastPollAt'>) =>
  issuedAt > now || (lastPollAt ?? now) > now;

/** The order: expiry before every command; who decides before what was chosen; the polling interval last. */
export const deviceSignInEventsWith = (limits: DeviceLimits): readonly DeviceRule[] => {
  const lifetimes = [limits.shortDays, limits.middleDays, limits.longDays];
  const isFull = ({ pending }: Pick<DeviceSignInFacts, 'pending'>) => pending >= limits.pendingMost;
  const expiry = {
    at: 'expiry',
    moment: ({ now, issuedAt }: Timed) => Math.min(issuedAt, now) + limits.lifetimeMs,
  };
  const forgetting = {
    at: 'forgetting',
    moment: ({ now, issuedAt }: Timed) => Math.min(issuedAt, now) + limits.keptMs,
  };

  return [
    rule({
      id: 'too-many-pending',
      in: ['(none)'],
      answers: start,
      when: (facts) => isFull(facts) && !facts.mayGiveWay,
      then: 'tooManyPending',
      says: ({ pending }) => sentence('{pending} sign-ins wait for approval already', { pending: toViewers(pending) }),
    }),
    rule({
      id: 'started-too-often',
      in: ['(none)'],
      answers: start,
      when: (facts) => facts.startsOfAddress >= limits.startsOfAddressMost,
      then: 'startedTooOften',
      says: ({ startsOfAddress }) =>
        sentence('{startsOfAddress} sign-ins were started from this address within a minute', {
          startsOfAddress: toViewers(startsOfAddress),
        }),
    }),
    rule({
      id: 'started-in-place',
      in: ['(none)'],
      answers: start,
      when: isFull,
      then: 'startedInPlace',
      says: () =>
        closed('waits for an admin to approve its code, in the place of one of a client with more than its share'),
      look: expiry,
    }),
    rule({
      id: 'started',
      in: ['(none)'],
      answers: start,
      when: always,
      then: 'started',
      says: awaitsMessage,
      look: expiry,
    }),
    rule({
      id: 'unknown-code-polled',
      in: ['(none)'],
      answers: poll,
      when: always,
      then: 'unknownCodePolled',
      says: () => closed('no sign-in has this device code'),
    }),
    rule({
      id: 'unknown-code-decided',
      in: ['(none)'],
      answers: decide,
      when: always,
      then: 'unknownCodeDecided',
      says: () => closed('no sign-in has this code'),
    }),

    rule({
      id: 'clock-set-back',
      in: ['Pending', 'Approved'],
      finds: true,
      when: isAhead,
      then: 'clockSetBack',
      says: setBackMessage,
      look: expiry,
    }),
    rule({
      id: 'clock-set-back-after-end',
      in: ended,
      finds: true,
      when: isAhead,
      then: 'clockSetBack',
      says: setBackMessage,
      look: forgetting,
    }),
    rule({
      id: 'expired',
      in: ['Pending', 'Approved'],
      finds: true,
      when: ({ now, issuedAt }) => now >= issuedAt + limits.lifetimeMs,
      then: 'expired',
      says: expiredMessage,
      look: forgetting,
    }),
    rule({
      id: 'outlived',
      in: ended,
      finds: true,
      when: ({ now, issuedAt }) => now >= issuedAt + limits.keptMs,
      then: 'outlived',
      says: () => closed('polling stopped; request dropped'),
    }),

    rule({
      id: 'gave-way',
      in: ['Pending'],
      answers: ['giveWay'],
      when: always,
      then: 'gaveWay',
      says: () => closed('its client had more than its share of those that may wait: another took its place'),
      look: forgetting,
    }),
    rule({
      id: 'token-decides',
      in: ['Pending'],
      answers: decide,
      when: (facts) => deciderOf(facts)?.with === 'token',
      then: 'tokenTriedToDecide',
      says: () => closed('an API token cannot decide about a sign-in: an admin has to, signed in to the dashboard'),
      look: expiry,
    }),
    rule({
      id: 'viewer-decides',
      in: ['Pending'],
      answers: decide,
      when: (facts) => deciderOf(facts)?.role !== 'admin',
      then: 'viewerTriedToDecide',
      says: () => closed('only an admin decides about a sign-in'),
      look: expiry,
    }),
    rule({
      id: 'choice-refused',
      in: ['Pending'],
      answers: approve,
      when: (facts) => !isChosen(facts, lifetimes),
      then: 'choiceRefused',
      says: () =>
        sentence('the access is one of {accesses}, the lifetime one of {lifetimes} days', {
          accesses: toViewers(accesses.join(', ')),
          lifetimes: toViewers(lifetimes.join(', ')),
        }),
      look: expiry,
    }),
    rule({
      id: 'approved',
      in: ['Pending'],
      answers: approve,
      when: always,
      then: 'approved',
      says: () => closed('Approved a command-line sign-in'),
      look: expiry,
    }),
    rule({
      id: 'refused',
      in: ['Pending'],
      answers: refuse,
      when: always,
      then: 'refused',
      says: refusedMessage,
      look: forgetting,
    }),
    rule({
      id: 'polled-too-fast',
      in: ['Pending'],
      answers: poll,
      when: (facts) => facts.lastPollAt !== null && facts.now < facts.lastPollAt + facts.intervalMs,
      then: 'polledTooFast',
      says: ({ intervalMs }) =>
        sentence('polled less than {intervalMs} s after the last time', { intervalMs: toViewers(intervalMs / 1_000) }),
      look: expiry,
    }),
    rule({
      id: 'polled',
      in: ['Pending'],
      answers: poll,
      when: always,
      then: 'polled',
      says: () => closed('no admin has decided yet'),
      look: expiry,
    }),
    rule({
      id: 'decision-awaited',
      in: ['Pending'],
      when: always,
      then: 'decisionAwaited',
      says: awaitsMessage,
      look: expiry,
    }),

    rule({
      id: 'token-collected',
      in: ['Approved'],
      answers: poll,
      when: always,
      then: 'tokenCollected',
      says: () => closed('the token was handed over, this once'),
      look: forgetting,
    }),
    rule({
      id: 'decided-again',
      in: ['Approved'],
      answers: decide,
      when: always,
      then: 'decidedAgain',
      says: () => closed('this sign-in was approved already'),
      look: expiry,
    }),
    rule({
      id: 'collection-awaited',
      in: ['Approved'],
      when: always,
      then: 'collectionAwaited',
      says: () => closed('approved: the token waits for the next poll'),
      look: expiry,
    }),

    rule({
      id: 'polled-after-refusal',
      in: ['Refused'],
      answers: poll,
      when: always,
      then: 'polledAfterRefusal',
      says: refusedMessage,
      look: forgetting,
    }),
    rule({
      id: 'polled-after-issue',
      in: ['Issued'],
      answers: poll,
      when: always,
      then: 'polledAfterIssue',
      says: () => closed('its token was handed over already'),
      look: forgetting,
    }),
    rule({
      id: 'polled-after-expiry',
      in: ['Expired'],
      answers: poll,
      when: always,
      then: 'polledAfterExpiry',
      says: expiredMessage,
      look: forgetting,
    }),
    rule({
      id: 'decided-after-end',
      in: ended,
      answers: decide,
      when: always,
      then: 'decidedAgain',
      says: () => closed('this sign-in is over'),
      look: forgetting,
    }),
    rule({
      id: 'forgetting-awaited',
      in: ended,
      when: always,
      then: 'forgettingAwaited',
      says: () => closed('ended; polls are still answered for a while'),
      look: forgetting,
    }),
  ];
};

/** The events of a device sign-in, in the order checked. */
export const deviceSignInEvents = deviceSignInEventsWith(deviceLimits);
