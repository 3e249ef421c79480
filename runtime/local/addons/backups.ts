import { Clock, Effect, Latch, type Scope } from 'effect';
import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { key } from '../../../crds/names.ts';
import { dumpKey, pointId } from '../../../rules/backup/points.ts';
import { isoTime } from '../../../rules/time.ts';
import { type Caches, makeCaches } from '../../cache/caches.ts';
import {
  backupJobs,
  postgresBackups as ownBackups,
  postgresClusters,
  scheduledBackups,
} from '../../owned/addonKinds.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { Cloud, type CloudFailed } from '../../services/cloud.ts';
import { Cluster, type Gone, type ReadError, type Resource, type WriteError } from '../../services/cluster/cluster.ts';
import { type Bucket, bucketOfJob, bucketOfServer } from './bucket.ts';
import { dumpedMark, lacksDump } from './dumps.ts';
import { report } from './postgres/acts.ts';
import { conditions, isSaid } from './postgres/conditions.ts';
import type { Condition, Server } from './postgres/server.ts';
import { rulesIn, rulesMap } from './rulesMap.ts';
import { isDeleting } from '../../../rules/deleting.ts';

type Acting = Effect.Effect<void, WriteError | ReadError | Gone | CloudFailed, Cluster | Cloud>;

/** Names the schedule of a base backup. */
const scheduleMark = key('simulated-schedule');

interface PostgresBackup extends KubeObject {
  readonly spec?: { readonly cluster?: { readonly name: string } };
  readonly status?: { readonly phase?: string };
}
/** Includes the backups of the operator, which have no label of Core. */
const postgresBackups: Resource<PostgresBackup> = { ...ownBackups, cached: { everywhere: true } };
const retryAfterMs = 5_000;

/**
 * Writes to a bucket what Jobs and the Postgres operator would have written, or ends them as the rules say: on
 * simulated nodes their containers only sleep. The written objects say that they are simulated.
 */
export const runBackups: Effect.Effect<never, never, Cluster | Cloud | Scope.Scope> = Effect.gen(function* () {
  const caches = yield* makeCaches([backupJobs, postgresClusters, scheduledBackups, postgresBackups, rulesMap], {});
  const ended: Ended = new Set();
  const changed = Latch.makeUnsafe(true);
  for (const cache of caches.all) cache.onChange(() => void changed.openUnsafe());
  yield* Effect.forEach(caches.all, ({ synced }) => synced, { discard: true });
  for (;;) {
    yield* changed.await;
    changed.closeUnsafe();
    for (const acting of actsOf(caches, ended)) {
      const failed = yield* Effect.isFailure(acting);
      // The bucket and its keys may be ready soon.
      if (failed)
        yield* Effect.forkScoped(
          Effect.andThen(
            Effect.sleep(retryAfterMs),
            Effect.sync(() => void changed.openUnsafe()),
          ),
        );
    }
  }
});

/** The result of a dump Job is decided before, and set after the dump is written. */
const hasSucceeded = ({ status }: Job) =>
  status?.conditions?.some(({ type, status: is }) => type === 'SuccessCriteriaMet' && is === 'True') ?? false;

/** The uids of objects ended here, which a cache may still show as running. */
type Ended = Set<string>;

const once = (ended: Ended, { metadata: { uid = '' } }: KubeObject, acting: Acting): Acting =>
  ended.has(uid) ? Effect.void : Effect.tap(acting, () => Effect.sync(() => void ended.add(uid)));

function actsOf(caches: Caches, ended: Ended): readonly Acting[] {
  const ruleFor = rulesIn(caches);
  const dumped = caches
    .list(backupJobs)
    .filter((job) => lacksDump(job) && hasSucceeded(job))
    .flatMap((job) => {
      const { fails, hang } = ruleFor(job.metadata.name);
      return hang ? [] : [once(ended, job, fails ? failDump(job) : leaveDump(job))];
    });
  const servers: readonly Server[] = caches.list(postgresClusters);
  return [...dumped, ...servers.flatMap((server) => serverActs(server, caches, ended))];
}

const nameOf = ({ metadata: { name, namespace = '' } }: KubeObject) => ({ name, namespace });
const simulated = 'Simulated: no database ran behind it.\n';

/** Writes into a bucket with the keys that its writers get. */
const writeTo = ({ bucket, endpoint, credentials }: Bucket, namespace: string, path: string, text: string): Acting =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { data = {} } = yield* cluster.get(secrets, { name: credentials, namespace });
    const plain = (name: string) => Buffer.from(data[name] ?? '', 'base64').toString();
    const account = {
      endpoint,
      iam: null,
      region: plain('REGION'),
      accessKeyId: plain('ACCESS_KEY_ID'),
      secretAccessKey: plain('ACCESS_SECRET_KEY'),
    };
    yield* (yield* Cloud).write(account, bucket, path, text);
  });

const leaveDump = (job: Job): Acting =>
  Effect.gen(function* () {
    const { name, namespace } = nameOf(job);
    const at = bucketOfJob(job);
    const id = pointId(yield* Clock.currentTimeMillis);
    if (at) yield* writeTo(at, namespace, `${at.folder}/${dumpKey(id)}`, simulated);
    yield* (yield* Cluster).patch(backupJobs, { name, namespace }, { metadata: { annotations: { [dumpedMark]: id } } });
  });

/** Fails a Job whose containers ran to their end. */
const failDump = (job: Job): Acting =>
  Effect.gen(function* () {
    const lastTransitionTime = isoTime(yield* Clock.currentTimeMillis);
    const failed = { type: 'Failed', status: 'True', reason: 'Simulated', message: failedByRule, lastTransitionTime };
    yield* (yield* Cluster).patchStatus(backupJobs, nameOf(job), { conditions: [failed] });
  });

const failedByRule = 'Failed by a rule of simulated-addons';

/**
 * Handles an archived server: its log counts as saved, and its backups complete at once, unless a rule says otherwise.
 */
function serverActs(server: Server, caches: Caches, ended: Ended): readonly Acting[] {
  const at = bucketOfServer(server);
  if (at === null || isDeleting(server)) return [];
  const ruleFor = rulesIn(caches);
  const ofServer = ({ metadata, spec }: PostgresBackup) =>
    metadata.namespace === server.metadata.namespace && spec?.cluster?.name === server.metadata.name;
  const taken = caches.list(postgresBackups).filter(ofServer);
  const schedules = caches
    .list(scheduledBackups)
    .filter(ofServer)
    .filter(({ metadata: { name } }) => !taken.some(({ metadata }) => metadata.labels?.[scheduleMark] === name));
  const due = taken.filter(({ status }) => status?.phase === undefined);
  return [
    ...archiving(server, ruleFor(server.metadata.name).fails !== true),
    ...schedules.map((schedule) => once(ended, schedule, scheduled(schedule))),
    ...due.flatMap((one) => {
      const { fails, hang } = ruleFor(one.metadata.name);
      return hang ? [] : [once(ended, one, fails ? failBackup(one, server) : take(one, server, at))];
    }),
  ];
}

/** Reports whether the change log of a server is saved, if not reported yet. */
function archiving(server: Server, isSaved: boolean): readonly Acting[] {
  const said = isSaved ? conditions.archiving : conditions.notArchiving;
  return isSaid(server.status?.conditions, said) ? [] : [report(server, { status: {}, conditions: [said] })];
}

/**
 * The first base backup of a schedule; later ones are not simulated. It belongs to its schedule without its labels,
 * which mark objects that Core creates.
 */
const scheduled = ({ metadata, ...schedule }: KubeObject & { readonly spec?: object }): Acting =>
  Effect.gen(function* () {
    const { cluster, method } = (schedule.spec ?? {}) as { readonly cluster?: object; readonly method?: string };
    const id = pointId(yield* Clock.currentTimeMillis).toLowerCase();
    const owner = {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'ScheduledBackup',
      name: metadata.name,
      uid: metadata.uid ?? '',
      controller: true,
    };
    yield* (yield* Cluster).create(postgresBackups, {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Backup',
      metadata: {
        name: `${metadata.name}-${id}`,
        namespace: metadata.namespace ?? '',
        labels: { [scheduleMark]: metadata.name },
        ownerReferences: [owner],
      },
      spec: { cluster, method },
    } as KubeObject);
  });

/** Reads the server first, so that conditions reported meanwhile are kept. */
const say = (server: Server, condition: Omit<Condition, 'lastTransitionTime'>): Acting =>
  Effect.gen(function* () {
    const now: Server = yield* (yield* Cluster).get(postgresClusters, nameOf(server));
    yield* report(now, { status: {}, conditions: [condition] });
  }).pipe(Effect.retry({ times: 5, while: ({ _tag }) => _tag === 'Conflict' }));

const take = (backup: KubeObject, server: Server, at: Bucket): Acting =>
  Effect.gen(function* () {
    const { namespace = '' } = server.metadata;
    const cluster = yield* Cluster;
    yield* say(server, conditions.backupStarted);
    const now = yield* Clock.currentTimeMillis;
    const backupId = pointId(now);
    const info = `${simulated.replace(/^/, '# ')}status=DONE\nend_time=${isoTime(now).replace('T', ' ').replace('Z', '+00:00')}\n`;
    yield* writeTo(at, namespace, `${at.folder}/base/${backupId}/backup.info`, info);
    const times = { startedAt: isoTime(now), stoppedAt: isoTime(now) };
    yield* cluster.patchStatus(postgresBackups, nameOf(backup), { phase: 'completed', backupId, ...times });
    yield* cluster.patchStatus(postgresClusters, nameOf(server), { lastSuccessfulBackup: isoTime(now) });
    yield* say(server, conditions.backupSucceeded);
  });

const failBackup = (backup: KubeObject, server: Server): Acting =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const at = isoTime(yield* Clock.currentTimeMillis);
    const status = { phase: 'failed', error: failedByRule, startedAt: at, stoppedAt: at };
    yield* cluster.patchStatus(postgresBackups, nameOf(backup), status);
    yield* cluster.patchStatus(postgresClusters, nameOf(server), { lastFailedBackup: at });
    yield* say(server, conditions.backupFailed(failedByRule));
  });
