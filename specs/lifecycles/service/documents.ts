import type { ServiceEvent, ServiceState } from '../../../machines/names.ts';
import type { ServiceFacts, ServiceObserved } from '../../../rules/service/facts.ts';
import { valueOf } from '../../support/facts.ts';
import { gaveUp, givenUp, hasCounted } from '../provision/documents.ts';
import { forbidding, blockerIn } from './blockers.ts';

type Event = ServiceEvent['type'];

/** What the documents say happened. */
export function documents(state: ServiceState | '(none)', facts: ServiceFacts): Event | null {
  const draft = facts.gate === 'Draft';
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'Deleting') return valueOf(facts.remains) ? 'workloadRemains' : 'workloadDeleted';
  if (facts.deleted) return 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (draft) return 'gateClosed';
  return state === 'ProvisionFailed' ? givenUp(facts.retry) : inService(state, facts);
}

/** An image of a build goes on with the attempt of its deploy; any other deploy begins one. */
const takenUp = (state: string, { source, attemptOfDeploy }: ServiceObserved): Event =>
  state === 'Provisioning' && source === 'git' && attemptOfDeploy ? 'imageTakenUp' : 'deployTakenUp';

function unhindered(state: 'Provisioning' | 'Ready' | 'Asleep', pods: string): Event {
  if (pods === 'asleep') return state === 'Asleep' ? 'restedAsleep' : 'fellAsleep';
  return state === 'Provisioning' ? 'provisioned' : 'restedReady';
}

/** What failed in this pass has no event that ends it. */
const waitedFor = ({ failure }: Pick<ServiceObserved, 'failure'>): Event =>
  failure === null ? 'waitFound' : 'actAwaited';

function inService(state: 'Provisioning' | 'Ready' | 'Asleep', { gate, retry, around }: ServiceFacts): Event {
  if (retry.event === 'redeployFound') return takenUp(state, valueOf(around));
  const stopped = gaveUp(retry);
  if (stopped !== null) return stopped;
  const seen = { ...valueOf(around), gate };
  if (seen.workload !== 'current' && forbidding(seen) === null) return 'workloadDue';
  if (state === 'Asleep' && seen.pods !== 'asleep') return 'woken';
  const blocker = blockerIn(seen);
  const awaitsBuild = state === 'Provisioning' && seen.attempting && seen.build !== null && seen.build !== 'Succeeded';
  if (blocker === null) return awaitsBuild ? 'buildAwaited' : unhindered(state, seen.pods);
  if (blocker.class === 'waiting') return waitedFor(seen);
  const isCounted = blocker.class === 'counted' && hasCounted(retry);
  return isCounted ? 'failureCounted' : 'failureRepeated';
}
