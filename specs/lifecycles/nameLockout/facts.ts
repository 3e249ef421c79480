import * as fc from 'fast-check';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import type { NameLockoutFacts } from '../../../rules/nameLockout/facts.ts';

const now = 1_700_000_000_000;
const around = (edge: number) => fc.constantFrom(edge - 1, edge, edge + 1);

const record = fc.record({
  since: fc.oneof(around(60_000), around(0)).map((age) => now - age),
  failures: fc.constantFrom(0, 1, 3, 4, 5),
  lockedUntil: fc.oneof(fc.constant(0), around(now), around(now + 60_000)),
});

/** Every boundary of a name's minute, of its lock and of the kept records. */
export const nameLockoutFacts: fc.Arbitrary<NameLockoutFacts> = fc.record({
  now: fc.constant(now),
  asked: fc.constantFrom<NameLockoutFacts['asked']>('signIn', 'signIn', 'signIn', null),
  configured: fc.constantFrom(true, true, true, false),
  record,
  otherRecords: fc.oneof(fc.constant(0), around(256)),
  passwordRight: fc.constantFrom(false, false, true).map(known),
});

const wild = fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.NEGATIVE_INFINITY));

/** Invalid facts, and a hash that was not or could not be computed. */
export const invalidNameLockoutFacts: fc.Arbitrary<NameLockoutFacts> = fc.record({
  now: wild,
  asked: fc.constantFrom<NameLockoutFacts['asked']>('signIn', null),
  configured: fc.boolean(),
  record: fc.record({ since: wild, failures: wild, lockedUntil: wild }),
  otherRecords: wild,
  passwordRight: fc.oneof<fc.Arbitrary<Fact<boolean>>[]>(
    fc.boolean().map(known),
    fc.constant(unasked),
    fc.string().map(unknown),
  ),
});
