import type { ObjectStoreEvent, ObjectStoreState } from '../../machines/names.ts';
import { resourceWaits } from '../draftDeploy/gate.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import {
  createdRules,
  deployedAgainRules,
  deployedStates,
  deployTakenUp,
  gateRules,
  givingUpRules,
  blockerRules,
  requeue,
} from '../provision/events.ts';
import { closed, hidden, open, sentence } from '../words.ts';
import type { ObjectStoreFacts, ObjectStoreObserved } from './facts.ts';
import { objectStoreBlocker } from './blockers.ts';

type State = ObjectStoreState | Absence;
type Event = ObjectStoreEvent['type'];

const rule = ruleFor<ObjectStoreFacts, State, Event>();
const always = () => true;
const now = { afterMs: 0 };
const alive = ['Draft', ...deployedStates, 'ProvisionFailed'] as const;

interface ObjectStoreAround extends Pick<ObjectStoreFacts, 'gate' | 'retry'> {
  readonly around: Known<ObjectStoreObserved>;
}
/** Takes the observation out of the facts. */
export const seenIn = ({ gate, around: known }: ObjectStoreAround) => ({ ...known.value, gate });
const blockerOf = (facts: ObjectStoreAround) => objectStoreBlocker(seenIn(facts));
const blocker = {
  counts: (facts: ObjectStoreAround) => blockerOf(facts)?.counts,
  says: (facts: ObjectStoreAround) => blockerOf(facts)?.message(seenIn(facts)) ?? closed('it failed'),
};

/** The events of an object store: deletion, the gate, deploys, blockers, what remains to be created. */
export const objectStoreEvents: readonly EventRule<ObjectStoreFacts, State, Event>[] = [
  ...createdRules(resourceWaits),

  rule({
    id: 'deleted',
    in: alive,
    when: ({ deleted }) => deleted,
    then: 'deletionSeen',
    says: () => open('deletion requested; deleting its resources'),
    look: now,
  }),
  ...gateRules(deployedStates),
  ...deployedAgainRules,
  deployTakenUp(deployedStates, () => open('new deploy observed')),
  ...givingUpRules(blocker, deployedStates),
  ...blockerRules(blocker, deployedStates),
  rule({
    id: 'provisioned',
    in: ['Provisioning'],
    when: always,
    then: 'provisioned',
    says: () => open('bucket is ready'),
  }),
  rule({
    id: 'rests-ready',
    in: ['Ready'],
    when: always,
    then: 'restedReady',
    says: () => open('everything is as deployed'),
  }),

  // Deleting a server deletes the contents of its buckets.
  rule({
    id: 'in-use',
    in: ['Deleting'],
    when: ({ usedBy }) => usedBy.length > 0,
    then: 'useFound',
    says: ({ usedBy }) => sentence('kept while buckets use it: {buckets}', { buckets: hidden(usedBy.join(', ')) }),
  }),
  rule({
    id: 'contents-removed',
    in: ['Deleting'],
    when: ({ remains }) => !remains,
    then: 'contentsRemoved',
    says: () => open('all resources deleted'),
  }),
  rule({
    id: 'contents-remain',
    in: ['Deleting'],
    when: always,
    then: 'contentsRemain',
    says: () => open('waiting for resource deletion'),
    look: requeue,
  }),
];
