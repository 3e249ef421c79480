import type { ProvisionRetryEvent, ProvisionRetryState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import { isWithin } from '../time.ts';
import type { Counts } from '../verdict.ts';
import type { PassOutcome, ProvisionRetryFacts } from './facts.ts';

/** When a row of counted failures is given up, and how long the next failure after a counted one does not count. */
export const provisionRetryLimits = { failuresInARow: 5, lastingMs: 180_000, countsAgainMs: 30_000 } as const;
type Limits = Readonly<Record<keyof typeof provisionRetryLimits, number>>;

/** What Ready says of a resource that was given up. */
export const provisioningFailed =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';

type Tried = Omit<ProvisionRetryFacts, 'outcome'> & { readonly outcome: Known<PassOutcome> };

const rule = ruleFor<ProvisionRetryFacts, ProvisionRetryState, ProvisionRetryEvent['type']>();
const always = () => true;
const retry = { afterMs: 30_000 };
const now = { afterMs: 0 };
const trying = ['Clean', 'Counting'] as const;
const outcome = ['outcome'] as const;

const failed = (as: Counts, { outcome: { value } }: Tried) => value.is === 'failed' && value.counts === as;
const kindOf = ({ outcome: { value } }: Tried) => (value.is === 'failed' ? value.kind : '');
const textOf = ({ outcome: { value } }: Tried) => (value.is === 'failed' ? value.text : '');
const ofAnotherRow = (facts: Tried) =>
  facts.generation !== facts.failedGeneration || (facts.rowOf === 'oneKind' && kindOf(facts) !== facts.countedKind);

/** What happened to the row of failures, in the order tried. */
export const provisionRetryEventsWith = (
  limits: Limits,
): readonly EventRule<ProvisionRetryFacts, ProvisionRetryState, ProvisionRetryEvent['type']>[] => [
  rule({
    id: 'deleted',
    in: ['Clean', 'Counting', 'ProvisionFailed'],
    when: ({ deleted }) => deleted,
    then: 'deletionFound',
    says: () => 'being deleted: nothing is tried, so nothing counts',
  }),
  rule({
    id: 'redeploy-found',
    in: ['Clean', 'Counting', 'ProvisionFailed'],
    when: ({ redeployed }) => redeployed,
    then: 'redeployFound',
    says: () => 'deployed; it is tried anew',
    look: now,
  }),
  rule({
    id: 'succeeded',
    in: ['Counting'],
    needs: outcome,
    when: (facts) => facts.outcome.value.is === 'succeeded',
    then: 'passSucceeded',
    says: () => 'everything is in place; the row of failures is over',
  }),
  rule({
    id: 'waited',
    in: trying,
    needs: outcome,
    when: (facts) => failed('waiting', facts),
    then: 'waited',
    says: (facts) => `${textOf(facts)}; waited for, not counted`,
    look: retry,
  }),
  rule({
    id: 'permanent-error',
    in: trying,
    needs: outcome,
    when: (facts) => failed('permanent', facts),
    then: 'permanentlyFailed',
    says: (facts) => `${textOf(facts)}; trying again cannot mend it`,
  }),
  // A watch may wake five passes within a second, and the row is to last.
  rule({
    id: 'failed-too-soon',
    in: trying,
    needs: outcome,
    when: (facts) =>
      failed('counted', facts) &&
      facts.lastFailureAt !== null &&
      isWithin(facts.now, facts.lastFailureAt, limits.countsAgainMs),
    then: 'failureRepeated',
    says: (facts) => `${textOf(facts)}; less than ${limits.countsAgainMs / 1_000} s after the failure counted last`,
    look: { at: 'countsAgain', moment: ({ lastFailureAt }) => (lastFailureAt ?? 0) + limits.countsAgainMs },
  }),
  rule({
    id: 'first-failure',
    in: ['Clean'],
    needs: outcome,
    when: (facts) => failed('counted', facts),
    then: 'rowBegan',
    says: (facts) => `${textOf(facts)}; failure 1 of ${limits.failuresInARow}`,
    look: retry,
  }),
  // From here on in Counting, every failure is one that counts now.
  rule({
    id: 'row-of-another',
    in: ['Counting'],
    needs: outcome,
    when: ofAnotherRow,
    then: 'rowBegan',
    says: (facts) => `${textOf(facts)}; failure 1 of ${limits.failuresInARow}, of another row than the one before`,
    look: retry,
  }),
  rule({
    id: 'fifth-failure',
    in: ['Counting'],
    needs: outcome,
    when: ({ failures }) => failures + 1 >= limits.failuresInARow,
    then: 'limitReached',
    says: (facts) => `${textOf(facts)}; failure ${limits.failuresInARow} in a row`,
  }),
  rule({
    id: 'lasted-too-long',
    in: ['Counting'],
    needs: outcome,
    when: ({ now: at, startedAt }) => startedAt !== null && at - startedAt >= limits.lastingMs,
    then: 'timeRanOut',
    says: (facts) => `${textOf(facts)}; failing for ${limits.lastingMs / 60_000} minutes`,
  }),
  rule({
    id: 'one-more-failure',
    in: ['Counting'],
    needs: outcome,
    when: always,
    then: 'failureCounted',
    says: (facts) => `${textOf(facts)}; failure ${facts.failures + 1} of ${limits.failuresInARow}`,
    look: retry,
  }),

  rule({
    id: 'generation-changed',
    in: ['ProvisionFailed'],
    when: ({ generation, failedGeneration }) => generation !== failedGeneration,
    then: 'generationChanged',
    says: () => 'the settings were changed; provisioning is tried again',
    look: now,
  }),
  rule({
    id: 'retry-asked',
    in: ['ProvisionFailed'],
    answers: ['retry'],
    when: ({ deleted }) => !deleted,
    then: 'retryAsked',
    says: () => 'Retrying provisioning',
    look: now,
  }),
  rule({
    id: 'stays-failed',
    in: ['ProvisionFailed'],
    when: always,
    then: 'stayedFailed',
    says: () => provisioningFailed,
  }),
];
export const provisionRetryEvents = provisionRetryEventsWith(provisionRetryLimits);
