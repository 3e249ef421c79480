import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import { againRules, givingUpRules, hasCounted, requeue } from '../provision/events.ts';
import { isBlockedBy } from '../provision/blockers.ts';
import { closed, external, joined, type Message, sentence } from '../words.ts';
import { deletionFound, dropping } from './deletion.ts';
import type { LogicalDatabaseFacts, LogicalDatabaseObserved } from './facts.ts';
import { logicalBlockerIn, logicalBlockers } from './blockers.ts';
import { type LogicalDatabaseLimits, logicalDatabaseLimits } from './limits.ts';

type State = LogicalDatabaseState | Absence;
type Event = LogicalDatabaseEvent['type'];
type Rule = EventRule<LogicalDatabaseFacts, State, Event>;

const rule = ruleFor<LogicalDatabaseFacts, State, Event>();
const now = { afterMs: 0 };
const working = ['Provisioning', 'Ready'] as const;
const provisioning = ['Provisioning'] as const;

interface LogicalDatabaseAround {
  readonly around: Known<LogicalDatabaseObserved>;
}
/** Takes the observation out of the facts. */
export const seenIn = ({ around }: LogicalDatabaseAround) => around.value;
const blockerOf = (facts: LogicalDatabaseAround) => logicalBlockerIn(seenIn(facts));
const blockerMessage = (facts: LogicalDatabaseAround): Message =>
  blockerOf(facts)?.message(seenIn(facts)) ?? closed('it failed');
const isBlocked = (facts: LogicalDatabaseAround) => isBlockedBy(logicalBlockers, seenIn(facts));

/** The rules of the waits with their own event. */
const waits = (event: Event, id: string, states: readonly LogicalDatabaseState[]): Rule =>
  rule({
    id,
    in: states,
    needs: ['around'],
    when: (facts) => blockerOf(facts)?.event === event,
    then: event,
    says: blockerMessage,
    look: requeue,
  });

const beginning: readonly Rule[] = [
  rule({
    id: 'create-asked',
    in: ['(none)'],
    answers: ['create'],
    when: () => true,
    then: 'created',
    says: () => closed('created; provisioning'),
    look: now,
  }),
  rule({
    id: 'created',
    in: ['(none)'],
    when: () => true,
    then: 'created',
    says: () => closed('created; provisioning'),
    look: now,
  }),
];

const failing: readonly Rule[] = [
  // The attempt is recorded before anything is created for it, because its name is the name of the run.
  rule({
    id: 'attempt-due',
    in: provisioning,
    when: ({ attempt }) => attempt === null,
    then: 'attemptDue',
    says: () => closed('an attempt to provision begins'),
    look: now,
  }),
  rule({
    id: 'failure-counted',
    in: working,
    needs: ['around'],
    when: (facts) => blockerOf(facts)?.counts === 'counted' && hasCounted(facts),
    then: 'failureCounted',
    says: blockerMessage,
    look: requeue,
  }),
  waits('serverMissing', 'server-absent', working),
  waits('serverNotReady', 'server-not-ready', working),
  rule({
    id: 'no-finalizer',
    in: working,
    needs: ['around'],
    when: ({ around: { value }, finalizer }) =>
      value.server.is === 'found' && value.server.owner === 'shared' && !finalizer && !value.created,
    then: 'finalizerMissing',
    says: () => closed('the finalizer is added first: the database is on a shared server'),
    look: { afterMs: 5_000 },
  }),
  rule({
    id: 'database-lost',
    in: ['Ready'],
    needs: ['around'],
    when: (facts) => !seenIn(facts).created && !isBlocked(facts),
    then: 'databaseLost',
    says: () => closed('server recreated or login lost; recreating the database'),
    look: now,
  }),
  waits('adminLoginMissing', 'no-admin-login', working),
  rule({
    id: 'waiting',
    in: working,
    needs: ['around'],
    when: (facts) => blockerOf(facts)?.counts === 'waiting' && isBlocked(facts),
    then: 'waitFound',
    says: blockerMessage,
    look: requeue,
  }),
  rule({
    id: 'failure-repeated',
    in: working,
    needs: ['around'],
    when: isBlocked,
    then: 'failureRepeated',
    says: (facts) => sentence('{hindrance}; not counted in this pass', { hindrance: blockerMessage(facts) }),
    look: requeue,
  }),
];

const creating: readonly Rule[] = [
  rule({
    id: 'other-job',
    in: provisioning,
    needs: ['around'],
    when: (facts) => !seenIn(facts).created && seenIn(facts).job === 'other',
    then: 'otherJobFound',
    says: () => closed('the Job of an earlier attempt is being deleted'),
    look: { afterMs: 5_000 },
  }),
  rule({
    id: 'job-due',
    in: provisioning,
    needs: ['around'],
    when: (facts) => !seenIn(facts).created && seenIn(facts).job === 'absent',
    then: 'jobCreated',
    says: () => closed('the Job that creates the database was created'),
    look: requeue,
  }),
  waits('jobProgressed', 'job-running', provisioning),
  rule({
    id: 'connection-written',
    in: provisioning,
    when: () => true,
    then: 'connectionWritten',
    says: () => closed('the database exists, and its connection Secret was written'),
  }),
  rule({
    id: 'connection-due',
    in: ['Ready'],
    needs: ['around'],
    when: (facts) => !seenIn(facts).connected,
    then: 'connectionDue',
    says: () => closed('connection Secret rewritten'),
    look: now,
  }),
  rule({
    id: 'rests-ready',
    in: ['Ready'],
    needs: ['around'],
    when: () => true,
    then: 'connectionKept',
    says: (facts) => joined([closed('the connection is available'), ...seenIn(facts).contested.map(external)], '; '),
  }),
];

/** The order is the documents': the project and the server, the server's Secrets, the Job, the connection. */
export const logicalDatabaseEventsWith = (limits: LogicalDatabaseLimits): readonly Rule[] => [
  ...beginning,
  ...deletionFound,
  ...againRules,
  ...givingUpRules({ says: blockerMessage }, working),
  ...failing,
  ...creating,
  ...dropping(limits),
];

export const logicalDatabaseEvents = logicalDatabaseEventsWith(logicalDatabaseLimits);
