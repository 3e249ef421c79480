import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import { deletionFound, dropping } from './deletion.ts';
import type { LogicalDatabaseFacts } from './facts.ts';
import { isLastFailure, type LogicalDatabaseLimits, logicalDatabaseLimits } from './limits.ts';
import { creating, fitting, type Obstacle, type ObstacleRead, reading } from './obstacles.ts';
import { readOf } from './read.ts';
import { closed } from '../words.ts';
import { retrying } from '../provisionRetry/says.ts';

type Rule = EventRule<LogicalDatabaseFacts, LogicalDatabaseState, LogicalDatabaseEvent['type']>;
const rule = ruleFor<LogicalDatabaseFacts, LogicalDatabaseState, LogicalDatabaseEvent['type']>();
const now = { afterMs: 0 };
const recheck = { afterMs: 30_000 };

const provisioning = ['Provisioning'] as const;
const working = ['Provisioning', 'Ready'] as const;

interface Weighing {
  readonly in: readonly LogicalDatabaseState[];
  readonly limits: LogicalDatabaseLimits;
}

/** The rules of one obstacle; for a counted one, the last failure precedes one more failure. */
const rulesOf =
  ({ in: states, limits }: Weighing) =>
  (obstacle: Obstacle<LogicalDatabaseFacts>): readonly Rule[] => {
    const { id, when, message: says } = obstacle;
    const common = { id, in: states, needs: [], when, says };
    if (obstacle.weighs === 'waiting') return [{ ...common, then: obstacle.event, look: recheck }];
    if (obstacle.weighs === 'permanent') return [{ ...common, then: obstacle.event }];
    const last = (facts: LogicalDatabaseFacts) => when(facts) && isLastFailure(facts, limits);
    return [
      { ...common, id: `${id}-last`, in: provisioning, when: last, then: 'gaveUp' },
      { ...common, then: 'failureCounted', look: recheck },
    ];
  };

/** The same for an obstacle that reads a fact, which its rules need. */
const rulesReading =
  (weighing: Weighing) =>
  ({ reads, when, message, ...obstacle }: ObstacleRead): readonly Rule[] =>
    rulesOf(weighing)({
      ...obstacle,
      when: (facts) => when(readOf(facts)),
      message: (facts) => message(readOf(facts)),
    }).map((each) => ({ ...each, needs: [reads] }));

const notCreated = (limits: LogicalDatabaseLimits): readonly Rule[] => {
  const [adminLogin, ...job] = creating.map(rulesReading({ in: provisioning, limits }));
  return [
    ...(adminLogin ?? []),
    rule({
      id: 'other-job',
      in: provisioning,
      needs: ['job'],
      when: ({ job, attempt }) => job.value.is === 'present' && job.value.attempt !== attempt,
      then: 'otherJobFound',
      says: () => closed('the Job of an earlier attempt is being deleted'),
      look: { afterMs: 5_000 },
    }),
    rule({
      id: 'job-due',
      in: provisioning,
      needs: ['job'],
      when: ({ job }) => job.value.is === 'absent',
      then: 'jobCreated',
      says: () => closed('the Job that creates the database was created'),
      look: recheck,
    }),
    ...job.flat(),
    rule({
      id: 'job-succeeded',
      in: provisioning,
      when: () => true,
      then: 'connectionWritten',
      says: () => closed('the database was created and its connection Secret written'),
    }),
  ];
};

/** The order is the documents': the project and the server, the finalizer, the server's Secrets, the Job. */
export const logicalDatabaseEventsWith = (limits: LogicalDatabaseLimits): readonly Rule[] => [
  ...deletionFound,
  rule({
    id: 'spec-changed',
    in: ['ProvisionFailed'],
    when: ({ generation, retry }) => generation !== retry.generation,
    then: 'specChanged',
    says: () => closed('the spec changed: provisioning starts again'),
    look: now,
  }),
  rule({
    id: 'retry-asked',
    in: ['ProvisionFailed'],
    answers: ['retry'],
    when: ({ deletingSince }) => deletingSince === null,
    then: 'retryAsked',
    says: () => retrying,
    look: now,
  }),
  // The attempt is recorded before anything is created for it, because its name is the name of the run.
  rule({
    id: 'attempt-due',
    in: provisioning,
    when: ({ attempt }) => attempt === null,
    then: 'attemptDue',
    says: () => closed('an attempt to provision begins'),
    look: now,
  }),
  ...fitting.flatMap(rulesOf({ in: working, limits })),
  rule({
    id: 'no-finalizer',
    in: working,
    when: ({ server, finalizer }) => server.is === 'found' && server.owner === 'shared' && !finalizer,
    then: 'finalizerMissing',
    says: () => closed('the finalizer is added: the database is on a shared server'),
    look: now,
  }),
  ...reading.flatMap(rulesReading({ in: working, limits })),
  rule({
    id: 'connection-kept',
    in: ['Ready'],
    when: () => true,
    then: 'connectionKept',
    says: () => closed('the connection is available'),
  }),
  rule({
    id: 'created-before',
    in: provisioning,
    when: ({ created }) => created,
    then: 'connectionWritten',
    says: () => closed('the database exists; its connection Secret was written'),
  }),
  ...notCreated(limits),
  ...dropping(limits),
];

export const logicalDatabaseEvents = logicalDatabaseEventsWith(logicalDatabaseLimits);
