import { Effect } from 'effect';
import type { CoreLogicalDatabase, LogicalDatabaseStatus } from '../../../crds/coreLogicalDatabase.ts';
import type { LogicalDatabaseAction } from '../../../machines/names.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import type { LogicalDatabaseFacts } from '../../../rules/logicalDatabase/facts.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import { type JobRole, logicalJob } from '../../../rules/logicalDatabase/job.ts';
import { createJobName, logicalConnectionName } from '../../../rules/logicalDatabase/names.ts';
import { retryOf } from '../../../rules/provision/weight.ts';
import { failedBy } from '../../contract/failedBy.ts';
import { ActionFailed, type Acting } from '../../contract/lifecycle.ts';
import { Cluster, type Gone, type WriteError } from '../../services/cluster/cluster.ts';
import { failedOn, refIn } from '../../services/cluster/failedOn.ts';
import type { AttemptAction, OwnActions } from '../provisioned/actions.ts';
import { untilRightsHold } from '../provisioned/rights.ts';
import { hasPods, isOfRun, logicalJobs, removeJobs, runOf } from './owned/jobs.ts';
import { loginIn, removeSecrets, settledLogin } from './owned/login.ts';
import { type LogicalDatabaseResources, secretsOf } from './owned.ts';
import { instanceOf, type Placed, placedOn } from './observe/server.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

type Acts = Acting<CoreLogicalDatabase, LogicalDatabaseFacts>;

const failedAs = (action: string) => (error: WriteError | Gone | ActionFailed) =>
  error._tag === 'ActionFailed' ? error : failedBy(action, retryOf(error), error);

const waits = (action: string, message: string) => new ActionFailed({ action, retry: 'waiting', message });

const other = { create: 'drop', drop: 'create' } as const;

/** Creates the Job of a run. No Job or pod of the other role may still work on the same database. */
const startJob = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
  placed: Placed,
  { role, images }: { readonly role: JobRole; readonly images: DatabaseImages },
) {
  const action = `${role}Job`;
  const run = runOf(logical, role);
  if (run === null) return yield* waits(action, 'no attempt is under way');
  if (yield* hasPods(logical, placed, other[role]))
    return yield* waits(action, `the Job of an earlier ${other[role] === 'drop' ? 'deletion' : 'creation'} still runs`);
  const { database = placed.database, username: login = placed.login } = logical.status ?? {};
  const asked = { role, run, database, login, isShared: placed.owner === 'shared' };
  const job = logicalJob(logical, placed.server, asked, images);
  const cluster = yield* Cluster;
  yield* cluster.create(logicalJobs, job).pipe(
    Effect.mapError(failedOn(refIn(logicalJobs, job.metadata))),
    Effect.catchTag('AlreadyExists', () =>
      Effect.filterOrFail(
        cluster.get(logicalJobs, job.metadata),
        // The Job already exists when the response to an earlier attempt was lost.
        (found) => isOfRun(found, run),
        () => waits(action, 'a Job of another run still exists'),
      ),
    ),
  );
});

/** The fields recorded once the database exists on its server. */
function databaseRecorded({ object, reader }: Acts): Partial<LogicalDatabaseStatus> {
  const placed = placedOn(object, reader);
  if (placed === null) return {};
  return {
    database: placed.database,
    ...(placed.owner === 'shared' ? { username: placed.login } : {}),
    serverInstance: instanceOf(placed, reader),
    jobName: createJobName(object.metadata.name),
    connectionSecret: logicalConnectionName(object.metadata.name),
  };
}

/** The named actions of a logical database. */
export function logicalActions(
  ownedResources: LogicalDatabaseResources,
  images: DatabaseImages,
): OwnActions<Exclude<LogicalDatabaseAction, AttemptAction>, CoreLogicalDatabase, LogicalDatabaseFacts> {
  const onServer = <A>(
    action: string,
    does: (acting: Acts, placed: Placed) => Effect.Effect<A, WriteError | Gone | ActionFailed, LogicalNeeds>,
  ) =>
    Effect.fnUntraced(
      function* (acting: Acts) {
        const placed = placedOn(acting.object, acting.reader);
        if (placed === null) return yield* waits(action, 'the database server is gone');
        yield* untilRightsHold(action, namespaceOf(acting.object.spec), acting.reader)(does(acting, placed));
        return undefined;
      },
      Effect.mapError(failedAs(action)),
    );

  return {
    createJob: {
      patch: ({ object }) => ({ jobName: createJobName(object.metadata.name) }),
      effect: onServer('createJob', ({ object }, placed) =>
        Effect.gen(function* () {
          if (placed.owner === 'shared') yield* settledLogin(object, placed);
          yield* startJob(object, placed, { role: 'create', images });
        }),
      ),
    },
    createDropJob: {
      effect: onServer('createDropJob', ({ object }, placed) => startJob(object, placed, { role: 'drop', images })),
    },
    writeConnection: {
      effect: onServer('writeConnection', ({ object, reader }, placed) =>
        Effect.gen(function* () {
          const login =
            placed.owner === 'shared' ? yield* settledLogin(object, placed) : loginIn(object, placed, reader);
          if (login === null) return yield* waits('writeConnection', 'database connection secret is unavailable');
          const outcome = yield* ownedResources.reconcile(object, reader, secretsOf(object, placed, login));
          return yield* unlessUnmanaged('writeConnection')(outcome);
        }),
      ),
    },
    removeJobs: {
      effect: ({ object, reader }: Acts) =>
        removeJobs(object, placedOn(object, reader)).pipe(Effect.mapError(failedAs('removeJobs'))),
    },
    removeSecrets: {
      effect: ({ object }: Acts) => removeSecrets(object).pipe(Effect.mapError(failedAs('removeSecrets'))),
    },
    recordDatabase: { patch: databaseRecorded },
  };
}

type LogicalNeeds = Effect.Services<ReturnType<typeof settledLogin>>;
