import type { ProvisionRetryEvent, ProvisionRetryState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';

type Event = ProvisionRetryEvent['type'];
type Place = ProvisionRetryState | Absence;

/** The counted-failure rule of the documents; a retry restarts only what was given up and still exists. */
export function documents(state: Place, facts: ProvisionRetryFacts): Event | null {
  const givenUp = state === 'ProvisionFailed';
  if (facts.asked !== null) return givenUp && !facts.deleted ? 'retryAsked' : null;
  if (state === '(none)') return null;
  if (facts.deleted) return 'deletionFound';
  if (facts.redeployed) return 'redeployFound';
  if (givenUp) return facts.generation === facts.failedGeneration ? 'stayedFailed' : 'generationChanged';
  return facts.outcome.is === 'known' ? tried(state, facts, facts.outcome.value) : null;
}

function tried(state: Place, facts: ProvisionRetryFacts, outcome: PassOutcome): Event | null {
  if (outcome.is === 'succeeded') return state === 'Counting' ? 'passSucceeded' : null;
  if (outcome.counts === 'waiting') return 'waited';
  return outcome.counts === 'permanent' ? 'permanentlyFailed' : counted(state, facts, outcome.kind);
}

function counted(state: Place, facts: ProvisionRetryFacts, kind: string): Event {
  const { now, generation, failedGeneration, failures, startedAt, lastFailureAt } = facts;
  const since = lastFailureAt === null ? null : now - lastFailureAt;
  if (since !== null && since >= 0 && since < 30_000) return 'failureRepeated';
  if (state === 'Clean') return 'rowBegan';
  const goesOn = generation === failedGeneration && (facts.rowOf === 'anyKind' || kind === facts.countedKind);
  if (!goesOn) return 'rowBegan';
  if (failures >= 4) return 'limitReached';
  const failingFor = startedAt === null ? 0 : now - startedAt;
  return failingFor < 180_000 ? 'failureCounted' : 'timeRanOut';
}
