import { ruleFor } from '../engine.ts';
import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../machines/names.ts';
import type { LogicalDatabaseFacts } from './facts.ts';
import type { LogicalDatabaseLimits } from './limits.ts';
import { closed } from '../words.ts';

const rule = ruleFor<LogicalDatabaseFacts, LogicalDatabaseState, LogicalDatabaseEvent['type']>();
const alive = ['Provisioning', 'Ready', 'ProvisionFailed'] as const;

/** Nothing is dropped on a project's own server, even when a finalizer of an earlier server remains. */
const ownServer = ({ server, finalizer }: Pick<LogicalDatabaseFacts, 'server' | 'finalizer'>) =>
  !finalizer || (server.is === 'found' && server.owner !== 'shared');

/** A deletion precedes everything else. */
export const deletionFound = [
  rule({
    id: 'own-server-left',
    in: [...alive, 'Deleting'],
    when: (facts) => facts.deletingSince !== null && ownServer(facts),
    then: 'ownServerLeft',
    says: () => closed("deleted; the database stays on the project's own server"),
  }),
  rule({
    id: 'deletion-found',
    in: alive,
    when: ({ deletingSince }) => deletingSince !== null,
    then: 'deletionFound',
    says: () => closed('deleted: the database is dropped from the shared server'),
    look: { afterMs: 0 },
  }),
];

type Timed = Pick<LogicalDatabaseFacts, 'now' | 'deletingSince'>;
const dropEnds = ({ now, deletingSince }: Timed, dropMs: number) => (deletingSince ?? now) + dropMs;

/** The server and the time limit precede the Job: they release the finalizer even when the Job cannot be read. */
export const dropping = ({ dropMs }: LogicalDatabaseLimits) => {
  const untilLimit = { at: 'dropLimit', moment: (facts: Timed) => dropEnds(facts, dropMs) };
  return [
    rule({
      id: 'server-lost',
      in: ['Deleting'],
      when: ({ server }) => server.is === 'absent' || !server.ready,
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
      id: 'create-job-found',
      in: ['Deleting'],
      needs: ['job'],
      when: ({ job }) => job.value.is === 'present',
      then: 'createJobFound',
      says: () => closed('the Job that creates the database is being deleted first'),
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
