import { Effect, Result } from 'effect';
import type { Job } from '../../../../crds/builtIn.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { dumpKey, pointId } from '../../../../rules/backup/points.ts';
import { isoTime } from '../../../../rules/time.ts';
import {
  backupJobs,
  postgresBackups,
  postgresClusters,
  scheduledBackups,
} from '../../../../runtime/owned/addonKinds.ts';
import { type Bucket, bucketOfJob, bucketOfServer } from '../../../../runtime/local/addons/bucket.ts';
import type { Server } from '../../../../runtime/local/addons/postgres/server.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secretText } from '../../../../runtime/services/secretText.ts';
import { labels as serverLabels, serverIn } from '../../../support/engines.ts';
import { awaitsRecovery, isHealthy } from '../database/engines.ts';
import { accountOf } from '../../../support/memory/cloud.ts';
import { pieceIn } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Actor } from '../subject.ts';

interface Due {
  readonly text: string;
  /** Not before this moment. */
  readonly at?: number;
  readonly act: (now: number) => void;
}

/** Does what is due, a second after it became so. */
function due(next: () => Due | null): Actor {
  let since: number | null = null;
  const at = ({ at: wanted = 0 }: Due, from: number) => Math.max(wanted, from + 1_000);
  return {
    act: (now) => {
      const wanted = next();
      if (wanted === null) return (void (since = null), null);
      since ??= now;
      if (now < at(wanted, since)) return null;
      since = null;
      wanted.act(now);
      return wanted.text;
    },
    nextAt: () => {
      const wanted = next();
      return since === null || wanted === null ? Infinity : at(wanted, since);
    },
  };
}

const isOver = ({ status }: Job) => (status?.conditions ?? []).length > 0;
const recoveryName = 'orders-1-full-recovery';
const purposeOf = ({ metadata }: KubeObject) =>
  metadata.labels?.[purposeLabel] ?? (metadata.name === recoveryName ? 'recovery' : '');

/** Writes with the keys that the cluster gives whoever takes backups; whether they are good for it. */
function writes(
  environment: TestEnvironment,
  { bucket, folder, credentials }: Bucket,
  name: string,
  text: string,
): boolean {
  const secret = pieceIn(environment, owned.secrets, credentials);
  const account = accountOf({
    accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
    secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
  });
  // What other systems do is no call of a process.
  const { failing } = environment.cloud;
  if (failing !== null) return false;
  const result = Effect.runSync(
    Effect.result(environment.cloud.cloud.write(account, bucket, `${folder}/${name}`, text)),
  );
  return Result.isSuccess(result);
}

/** What a Job, or a Backup of the operator for Postgres, comes to. */
export type Comes = (taker: KubeObject) => 'Complete' | 'Failed';
export const completes: Comes = () => 'Complete';
/** The first one of a purpose fails, and those after it do not. */
export const failsOnce = (purpose: string): Comes => {
  let failed: string | undefined;
  return (taker) => {
    if (purposeOf(taker) === purpose) failed ??= taker.metadata.uid;
    return taker.metadata.uid === failed ? 'Failed' : 'Complete';
  };
};

/** Ends the Jobs of backups, and leaves a dump of those that take one. A dump that cannot be written fails. */
export function jobRunner(environment: TestEnvironment, comes: Comes): readonly Actor[] {
  const endedAt = new Map<string, number>();
  const jobs = () => environment.cluster.all(backupJobs).filter((job) => !['', 'recovery'].includes(purposeOf(job)));
  const end = (job: Job, now: number) => {
    const at = bucketOfJob(job);
    const dumps = purposeOf(job) !== 'restore';
    const is = comes(job);
    const id = pointId(environment.now());
    const isSaved = is === 'Complete' && (!dumps || (at !== null && writes(environment, at, dumpKey(id), 'rows')));
    endedAt.set(job.metadata.uid ?? '', now);
    const conditions = [{ type: isSaved ? 'Complete' : 'Failed', status: 'True' }];
    environment.cluster.put(backupJobs, { ...job, status: { conditions } });
  };
  return [
    due(() => {
      const [job] = jobs().filter((one) => !isOver(one));
      return job ? { text: `the Job ${job.metadata.name} ends`, act: (now) => end(job, now) } : null;
    }),
    due(() => {
      const [job] = jobs().filter((one) => isOver(one) && lastsOf(one) !== null);
      if (!job) return null;
      return {
        text: `the Job ${job.metadata.name} has lasted`,
        at: (endedAt.get(job.metadata.uid ?? '') ?? 0) + (lastsOf(job) ?? 0),
        act: () => environment.cluster.drop(backupJobs, job.metadata.name, job.metadata.namespace),
      };
    }),
  ];
}

/** How long a finished Job is kept, in ms. */
function lastsOf(job: Job): number | null {
  const { ttlSecondsAfterFinished } =
    (job as { readonly spec?: { readonly ttlSecondsAfterFinished?: number } }).spec ?? {};
  return ttlSecondsAfterFinished === undefined ? null : ttlSecondsAfterFinished * 1_000;
}

const message = (environment: TestEnvironment, server: Server, status: object) =>
  environment.cluster.put(postgresClusters, { ...server, status: { ...server.status, ...status } } as KubeObject);
const isTrue = (type: string) => ({ type, status: 'True' });

/** What the operator for Postgres says of the backups of its server. */
export const backupsSay = (environment: TestEnvironment, type: string, status: 'True' | 'False'): void => {
  const server: Server | undefined = serverIn(environment);
  if (!server) return;
  const others = (server.status?.conditions ?? []).filter((one) => one.type !== type);
  message(environment, server, { conditions: [...others, { type, status }] });
};

/** What the operator for Postgres does about backups of a server that runs: it archives, and takes those that are asked for. */
export function postgresBackup(environment: TestEnvironment, comes: Comes): readonly Actor[] {
  const taken = new Set<string>();
  const at = () => bucketOfServer((serverIn(environment) ?? {}) as Server);
  const take = (server: Server, into: Bucket) => {
    const now = environment.now();
    const info = `status=DONE\nend_time=${isoTime(now).replace('T', ' ').replace('Z', '+00:00')}\n`;
    const is = writes(environment, into, `base/${pointId(now)}/backup.info`, info);
    const conditions = [isTrue('ContinuousArchiving'), { type: 'LastBackupSucceeded', status: is ? 'True' : 'False' }];
    const time = isoTime(now);
    message(environment, server, { conditions, ...(is ? { lastSuccessfulBackup: time } : { lastFailedBackup: time }) });
    return is;
  };
  return [
    due(() => {
      const [server, into] = [serverIn(environment), at()];
      const schedule = environment.cluster.all(scheduledBackups).find(({ metadata }) => !taken.has(metadata.uid ?? ''));
      if (!server || into === null || !schedule || !isHealthy(environment)) return null;
      return {
        text: 'a base backup is taken',
        act: () => {
          if (take(server, into)) taken.add(schedule.metadata.uid ?? '');
        },
      };
    }),
    due(() => {
      const [server, into] = [serverIn(environment), at()];
      const asked = environment.cluster.all(postgresBackups).find(({ status }) => status?.phase === undefined);
      if (!server || into === null || !asked) return null;
      return {
        text: 'a base backup that was asked for is taken',
        act: () => {
          const phase = comes(asked) === 'Complete' && take(server, into) ? 'completed' : 'failed';
          environment.cluster.put(postgresBackups, { ...asked, status: { phase } });
        },
      };
    }),
  ];
}

/** The Job by which the operator for Postgres recovers a server; one that was removed is made anew. */
export function postgresRecovery(environment: TestEnvironment, comes: Comes): readonly Actor[] {
  const recovering = () => environment.cluster.all(backupJobs).find(({ metadata }) => metadata.name === recoveryName);
  const begin = () => {
    const { apiVersion = '', kind = '', metadata } = serverIn(environment) ?? { metadata: { name: '' } };
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true }];
    environment.cluster.put(backupJobs, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: recoveryName, namespace: 'shop-production', labels: serverLabels, ownerReferences },
      spec: {},
    });
  };
  return [
    due(() =>
      awaitsRecovery(environment) && recovering() === undefined ? { text: 'the recovery begins', act: begin } : null,
    ),
    due(() => {
      const job = recovering();
      if (!job || isOver(job)) return null;
      const conditions = [{ type: comes(job), status: 'True' }];
      return {
        text: 'the recovery ends',
        act: () => environment.cluster.put(backupJobs, { ...job, status: { conditions } }),
      };
    }),
  ];
}
