import { Clock, Effect, Latch, type Scope } from 'effect';
import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { key } from '../../../crds/names.ts';
import { dumpKey, pointId } from '../../../rules/backup/points.ts';
import { isoTime } from '../../../rules/time.ts';
import { type Caches, makeCaches } from '../../cache/caches.ts';
import { backupJobs, postgresBackups as ownBackups, scheduledBackups } from '../../controllers/backup/resources.ts';
import { postgresClusters } from '../../controllers/database/resources.ts';
import { secrets } from '../../resources.ts';
import { Cloud, type CloudFailed } from '../../services/cloud.ts';
import { Cluster, type Gone, type ReadError, type Resource, type WriteError } from '../../services/cluster.ts';
import { type Bucket, bucketOfJob, bucketOfServer, type Server } from './bucket.ts';
import { dumpedMark, lacksDump } from './dumps.ts';

type Acting = Effect.Effect<void, WriteError | ReadError | Gone | CloudFailed, Cluster | Cloud>;

/** Names the schedule that a base backup was taken by. */
const scheduleMark = key('simulated-schedule');
/** Those that its operator made too, which bear no label of Core. */
const postgresBackups = { ...ownBackups, cached: { everywhere: true } } as const;
const againMs = 5_000;

/**
 * Leaves in a bucket what Jobs and the operator for Postgres would have left there: on simulated nodes their containers
 * only sleep. What is left says so itself.
 */
export const runBackups: Effect.Effect<never, never, Cluster | Cloud | Scope.Scope> = Effect.gen(function* () {
  const caches = yield* makeCaches([backupJobs, postgresClusters, scheduledBackups, postgresBackups], {});
  const changed = Latch.makeUnsafe(true);
  for (const cache of caches.all) cache.onChange(() => void changed.openUnsafe());
  yield* Effect.forEach(caches.all, ({ synced }) => synced, { discard: true });
  for (;;) {
    yield* changed.await;
    changed.closeUnsafe();
    for (const acting of actsOf(caches)) {
      const failed = yield* Effect.isFailure(acting);
      // The bucket may be made, and its keys known, in a moment.
      if (failed)
        yield* Effect.forkScoped(
          Effect.andThen(
            Effect.sleep(againMs),
            Effect.sync(() => void changed.openUnsafe()),
          ),
        );
    }
  }
});

/** The end of a Job that is to leave a dump is decided before, and comes after the dump stands. */
const hasSucceeded = ({ status }: Job) =>
  status?.conditions?.some(({ type, status: is }) => type === 'SuccessCriteriaMet' && is === 'True') ?? false;

const actsOf = (caches: Caches): readonly Acting[] => [
  ...caches.list(backupJobs).filter(lacksDump).filter(hasSucceeded).map(leaveDump),
  ...caches.list<Server>(postgresClusters as Resource<Server>).flatMap((server) => serverActs(server, caches)),
];

const nameOf = ({ metadata: { name, namespace = '' } }: KubeObject) => ({ name, namespace });
const simulated = 'Simulated: no database ran behind it.\n';

/** Writes into a bucket with the keys that the cluster gives whoever writes there. */
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

/** A server that is archived: its log counts as saved, and its backups are taken at once. */
function serverActs(server: Server, caches: Caches): readonly Acting[] {
  const at = bucketOfServer(server);
  if (at === null || server.metadata.deletionTimestamp !== undefined) return [];
  const ofServer = ({
    metadata,
    spec,
  }: KubeObject & { readonly spec?: { readonly cluster?: { readonly name: string } } }) =>
    metadata.namespace === server.metadata.namespace && spec?.cluster?.name === server.metadata.name;
  const taken = caches.list(postgresBackups).filter(ofServer);
  const schedules = caches
    .list(scheduledBackups)
    .filter(ofServer)
    .filter(({ metadata: { name } }) => !taken.some(({ metadata }) => metadata.labels?.[scheduleMark] === name));
  const due = taken.filter(({ status }) => status?.phase === undefined);
  const archives = server.status?.conditions?.some(({ type }) => type === 'ContinuousArchiving') === true;
  return [
    ...(archives ? [] : [archiving(server)]),
    ...schedules.map(scheduled),
    ...due.map((one) => take(one, server, at)),
  ];
}

const conditions = ['ContinuousArchiving', 'LastBackupSucceeded'].map((type) => ({ type, status: 'True' }));
const archiving = (server: Server): Acting =>
  Effect.flatMap(Cluster, (cluster) =>
    Effect.asVoid(cluster.patchStatus(postgresClusters, nameOf(server), { conditions })),
  );

/**
 * The first base backup of a schedule; the nights are not simulated. It belongs to its schedule and bears none of the
 * labels of that: those are of objects that Core makes.
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

const take = (backup: KubeObject, server: Server, at: Bucket): Acting =>
  Effect.gen(function* () {
    const { namespace = '' } = server.metadata;
    const cluster = yield* Cluster;
    const now = yield* Clock.currentTimeMillis;
    const backupId = pointId(now);
    const info = `${simulated.replace(/^/, '# ')}status=DONE\nend_time=${isoTime(now).replace('T', ' ').replace('Z', '+00:00')}\n`;
    yield* writeTo(at, namespace, `${at.folder}/base/${backupId}/backup.info`, info);
    const times = { startedAt: isoTime(now), stoppedAt: isoTime(now) };
    yield* cluster.patchStatus(postgresBackups, nameOf(backup), { phase: 'completed', backupId, ...times });
    yield* cluster.patchStatus(postgresClusters, nameOf(server), { lastSuccessfulBackup: isoTime(now) });
  });
