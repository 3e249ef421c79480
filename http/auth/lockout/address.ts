import { addressLockout } from '../../../machines/addressLockout.ts';
import type { AddressLockoutEvent, AddressLockoutState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { addressLockoutEvents, type AddressLockoutFacts, addressLockoutLimits } from '../../../rules/addressLockout.ts';
import { byState } from '../../../rules/engine.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';

export const addressStepper: Stepper<AddressLockoutFacts, AddressLockoutState, AddressLockoutEvent['type']> = {
  name: 'addressLockout',
  storage: 'memory',
  machine: addressLockout,
  rules: byState(addressLockoutEvents),
  ...tables.addressLockout,
};

type Count = Pick<AddressLockoutFacts, 'since' | 'failures' | 'refusedUntil'>;
/** Failed sign-ins from one address. */
export interface AddressCount extends Count {
  readonly address: string;
}

const nothing: Count = { since: 0, failures: 0, refusedUntil: 0 };

/** The effect of each action on the count of an address; null removes it. */
const changes: Readonly<Record<string, (count: Count, now: number) => Count | null>> = {
  beginMinute: (_, now) => ({ since: now, failures: 1, refusedUntil: 0 }),
  countFailure: (count) => ({ ...count, failures: count.failures + 1 }),
  refuseAddress: (count, now) => ({ ...count, refusedUntil: now + addressLockoutLimits.refusalMs }),
  reckonFromNow: ({ since, failures, refusedUntil }, now) => ({
    since: Math.min(since, now),
    failures,
    refusedUntil: Math.min(refusedUntil, now + addressLockoutLimits.refusalMs),
  }),
  forget: () => null,
};

/** Whether a count can be dropped: its window and its refusal have both ended. */
const isSpent = ({ since, refusedUntil }: Count, now: number): boolean =>
  now >= since + addressLockoutLimits.windowMs && now >= refusedUntil;

const maxAddresses = 10_000;

/**
 * Failed sign-ins of public addresses, in memory and bounded: a restart loses them (document 002, Sign-in lockouts).
 */
export interface AddressLockouts {
  /** Whether a sign-in from there is refused without checking its password. */
  readonly isRefused: (address: string | null) => boolean;
  /** What counts still; nothing of it is changed by being read. */
  readonly all: () => readonly AddressCount[];
  /** A sign-in that was let in has failed. */
  readonly failed: (address: string | null) => void;
}

export function makeAddressLockouts(now: () => number): AddressLockouts {
  const counts = new Map<string, Count>();

  const set = (address: string, count: Count | null) => {
    counts.delete(address);
    if (count !== null) counts.set(address, count);
    if (counts.size <= maxAddresses) return;
    for (const [key, kept] of counts) if (isSpent(kept, now())) counts.delete(key);
    for (const key of counts.keys()) if (counts.size > maxAddresses) counts.delete(key);
  };

  /** `null` stands for an address that many people may share, which is never limited. */
  const transitionAddress = (address: string | null, attempt: 'signIn' | 'failure') => {
    for (;;) {
      const count = (address === null ? undefined : counts.get(address)) ?? nothing;
      const reach = address === null ? 'private' : 'public';
      const facts = { now: now(), asked: attempt, reach, ...count } as const;
      const { event, actions } = transitionOf(addressStepper, count.refusedUntil === 0 ? 'Open' : 'Refused', facts);
      const after = actions.reduce<Count | null>((last, action) => {
        const change = changes[action];
        return change ? change(last ?? nothing, facts.now) : last;
      }, count);
      if (address !== null && after !== count) set(address, after);
      if (event !== 'refusalEnded' && event !== 'clockSetBack') return event;
    }
  };

  return {
    all: () =>
      [...counts].filter(([, count]) => !isSpent(count, now())).map(([address, count]) => ({ address, ...count })),
    isRefused: (address) => transitionAddress(address, 'signIn') === 'refusedAtOnce',
    failed: (address) => void transitionAddress(address, 'failure'),
  };
}
