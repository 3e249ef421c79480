import type { ServiceEvent, ServiceState } from '../../../machines/names.ts';
import type { Fact } from '../../../rules/fact.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import { forbidding, hindranceIn } from './hindrances.ts';

type Event = ServiceEvent['type'];

function valueOf<T>(fact: Fact<T>): T {
  if (fact.is !== 'known') throw new Error('only known facts are judged here');
  return fact.value;
}

/** What the documents say happened. */
export function documents(state: ServiceState | '(none)', facts: ServiceFacts): Event | null {
  const draft = facts.gate === 'Draft';
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'Deleting') return valueOf(facts.remains) ? 'workloadRemains' : 'workloadDeleted';
  if (facts.deleted) return 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (draft) return 'gateClosed';
  return state === 'ProvisionFailed' ? givenUp(facts) : inService(state, facts);
}

/** What the counted-failure rule came to in this pass, by its event. */
const gaveUp: Readonly<Record<string, Event>> = {
  timeRanOut: 'failureTimeExhausted',
  permanentlyFailed: 'permanentErrorFound',
  limitReached: 'failuresExhausted',
};

/** The controller stopped, until the counted-failure rule begins anew. */
function givenUp({ retry: { state, event } }: ServiceFacts): Event {
  if (state === 'ProvisionFailed') return gaveUp[event ?? ''] === undefined ? 'failureStood' : 'retryAsked';
  if (event === 'generationChanged') return 'specChanged';
  return event === 'redeployFound' ? 'redeployAsked' : 'retryAsked';
}

function unhindered(state: 'Provisioning' | 'Ready' | 'Asleep', pods: string): Event {
  if (pods === 'asleep') return state === 'Asleep' ? 'restedAsleep' : 'fellAsleep';
  return state === 'Provisioning' ? 'provisioned' : 'restedReady';
}

function inService(state: 'Provisioning' | 'Ready' | 'Asleep', { gate, retry, around }: ServiceFacts): Event {
  if (retry.event === 'redeployFound') return 'deployTakenUp';
  if (retry.state === 'ProvisionFailed') return gaveUp[retry.event ?? ''] ?? 'givenUpFound';
  const seen = { ...valueOf(around), gate };
  if (seen.workload !== 'current' && forbidding(seen) === null) return 'workloadDue';
  if (state === 'Asleep' && seen.pods !== 'asleep') return 'woken';
  const hindrance = hindranceIn(seen);
  if (hindrance === null) return unhindered(state, seen.pods);
  if (hindrance.class === 'waiting') return 'waitFound';
  const isCounted = hindrance.class === 'counted' && ['rowBegan', 'failureCounted'].includes(retry.event ?? '');
  return isCounted ? 'failureCounted' : 'failureRepeated';
}
