import * as fc from 'fast-check';
import { addressLockout } from '../../machines/addressLockout.ts';
import type { AddressLockoutEvent, AddressLockoutState } from '../../machines/names.ts';
import {
  addressLockoutEvents,
  addressLockoutEventsWith,
  type AddressLockoutFacts,
  addressLockoutLimits,
} from '../../rules/addressLockout.ts';
import type { Absence } from '../../rules/engine.ts';
import { subject } from '../check/subject.ts';
import { addressLockoutModel } from './addressLockout/model.ts';

const now = 1_700_000_000_000;
const around = (edge: number) => fc.constantFrom(edge - 1, edge, edge + 1);
const reach = fc.constantFrom<AddressLockoutFacts['reach'][]>('public', 'private', 'loopback', 'linkLocal', 'shared');
const asked = fc.constantFrom<AddressLockoutFacts['asked'][]>('failure', 'failure', 'signIn', null);

const facts: fc.Arbitrary<AddressLockoutFacts> = fc.record({
  now: fc.constant(now),
  asked,
  reach: fc.oneof(fc.constant('public' as const), reach),
  since: fc.oneof(around(60_000), around(0)).map((age) => now - age),
  failures: fc.oneof(fc.constantFrom(0, 1), around(19)),
  refusedUntil: fc.oneof(fc.constant(0), around(now), around(now + 60_000)),
});

const wild = fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY));
const invalid: fc.Arbitrary<AddressLockoutFacts> = fc.record({
  now: wild,
  asked,
  reach,
  since: wild,
  failures: wild,
  refusedUntil: wild,
});

/** The documents on a refused address, as plain ifs. */
function documents(
  state: AddressLockoutState | Absence,
  seen: AddressLockoutFacts,
): AddressLockoutEvent['type'] | null {
  if (state === '(none)') return null;
  if (seen.now < seen.since || seen.refusedUntil - seen.now > 60_000) return 'clockSetBack';
  if (state === 'Refused') {
    if (seen.refusedUntil <= seen.now) return 'refusalEnded';
    if (seen.asked === null) return 'refusalEndAwaited';
    return seen.asked === 'signIn' ? 'refusedAtOnce' : 'failedMeanwhile';
  }
  if (seen.asked === null) return 'signInAwaited';
  if (seen.asked === 'signIn') return 'signInCame';
  if (['private', 'loopback', 'linkLocal', 'shared'].includes(seen.reach)) return 'unlimitedFailed';
  if (seen.failures < 1 || seen.now - seen.since >= 60_000) return 'failedFirst';
  return seen.failures >= 19 ? 'failedTwentieth' : 'failedAgain';
}

/** Failed sign-ins from one client address. */
export const lifecycle = subject({
  name: 'addressLockout',
  machine: addressLockout,
  rules: addressLockoutEvents,
  files: { machine: 'machines/addressLockout.ts', rules: 'rules/addressLockout.ts' },
  limits: {
    values: addressLockoutLimits,
    elsewhere: ['refusalMs'],
    rules: (values) => addressLockoutEventsWith({ ...addressLockoutLimits, ...values }),
  },
  provisional: false,
  facts,
  invalid,
  documents,
  model: addressLockoutModel,
});
