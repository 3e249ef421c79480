import type { ServiceEvent, ServiceState } from '../../machines/names.ts';
import { verdictOfAttempt } from '../deploy/verdict.ts';
import { serviceWaits } from '../draftDeploy/gate.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import {
  createdRules,
  deployedAgainRules,
  deployTakenUp,
  gateRules,
  givingUpRules,
  blockerRules,
  requeue,
} from '../provision/events.ts';
import { closed, external, joined, open } from '../words.ts';
import type { ServiceFacts, ServiceObserved } from './facts.ts';
import { blockerIn, isBlocked } from './blockers.ts';

type State = ServiceState | Absence;
type Event = ServiceEvent['type'];

const rule = ruleFor<ServiceFacts, State, Event>();
const always = () => true;
const now = { afterMs: 0 };

const inService = ['Provisioning', 'Ready', 'Asleep'] as const;
const alive = ['Draft', ...inService, 'ProvisionFailed'] as const;
const around = ['around'] as const;

interface ServiceAround extends Pick<ServiceFacts, 'gate' | 'retry'> {
  readonly around: Known<ServiceObserved>;
}
/** Takes the observation out of the facts. */
export const seenIn = ({ gate, around: known }: ServiceAround) => ({ ...known.value, gate });
const blockerOf = (facts: ServiceAround) => blockerIn(seenIn(facts));
const blocker = {
  counts: (facts: ServiceAround) => blockerOf(facts)?.counts,
  says: (facts: ServiceAround) => blockerOf(facts)?.message(seenIn(facts)) ?? closed('it failed'),
};
/** Known here, because a rule above has already asked for the fact. */
const overwrittenIn = (facts: ServiceFacts['around']) => (facts.is === 'known' ? facts.value.contested : []);

const runsWell = { takenUp: true, ready: { status: 'True', reason: 'ServiceReady', message: '' } } as const;
/** Whether a deploy has succeeded once its workload runs, by its build. */
const isBuilt = ({ build: phase }: ServiceObserved): boolean =>
  verdictOfAttempt({ ...runsWell, build: phase && { phase, failureReason: '' } }) === 'succeeded';

/** The events of a service: deletion, the gate, deploys, what to apply, what blocks it, what remains to be done. */
export const serviceEvents: readonly EventRule<ServiceFacts, State, Event>[] = [
  ...createdRules(serviceWaits),

  rule({
    id: 'deleted',
    in: alive,
    when: ({ deleted }) => deleted,
    then: 'deletionSeen',
    says: () => open('deletion requested; deleting its workload'),
    look: now,
  }),
  ...gateRules(inService),
  ...deployedAgainRules,
  rule({
    id: 'image-taken-up',
    in: ['Provisioning'],
    needs: around,
    when: ({ retry, around: { value } }) =>
      retry.event === 'redeployFound' && value.source === 'git' && value.attemptOfDeploy,
    then: 'imageTakenUp',
    says: () => open('new image observed'),
    look: now,
  }),
  deployTakenUp(inService, () => open('new deploy or image observed')),
  ...givingUpRules(blocker, inService),
  // Precedes the blockers of what is already applied, because a changed spec has to replace failing pods.
  rule({
    id: 'workload-due',
    in: inService,
    needs: around,
    when: (facts) => facts.around.value.workload !== 'current' && !isBlocked(seenIn(facts)),
    then: 'workloadDue',
    says: () => open('workload applied'),
    look: requeue,
  }),
  // Precedes blockers of its start, so that the history shows the waking.
  rule({
    id: 'woken',
    in: ['Asleep'],
    needs: around,
    when: (facts) => facts.around.value.pods !== 'asleep',
    then: 'woken',
    says: () => open('request received; scaling up'),
    look: now,
  }),
  // No event reports when the API accepts what failed in this pass.
  rule({
    id: 'act-awaited',
    in: inService,
    needs: around,
    when: (facts) => facts.around.value.failure !== null && blockerOf(facts)?.counts === 'waiting',
    then: 'actAwaited',
    says: blocker.says,
    look: requeue,
  }),
  ...blockerRules(blocker, inService),
  rule({
    id: 'build-awaited',
    in: ['Provisioning'],
    needs: around,
    when: ({ around: { value } }) => value.attempting && !isBuilt(value),
    then: 'buildAwaited',
    says: () => open('what is there runs; the build of this deploy has not succeeded'),
  }),
  rule({
    id: 'fell-asleep',
    in: ['Provisioning', 'Ready'],
    needs: around,
    when: (facts) => facts.around.value.pods === 'asleep',
    then: 'fellAsleep',
    says: () => open('no traffic; scaled to zero until the next request'),
  }),
  rule({
    id: 'rests-asleep',
    in: ['Asleep'],
    when: always,
    then: 'restedAsleep',
    says: ({ around: known }) =>
      joined([open('scaled to zero until the next request'), ...overwrittenIn(known).map(external)], '; '),
  }),
  rule({
    id: 'provisioned',
    in: ['Provisioning'],
    when: always,
    then: 'provisioned',
    says: () => open('every copy of the newest revision runs'),
  }),
  rule({
    id: 'rests-ready',
    in: ['Ready'],
    when: always,
    then: 'restedReady',
    says: ({ around: known }) =>
      joined([open('everything runs as deployed'), ...overwrittenIn(known).map(external)], '; '),
  }),

  rule({
    id: 'workload-deleted',
    in: ['Deleting'],
    needs: ['remains'],
    when: ({ remains }) => !remains.value,
    then: 'workloadDeleted',
    says: () => open('all resources deleted'),
  }),
  rule({
    id: 'workload-remains',
    in: ['Deleting'],
    when: always,
    then: 'workloadRemains',
    says: () => open('waiting for workload deletion'),
    look: requeue,
  }),
];
