import type { ProvisionRetryEvent, ProvisionRetryState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';

/** "Messages of waiting (not counted as failures)", and the temporary errors of a project. */
const waitedFor = new Set(
  [
    'draft podsStarting chartInstalling storageStarting managedDbStarting administratorLoginAwaited',
    'databaseBeingCreated serverNotReady serverUnavailable',
    'clusterNotReady clusterChanged environmentDoubled',
  ].flatMap((line) => line.split(' ')),
);
/** "At once for a permanent error", and a failed create Job. */
const atOnce = ['engineUnsupported', 'accessDenied', 'credentialInvalid', 'configurationInvalid', 'creationJobFailed'];

type Event = ProvisionRetryEvent['type'];

/** Only what was given up is tried again when somebody asks. */
function answered(state: ProvisionRetryState | Absence, asked: 'deploy' | 'retry'): Event | null {
  if (state !== 'ProvisionFailed') return null;
  return asked === 'deploy' ? 'redeployAsked' : 'retryAsked';
}

/** The counted-failure rule as the documents tell it. */
export const documents = (state: ProvisionRetryState | Absence, facts: ProvisionRetryFacts): Event | null =>
  facts.asked === null ? happened(state, facts) : answered(state, facts.asked);

function happened(state: ProvisionRetryState | Absence, facts: ProvisionRetryFacts): Event | null {
  const { now, generation, failedGeneration, failures, startedAt } = facts;
  if (state === 'ProvisionFailed') return generation === failedGeneration ? 'stayedFailed' : 'generationChanged';
  if (facts.outcome.is !== 'known') return null;
  const outcome = facts.outcome.value;
  if (outcome.is === 'succeeded') return state === 'Counting' ? 'passSucceeded' : null;
  if (waitedFor.has(outcome.kind)) return 'waited';
  if (atOnce.includes(outcome.kind)) return 'permanentlyFailed';
  if (state === 'Clean') return 'rowBegan';
  const goesOn = generation === failedGeneration && (facts.rowOf === 'anyKind' || outcome.kind === facts.countedKind);
  if (!goesOn) return 'rowBegan';
  if (failures >= 4) return 'limitReached';
  const failingFor = startedAt === null ? 0 : now - startedAt;
  return failingFor < 180_000 ? 'failureCounted' : 'timeRanOut';
}
