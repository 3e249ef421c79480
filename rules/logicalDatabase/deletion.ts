import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../machines/names.ts';
import { ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import { closed } from '../words.ts';
import type { LogicalDatabaseFacts, LogicalDatabaseObserved } from './facts.ts';
import type { LogicalDatabaseLimits } from './limits.ts';

const rule = ruleFor<LogicalDatabaseFacts, LogicalDatabaseState, LogicalDatabaseEvent['type']>();
const alive = ['Provisioning', 'Ready', 'ProvisionFailed'] as const;

interface LogicalDatabaseAround {
  readonly around: Known<LogicalDatabaseObserved>;
}

/** Nothing is dropped on a project's own server, even when a finalizer of an earlier server remains. */
const onOwnServer = ({ around, finalizer }: LogicalDatabaseAround & Pick<LogicalDatabaseFacts, 'finalizer'>) => {
  const { server } = around.value;
  return !finalizer || (server.is === 'found' && server.owner !== 'shared');
};

/** A deletion precedes everything else. */
export const deletionFound = [
  rule({
    id: 'own-server-left',
    in: [...alive, 'Deleting'],
    needs: ['around'],
    when: (facts) => facts.deletedAt !== null && onOwnServer(facts),
    then: 'ownServerLeft',
    says: () => closed("deleted; the database stays on the project's own server"),
  }),
  // Their login is the same, so a drop would delete the data of the remaining one.
  rule({
    id: 'kept-by-other',
    in: [...alive, 'Deleting'],
    needs: ['around'],
    when: ({ deletedAt, around }) => deletedAt !== null && around.value.heldByOther,
    then: 'otherKeepsIt',
    says: () => closed('deleted; the database stays with the older logical database'),
  }),
  rule({
    id: 'deletion-found',
    in: alive,
    when: ({ deletedAt }) => deletedAt !== null,
    then: 'deletionFound',
    says: () => closed('deleted: the database is dropped from the shared server'),
    look: { afterMs: 0 },
  }),
];

type Timed = Pick<LogicalDatabaseFacts, 'now' | 'deletedAt'>;
const dropEnds = ({ now, deletedAt }: Timed, dropMs: number) => (deletedAt ?? now) + dropMs;

/** The server and the time limit precede the Jobs: they release the finalizer even when no Job can be read. */
export const dropping = ({ dropMs }: LogicalDatabaseLimits) => {
  const untilLimit = { at: 'dropLimit', moment: (facts: Timed) => dropEnds(facts, dropMs) };
  return [
    rule({
      id: 'server-lost',
      in: ['Deleting'],
      needs: ['around'],
      when: ({ around: { value } }) => value.server.is === 'absent' || !value.server.ready,
      then: 'serverLost',
      says: () => closed('released: the database server is gone or not ready'),
    }),
    rule({
      id: 'drop-timed-out',
      in: ['Deleting'],
      when: (facts) => facts.now >= dropEnds(facts, dropMs),
      then: 'dropTimedOut',
      says: () => closed('released: the database was not dropped within 3 minutes'),
    }),
    // A create Job that still runs could recreate the database after the drop.
    rule({
      id: 'create-job-left',
      in: ['Deleting'],
      needs: ['createJobLeft'],
      when: ({ createJobLeft }) => createJobLeft.value,
      then: 'otherJobFound',
      says: () => closed('the Job that creates the database is being deleted first'),
      look: { afterMs: 5_000 },
    }),
    rule({
      id: 'other-drop-left',
      in: ['Deleting'],
      needs: ['dropJob'],
      when: ({ dropJob }) => dropJob.value === 'other',
      then: 'otherJobFound',
      says: () => closed('the Job of an earlier deletion is being deleted first'),
      look: { afterMs: 5_000 },
    }),
    rule({
      id: 'dropped',
      in: ['Deleting'],
      needs: ['dropJob'],
      when: ({ dropJob }) => dropJob.value === 'succeeded',
      then: 'dropped',
      says: () => closed('the database and its login were dropped'),
    }),
    rule({
      id: 'drop-due',
      in: ['Deleting'],
      needs: ['dropJob'],
      when: ({ dropJob }) => dropJob.value === 'absent',
      then: 'dropStarted',
      says: () => closed('the Job that drops the database and its login was created'),
      look: untilLimit,
    }),
    rule({
      id: 'drop-progressed',
      in: ['Deleting'],
      needs: ['dropJob'],
      when: () => true,
      then: 'dropProgressed',
      says: ({ dropJob }) =>
        dropJob.value === 'failed'
          ? closed('the drop failed; released after 3 minutes')
          : closed('the database is being dropped'),
      look: untilLimit,
    }),
  ];
};
