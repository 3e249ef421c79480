import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { key, label, managedBy } from '../../crds/names.ts';
import { bootstrapSecretName, hostOf } from '../database/connection.ts';
import { databaseNameOf, namespaceOf, portOf } from '../database/effective.ts';
import type { DatabaseImages } from '../database/images.ts';
import { databaseLabels } from '../database/labels.ts';
import type { NodePlacement } from '../database/nodePlacement.ts';
import { hardenedPod } from '../hardenedPod.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import {
  backupCredentialsName,
  backupCronJobName,
  finalBackupName,
  firstBackupName,
  restoreCredentialsName,
  restoreJobName,
} from './names.ts';
import { type BackupPlace, pathOf } from './place.ts';
import { dailySchedule } from './schedule.ts';
import {
  convertScript,
  downloadScript,
  type Dumped,
  dumpScript,
  exportScript,
  loadScript,
  type ScriptVariable,
  uploadScript,
} from './scripts.ts';

/** The purpose of a Job. */
export const purposeLabel = key('backup');
export type Purpose = 'daily' | 'first' | 'final' | 'restore';

/** The settings of backup objects besides the database's spec. */
export interface BackupPlan {
  readonly place: BackupPlace;
  readonly placement: NodePlacement;
  readonly images: DatabaseImages;
}

export interface BackupObject extends KubeObject {
  readonly spec: object;
}

const directory = '/backup';
/** The longest duration of a dump; the next night starts another. */
const maxSeconds = 6 * 3_600;
const startWithinSeconds = 3_600;
/** A failed first Job is retried after this time. */
export const retryAfterSeconds = 900;

export const isDumped = (engine: DatabaseSpec['engine']): engine is Dumped => engine === 'MySQL' || engine === 'SQLite';

type Env = { readonly name: ScriptVariable } & (
  | { readonly value: string }
  | { readonly valueFrom: { readonly secretKeyRef: { readonly name: string; readonly key: string } } }
);
const text = (name: ScriptVariable, value: string): Env => ({ name, value });
const secret = (name: ScriptVariable, from: string, itsKey: string): Env => ({
  name,
  valueFrom: { secretKeyRef: { name: from, key: itsKey } },
});

/** Uses the administrator of MySQL, because only it may dump and load all routines and triggers. */
function serverEnv(database: CoreDatabase, spec: DatabaseSpec): readonly Env[] {
  const server = [
    text('SERVER_HOST', hostOf(database, spec)),
    text('SERVER_PORT', String(portOf(spec))),
    text('DATABASE', databaseNameOf(database, spec)),
  ];
  if (spec.engine !== 'MySQL') return server;
  return [
    ...server,
    text('USERNAME', 'root'),
    secret('PASSWORD', bootstrapSecretName(database.metadata.name), 'mysql-root-password'),
  ];
}

const storeEnv = (place: BackupPlace, credentials: string): readonly Env[] => [
  text('ENDPOINT', place.endpoint),
  text('REGION', place.region),
  text('BUCKET', place.bucket),
  text('FOLDER', pathOf(place)),
  secret('ACCESS_KEY_ID', credentials, 'ACCESS_KEY_ID'),
  secret('ACCESS_SECRET_KEY', credentials, 'ACCESS_SECRET_KEY'),
];

interface Step {
  readonly name: string;
  readonly image: string;
  readonly script: string;
  readonly env: readonly Env[];
}

const container = ({ name, image, script, env }: Step) => ({
  name,
  image,
  command: ['sh', '-c', script],
  workingDir: directory,
  // A container that fails without a message reports the end of its log, which shows the cause.
  terminationMessagePolicy: 'FallbackToLogsOnError',
  env,
  resources: { requests: { cpu: '50m', memory: '64Mi' } },
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  volumeMounts: [{ name: 'backup', mountPath: directory }],
});

/** The pods have no label of the server's own pods, because its Service would send them requests. */
function jobSpec(database: CoreDatabase, spec: DatabaseSpec, plan: BackupPlan, steps: readonly Step[]) {
  const { region, required } = plan.placement;
  const { [label.kind]: _, [label.name]: __, ...labels } = databaseLabels(database, spec);
  const containers = steps.map(container);
  return {
    backoffLimit: 2,
    activeDeadlineSeconds: maxSeconds,
    template: {
      metadata: {
        labels: { ...labels, [label.managedBy]: managedBy, [purposeLabel]: database.metadata.name },
        annotations: podAnnotations(required),
      },
      spec: {
        restartPolicy: 'Never',
        ...hardenedPod,
        ...podPlacement({ region, tags: required }),
        initContainers: containers.slice(0, -1),
        containers: containers.slice(-1),
        volumes: [{ name: 'backup', emptyDir: {} }],
      },
    },
  };
}

const dumpImage = (engine: Dumped, images: DatabaseImages): string =>
  engine === 'MySQL' ? images.mysqlClientImage : images.httpClientImage;

function dumpSteps(database: CoreDatabase, spec: DatabaseSpec, { place, images }: BackupPlan): readonly Step[] {
  if (!isDumped(spec.engine)) return [];
  const credentials = backupCredentialsName(database.metadata.name);
  return [
    {
      name: 'dump',
      image: dumpImage(spec.engine, images),
      script: dumpScript(spec.engine),
      env: serverEnv(database, spec),
    },
    ...(spec.engine === 'SQLite'
      ? [{ name: 'export', image: images.sqliteClientImage, script: exportScript, env: [] }]
      : []),
    { name: 'upload', image: images.uploadImage, script: uploadScript, env: storeEnv(place, credentials) },
  ];
}

function metadataOf(database: CoreDatabase, spec: DatabaseSpec, name: string, purpose: Purpose) {
  const labels = { ...databaseLabels(database, spec), [purposeLabel]: purpose };
  return { name, namespace: namespaceOf(spec), labels };
}

/** The nightly dump of a database; a missed night is not repeated. */
export const backupCronJob = (database: CoreDatabase, spec: DatabaseSpec, plan: BackupPlan): BackupObject => {
  const { name } = database.metadata;
  const metadata = metadataOf(database, spec, backupCronJobName(name), 'daily');
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: dailySchedule(name),
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: startWithinSeconds,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels: metadata.labels },
        spec: jobSpec(database, spec, plan, dumpSteps(database, spec, plan)),
      },
    },
  };
};

const job = (metadata: BackupObject['metadata'], spec: object): BackupObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata,
  spec,
});

/** The immediate first dump. */
export const firstBackupJob = (database: CoreDatabase, spec: DatabaseSpec, plan: BackupPlan): BackupObject =>
  job(metadataOf(database, spec, firstBackupName(database.metadata.name), 'first'), {
    ...jobSpec(database, spec, plan, dumpSteps(database, spec, plan)),
    ttlSecondsAfterFinished: retryAfterSeconds,
  });

/** The last dump, while the database is being deleted. */
export const finalBackupJob = (database: CoreDatabase, spec: DatabaseSpec, plan: BackupPlan): BackupObject =>
  job(metadataOf(database, spec, finalBackupName(database.metadata.name), 'final'), {
    ...jobSpec(database, spec, plan, dumpSteps(database, spec, plan)),
    backoffLimit: 0,
  });

/** Loads the dump of a restore point into a new database. */
export function restoreJob(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { restorePoint, ...plan }: BackupPlan & { readonly restorePoint: string },
): BackupObject {
  const { place, images } = plan;
  const credentials = restoreCredentialsName(database.metadata.name);
  const download: Step = {
    name: 'download',
    image: images.uploadImage,
    script: downloadScript,
    env: [...storeEnv(place, credentials), text('RESTORE_POINT', restorePoint)],
  };
  const convert: Step = { name: 'convert', image: images.sqliteClientImage, script: convertScript, env: [] };
  const load = (engine: Dumped): Step => ({
    name: 'load',
    image: dumpImage(engine, images),
    script: loadScript(engine),
    env: serverEnv(database, spec),
  });
  const steps = isDumped(spec.engine)
    ? [download, ...(spec.engine === 'SQLite' ? [convert] : []), load(spec.engine)]
    : [];
  return job(metadataOf(database, spec, restoreJobName(database.metadata.name), 'restore'), {
    ...jobSpec(database, spec, plan, steps),
    backoffLimit: 2,
  });
}
