import type { ProvisionRetryEvent, ProvisionRetryState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import { isWithin } from '../time.ts';
import type { Counts } from '../verdict.ts';
import type { PassOutcome, ProvisionRetryFacts } from './facts.ts';
import { closed, nothing, sentence, toViewers } from '../words.ts';
import { provisioningFailed, retrying } from './messages.ts';

/**
 * The limits after which counted failures end in giving up, and the time after a counted failure in which the next one
 * does not count.
 */
export const provisionRetryLimits = { failuresInARow: 5, lastingMs: 180_000, countsAgainMs: 30_000 } as const;
type Limits = Readonly<Record<keyof typeof provisionRetryLimits, number>>;

type Tried = Omit<ProvisionRetryFacts, 'outcome'> & { readonly outcome: Known<PassOutcome> };

const rule = ruleFor<ProvisionRetryFacts, ProvisionRetryState, ProvisionRetryEvent['type']>();
const always = () => true;
const retry = { afterMs: 30_000 };
const now = { afterMs: 0 };
const trying = ['Clean', 'Counting'] as const;
const outcome = ['outcome'] as const;

const failed = (as: Counts, { outcome: { value } }: Tried) => value.is === 'failed' && value.counts === as;
const kindOf = ({ outcome: { value } }: Tried) => (value.is === 'failed' ? value.kind : '');
const failureMessage = ({ outcome: { value } }: Tried) => (value.is === 'failed' ? value.says : nothing);
const ofAnotherRow = (facts: Tried) =>
  facts.generation !== facts.failedGeneration || (facts.rowOf === 'oneKind' && kindOf(facts) !== facts.countedKind);

/** The events of the run of failures, in the order evaluated. */
export const provisionRetryEventsWith = (limits: Limits) =>
  [
    rule({
      id: 'deleted',
      in: ['Clean', 'Counting', 'ProvisionFailed'],
      when: ({ deleted }) => deleted,
      then: 'deletionFound',
      says: () => closed('being deleted: nothing is tried, so nothing counts'),
    }),
    rule({
      id: 'redeploy-found',
      in: ['Clean', 'Counting', 'ProvisionFailed'],
      when: ({ redeployed }) => redeployed,
      then: 'redeployFound',
      says: () => closed('deployed; retrying'),
      look: now,
    }),
    rule({
      id: 'succeeded',
      in: ['Counting'],
      needs: outcome,
      when: (facts) => facts.outcome.value.is === 'succeeded',
      then: 'passSucceeded',
      says: () => closed('everything is in place; the row of failures is over'),
    }),
    rule({
      id: 'waited',
      in: trying,
      needs: outcome,
      when: (facts) => failed('waiting', facts),
      then: 'waited',
      says: (facts) => sentence('{text}; waited for, not counted', { text: failureMessage(facts) }),
    }),
    rule({
      id: 'permanent-error',
      in: trying,
      needs: outcome,
      when: (facts) => failed('permanent', facts),
      then: 'permanentlyFailed',
      says: (facts) => sentence('{text}; retrying will not help', { text: failureMessage(facts) }),
    }),
    // A watch may trigger five passes within a second, and the run of failures has to last longer.
    rule({
      id: 'failed-too-soon',
      in: trying,
      needs: outcome,
      when: (facts) =>
        failed('counted', facts) &&
        facts.lastFailureAt !== null &&
        isWithin(facts.now, facts.lastFailureAt, limits.countsAgainMs),
      then: 'failureRepeated',
      says: (facts) =>
        sentence('{text}; less than {countsAgainMs} s after the failure counted last', {
          text: failureMessage(facts),
          countsAgainMs: toViewers(limits.countsAgainMs / 1_000),
        }),
      look: { at: 'countsAgain', moment: ({ lastFailureAt }) => (lastFailureAt ?? 0) + limits.countsAgainMs },
    }),
    rule({
      id: 'first-failure',
      in: ['Clean'],
      needs: outcome,
      when: (facts) => failed('counted', facts),
      then: 'rowBegan',
      says: (facts) =>
        sentence('{text}; failure 1 of {failuresInARow}', {
          text: failureMessage(facts),
          failuresInARow: toViewers(limits.failuresInARow),
        }),
      look: retry,
    }),
    // From here on in Counting, every failure counts.
    rule({
      id: 'row-of-another',
      in: ['Counting'],
      needs: outcome,
      when: ofAnotherRow,
      then: 'rowBegan',
      says: (facts) =>
        sentence('{text}; failure 1 of {failuresInARow}, of another row than the one before', {
          text: failureMessage(facts),
          failuresInARow: toViewers(limits.failuresInARow),
        }),
      look: retry,
    }),
    rule({
      id: 'fifth-failure',
      in: ['Counting'],
      needs: outcome,
      when: ({ failures }) => failures + 1 >= limits.failuresInARow,
      then: 'limitReached',
      says: (facts) =>
        sentence('{text}; failure {failuresInARow} in a row', {
          text: failureMessage(facts),
          failuresInARow: toViewers(limits.failuresInARow),
        }),
    }),
    rule({
      id: 'lasted-too-long',
      in: ['Counting'],
      needs: outcome,
      when: ({ now: at, startedAt }) => startedAt !== null && at - startedAt >= limits.lastingMs,
      then: 'timeRanOut',
      says: (facts) =>
        sentence('{text}; failing for {lastingMs} minutes', {
          text: failureMessage(facts),
          lastingMs: toViewers(limits.lastingMs / 60_000),
        }),
    }),
    rule({
      id: 'one-more-failure',
      in: ['Counting'],
      needs: outcome,
      when: always,
      then: 'failureCounted',
      says: (facts) =>
        sentence('{text}; failure {failures} of {failuresInARow}', {
          text: failureMessage(facts),
          failures: toViewers(facts.failures + 1),
          failuresInARow: toViewers(limits.failuresInARow),
        }),
      look: retry,
    }),

    rule({
      id: 'generation-changed',
      in: ['ProvisionFailed'],
      when: ({ generation, failedGeneration }) => generation !== failedGeneration,
      then: 'generationChanged',
      says: () => closed('settings changed; retrying'),
      look: now,
    }),
    rule({
      id: 'retry-asked',
      in: ['ProvisionFailed'],
      answers: ['retry'],
      when: ({ deleted }) => !deleted,
      then: 'retryAsked',
      says: () => retrying,
      look: now,
    }),
    rule({
      id: 'stays-failed',
      in: ['ProvisionFailed'],
      when: always,
      then: 'stayedFailed',
      says: () => provisioningFailed,
    }),
  ] satisfies readonly EventRule<ProvisionRetryFacts, ProvisionRetryState, ProvisionRetryEvent['type']>[];
export const provisionRetryEvents = provisionRetryEventsWith(provisionRetryLimits);
