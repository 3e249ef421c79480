import type { ObjectStoreEvent, ObjectStoreState } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import { valueOf } from '../../support/facts.ts';
import { gaveUp, givenUp, hasCounted } from '../provision/documents.ts';
import { blockerIn } from './blockers.ts';

type Event = ObjectStoreEvent['type'];

/** What the documents say happened. */
export function documents(state: ObjectStoreState | '(none)', facts: ObjectStoreFacts): Event | null {
  const draft = facts.gate === 'Draft';
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'Deleting') return ends(facts);
  if (facts.deleted) return 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (draft) return 'gateClosed';
  return state === 'ProvisionFailed' ? givenUp(facts.retry) : inService(state, facts);
}

function ends({ usedBy, remains }: ObjectStoreFacts): Event {
  if (usedBy.length > 0) return 'useFound';
  return remains ? 'contentsRemain' : 'contentsRemoved';
}

function inService(state: 'Provisioning' | 'Ready', { gate, retry, around }: ObjectStoreFacts): Event {
  if (retry.event === 'redeployFound') return 'deployTakenUp';
  const stopped = gaveUp(retry);
  if (stopped !== null) return stopped;
  const blocker = blockerIn({ ...valueOf(around), gate });
  if (blocker === null) return state === 'Provisioning' ? 'provisioned' : 'restedReady';
  if (blocker.class === 'waiting') return 'waitFound';
  const isCounted = blocker.class === 'counted' && hasCounted(retry);
  return isCounted ? 'failureCounted' : 'failureRepeated';
}
