import type { ServiceEvent, ServiceState } from '../../machines/names.ts';
import { serviceWaits } from '../draftDeploy/gate.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import { retrying } from '../provisionRetry/says.ts';
import { closed, foreign, joined, open, sentence } from '../words.ts';
import type { ServiceFacts, ServiceSurroundings } from './facts.ts';
import { hindranceIn, isBlocked } from './hindrance.ts';

type State = ServiceState | Absence;
type Event = ServiceEvent['type'];

const rule = ruleFor<ServiceFacts, State, Event>();
const always = () => true;
const now = { afterMs: 0 };
const recheck = { afterMs: 30_000 };

const alive = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed'] as const;
const deployed = ['Provisioning', 'Ready'] as const;
const around = ['around'] as const;

interface Around extends Pick<ServiceFacts, 'gate' | 'retry'> {
  readonly around: Known<ServiceSurroundings>;
}
const seenOf = ({ gate, around: known }: Around) => ({ ...known.value, gate });
const hindranceOf = (facts: Around) => hindranceIn(seenOf(facts));
const hindranceSays = (facts: Around) => hindranceOf(facts)?.message(seenOf(facts)) ?? closed('it failed');
/** Known here, because a rule above has already asked for the fact. */
const contestedIn = (facts: ServiceFacts['around']) => (facts.is === 'known' ? facts.value.contested : []);

const isDraft = ({ gate }: Pick<ServiceFacts, 'gate'>) => gate === 'Draft';
type Retried = Pick<ServiceFacts, 'retry'>;
const isGivenUp = ({ retry }: Retried) => retry.state === 'ProvisionFailed';
const gaveUpBy =
  (...events: readonly string[]) =>
  (facts: Retried) =>
    isGivenUp(facts) && facts.retry.event !== null && events.includes(facts.retry.event);
/** Whether the attempt ended in this very pass, after a try. */
const gaveUpNow = gaveUpBy('limitReached', 'timeRanOut', 'permanentlyFailed');
const counts = (facts: Around) =>
  hindranceOf(facts)?.counts === 'counted' &&
  (facts.retry.event === 'rowBegan' || facts.retry.event === 'failureCounted');

/** The events of a service: deletion, the gate, deploys, what to apply, what blocks it, what is still to be done. */
export const serviceEvents: readonly EventRule<ServiceFacts, State, Event>[] = [
  rule({ id: 'created-draft', in: ['(none)'], when: isDraft, then: 'createdAsDraft', says: () => serviceWaits }),
  rule({
    id: 'created-open',
    in: ['(none)'],
    when: always,
    then: 'createdOpen',
    says: () => open('created with the gate open: it is provisioned'),
    look: now,
  }),

  rule({
    id: 'deleted',
    in: alive,
    when: ({ deleted }) => deleted,
    then: 'deletionSeen',
    says: () => open('deleted: what runs of it is deleted'),
    look: now,
  }),
  rule({
    id: 'gate-closed',
    in: ['Provisioning', 'Ready', 'ProvisionFailed'],
    when: isDraft,
    then: 'gateClosed',
    says: () => open('a draft again: what ran of it is deleted'),
  }),
  rule({
    id: 'gate-opened',
    in: ['Draft'],
    when: (facts) => !isDraft(facts),
    then: 'gateOpened',
    says: () => open('the deploy gate was opened'),
    look: now,
  }),

  rule({
    id: 'spec-changed',
    in: ['ProvisionFailed'],
    when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'generationChanged',
    then: 'specChanged',
    says: () => open('the spec changed: it is tried again'),
    look: now,
  }),
  rule({
    id: 'redeploy-asked',
    in: ['ProvisionFailed'],
    when: ({ retry }) => retry.state !== 'ProvisionFailed' && retry.event === 'redeployFound',
    then: 'redeployAsked',
    says: () => open('deployed again, or built anew: it is tried again'),
    look: now,
  }),
  // Retry was answered between two passes, so this pass has no event for it and may fail permanently again.
  rule({
    id: 'retry-asked',
    in: ['ProvisionFailed'],
    when: (facts) => !isGivenUp(facts) || gaveUpNow(facts),
    then: 'retryAsked',
    says: () => retrying,
    look: now,
  }),
  rule({
    id: 'failure-stands',
    in: ['ProvisionFailed'],
    when: always,
    then: 'failureStood',
    says: () => open('given up; a changed spec, a redeploy or Retry starts it again'),
  }),

  rule({
    id: 'deploy-taken-up',
    in: deployed,
    when: ({ retry }) => retry.event === 'redeployFound',
    then: 'deployTakenUp',
    says: () => open('a new deploy, or a new image, is taken up'),
    look: now,
  }),

  // A service that was given up is left alone, and its reason is recorded.
  rule({
    id: 'failure-time-exhausted',
    in: deployed,
    needs: around,
    when: gaveUpBy('timeRanOut'),
    then: 'failureTimeExhausted',
    says: () => open('counted failures for 3 minutes: given up'),
  }),
  rule({
    id: 'permanent-error',
    in: deployed,
    needs: around,
    when: gaveUpBy('permanentlyFailed'),
    then: 'permanentErrorFound',
    says: hindranceSays,
  }),
  rule({
    id: 'failures-exhausted',
    in: deployed,
    needs: around,
    when: gaveUpBy('limitReached'),
    then: 'failuresExhausted',
    says: () => open('five counted failures in a row: given up'),
  }),
  rule({
    id: 'given-up-found',
    in: deployed,
    needs: around,
    when: isGivenUp,
    then: 'givenUpFound',
    says: () => open('given up already'),
  }),
  // Precedes the hindrances of what is already applied, because a changed spec has to replace failing pods.
  rule({
    id: 'workload-due',
    in: deployed,
    needs: around,
    when: (facts) => facts.around.value.workload !== 'current' && !isBlocked(seenOf(facts)),
    then: 'workloadDue',
    says: () => open('what it runs on was applied'),
    look: recheck,
  }),
  rule({
    id: 'failure-counted',
    in: deployed,
    needs: around,
    when: counts,
    then: 'failureCounted',
    says: hindranceSays,
    look: recheck,
  }),
  rule({
    id: 'waiting',
    in: deployed,
    needs: around,
    when: (facts) => hindranceOf(facts)?.counts === 'waiting',
    then: 'waitFound',
    says: hindranceSays,
    look: recheck,
  }),
  rule({
    id: 'failure-repeated',
    in: deployed,
    needs: around,
    when: (facts) => hindranceOf(facts) !== undefined,
    then: 'failureRepeated',
    says: (facts) => sentence('{hindrance}; not counted in this pass', { hindrance: hindranceSays(facts) }),
    look: recheck,
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
      joined([open('everything runs as deployed'), ...contestedIn(known).map(foreign)], '; '),
  }),

  rule({
    id: 'workload-deleted',
    in: ['Deleting'],
    needs: ['remains'],
    when: ({ remains }) => !remains.value,
    then: 'workloadDeleted',
    says: () => open('nothing is left of it'),
  }),
  rule({
    id: 'workload-remains',
    in: ['Deleting'],
    when: always,
    then: 'workloadRemains',
    says: () => open('what ran of it is still being deleted'),
    look: recheck,
  }),
];
