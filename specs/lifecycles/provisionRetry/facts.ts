import * as fc from 'fast-check';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import { closed } from '../../../rules/words.ts';
import { external } from '../../../rules/words.ts';

const now = 1_800_000_000_000;

const kinds = ['clusterMissing', 'nameInvalid', 'storageUnavailable'] as const;
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });

const outcome: fc.Arbitrary<PassOutcome> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<PassOutcome>({ is: 'succeeded' }) },
  {
    weight: 7,
    arbitrary: fc.record({
      is: fc.constant('failed' as const),
      counts: fc.constantFrom('waiting', 'permanent', 'counted', 'counted', 'counted', 'counted'),
      kind: fc.constantFrom(...kinds),
      says: fc.constantFrom(closed('Storage is unavailable'), closed('access denied')),
    }),
  },
);
const asked = fc.constantFrom(null, null, null, null, 'retry' as const);
const started = fc.constantFrom(null, now, now - 30_000, now - 179_999, now - 180_000, now - 180_001, now + 1, 0);
const lastFailure = fc.constantFrom(null, now - 30_001, now - 30_000, now - 29_999, now, now + 1, 0, null, 0);

/** Known facts at every boundary. */
export const facts: fc.Arbitrary<ProvisionRetryFacts> = fc.record({
  now: fc.constant(now),
  asked,
  deleted: mostly(false, true),
  generation: fc.constantFrom(3, 3, 3, 4),
  redeployed: mostly(false, true),
  rowOf: fc.constantFrom('oneKind', 'anyKind'),
  failures: fc.nat({ max: 6 }),
  startedAt: started,
  failedGeneration: fc.constant(3),
  lastFailureAt: lastFailure,
  countedKind: fc.constantFrom('', ...kinds),
  outcome: outcome.map(known),
});

const number = fc.constantFrom(Number.NaN, -1, 0, Infinity, 1e300);
const text = fc.oneof(fc.constantFrom('', 'DRAFT', '__proto__', 'constructor'), fc.string());

/** Invalid facts. */
export const invalid: fc.Arbitrary<ProvisionRetryFacts> = fc.record({
  now: number,
  asked,
  deleted: fc.boolean(),
  generation: number,
  redeployed: fc.boolean(),
  rowOf: fc.constantFrom('oneKind', 'anyKind'),
  failures: number,
  startedAt: fc.option(number),
  failedGeneration: number,
  lastFailureAt: fc.option(number),
  countedKind: text,
  outcome: fc.oneof(
    fc.constant(unasked),
    text.map(unknown),
    fc
      .record({
        is: fc.constant('failed' as const),
        counts: text.map((counts) => counts as 'counted'),
        kind: text,
        says: text.map((said) => external(said)),
      })
      .map(known),
  ),
});
