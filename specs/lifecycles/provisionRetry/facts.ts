import * as fc from 'fast-check';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';

const now = 1_800_000_000_000;

/** Every kind of failure the documents name, and some that they do not. */
const kinds = [
  'draft',
  'podsStarting',
  'chartInstalling',
  'storageStarting',
  'managedDbStarting',
  'administratorLoginAwaited',
  'databaseBeingCreated',
  'serverNotReady',
  'serverUnavailable',
  'clusterNotReady',
  'clusterChanged',
  'environmentDoubled',
  'engineUnsupported',
  'accessDenied',
  'credentialInvalid',
  'configurationInvalid',
  'creationJobFailed',
  'clusterMissing',
  'nameInvalid',
  'regionMismatched',
  'storageUnavailable',
] as const;
const counted = ['clusterMissing', 'nameInvalid', 'regionMismatched', 'storageUnavailable'] as const;

const failed = (kind: fc.Arbitrary<string>): fc.Arbitrary<PassOutcome> =>
  kind.map((each) => ({ is: 'failed', kind: each, text: `it is ${each}` }));
const outcome: fc.Arbitrary<PassOutcome> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<PassOutcome>({ is: 'succeeded' }) },
  { weight: 3, arbitrary: failed(fc.constantFrom(...kinds)) },
  { weight: 4, arbitrary: failed(fc.constantFrom(...counted)) },
);
const asked = fc.constantFrom(null, null, null, null, 'deploy' as const, 'retry' as const);
const started = fc.constantFrom(null, now, now - 30_000, now - 179_999, now - 180_000, now - 180_001, now + 1, 0);

/** Facts that are all known, at every edge. */
export const facts: fc.Arbitrary<ProvisionRetryFacts> = fc.record({
  now: fc.constant(now),
  asked,
  generation: fc.constantFrom(3, 3, 3, 4),
  rowOf: fc.constantFrom('oneKind', 'anyKind'),
  failures: fc.nat({ max: 6 }),
  startedAt: started,
  failedGeneration: fc.constant(3),
  countedKind: fc.constantFrom('', ...counted),
  outcome: outcome.map(known),
});

const number = fc.constantFrom(Number.NaN, -1, 0, Infinity, 1e300);
const text = fc.oneof(fc.constantFrom('', 'DRAFT', '__proto__', 'constructor'), fc.string());

/** Facts nobody should send. */
export const hostile: fc.Arbitrary<ProvisionRetryFacts> = fc.record({
  now: number,
  asked,
  generation: number,
  rowOf: fc.constantFrom('oneKind', 'anyKind'),
  failures: number,
  startedAt: fc.option(number),
  failedGeneration: number,
  countedKind: text,
  outcome: fc.oneof(
    fc.constant(unasked),
    text.map(unknown),
    fc.record({ is: fc.constant('failed' as const), kind: text, text }).map(known),
  ),
});
