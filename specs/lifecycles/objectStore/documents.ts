import type { ObjectStoreEvent, ObjectStoreState } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import { hindranceIn } from './hindrances.ts';

type Event = ObjectStoreEvent['type'];

/** What the documents say happened. */
export function documents(state: ObjectStoreState | '(none)', facts: ObjectStoreFacts): Event | null {
  const draft = facts.gate === 'Draft';
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'Deleting') return ends(facts);
  if (facts.deleted) return 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (draft) return 'gateClosed';
  return state === 'ProvisionFailed' ? givenUp(facts) : inService(state, facts);
}

function ends({ usedBy, remains }: ObjectStoreFacts): Event {
  if (usedBy.length > 0) return 'useFound';
  return remains ? 'contentsRemain' : 'contentsRemoved';
}

/** What the counted-failure rule came to in this pass, by its event. */
const gaveUp: Readonly<Record<string, Event>> = {
  timeRanOut: 'failureTimeExhausted',
  permanentlyFailed: 'permanentErrorFound',
  limitReached: 'failuresExhausted',
};

/** The controller stopped, until the counted-failure rule begins anew. */
function givenUp({ retry: { state, event } }: ObjectStoreFacts): Event {
  if (state === 'ProvisionFailed') return gaveUp[event ?? ''] === undefined ? 'failureStood' : 'retryAsked';
  if (event === 'generationChanged') return 'specChanged';
  return event === 'redeployFound' ? 'redeployAsked' : 'retryAsked';
}

function inService(state: 'Provisioning' | 'Ready', { gate, retry, around }: ObjectStoreFacts): Event {
  if (retry.event === 'redeployFound') return 'deployTakenUp';
  if (retry.state === 'ProvisionFailed') return gaveUp[retry.event ?? ''] ?? 'givenUpFound';
  if (around.is !== 'known') throw new Error('only known facts are judged here');
  const hindrance = hindranceIn({ ...around.value, gate });
  if (hindrance === null) return state === 'Provisioning' ? 'provisioned' : 'restedReady';
  if (hindrance.class === 'waiting') return 'waitFound';
  const isCounted = hindrance.class === 'counted' && ['rowBegan', 'failureCounted'].includes(retry.event ?? '');
  return isCounted ? 'failureCounted' : 'failureRepeated';
}
