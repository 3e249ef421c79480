import type { Job } from '../../crds/builtIn.ts';
import type { CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { coreCloudConnection } from '../../crds/coreCloudConnection.ts';
import { type CoreDatabase, type DatabaseSpec } from '../../crds/coreDatabase.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { databaseImages } from '../../rules/database/images.ts';
import { pointId } from '../../rules/backup/points.ts';
import { backupArchiveController } from '../../runtime/controllers/backupArchive/controller.ts';
import { bucketListings } from '../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupJobs } from '../../runtime/owned/addonKinds.ts';
import { backupStorages } from '../../runtime/controllers/cloudAccess/storage.ts';
import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { makeDeletions } from '../../runtime/controllers/provisioned/deletion.ts';
import { backupArchives, cloudConnections, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { databaseName, kubelet, putDatabase, putDatabaseEnvironment } from './database.ts';
import { startSession } from './session.ts';
import { rootKey } from './memory/cloud.ts';
import { inSystem, projectIn } from './project.ts';
import type { TestEnvironment } from './environment.ts';

export const bucket = 'core-backup-1';

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** The account of the cloud that the environment has, linked to the project. */
export function putConnection({ cluster }: TestEnvironment, name = 'aws'): void {
  cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem(`${name}-keys`),
    data: { ACCESS_KEY_ID: encoded(rootKey.accessKeyId), ACCESS_SECRET_KEY: encoded(rootKey.secret) },
  } as KubeObject);
  cluster.put(cloudConnections, {
    ...typeMeta(coreCloudConnection),
    metadata: inSystem(name),
    spec: {
      project: 'shop',
      provider: 'Cloud',
      region: 'eu-west-1',
      endpoint: 'http://cloud.test',
      iamEndpoint: 'http://cloud.test/iam',
      secretRef: { name: `${name}-keys` },
    },
  });
}

/** Names the bucket of a project's backups, or none. */
export function putStorage(environment: TestEnvironment, named: string | null = bucket): void {
  const project = projectIn(environment);
  if (!project) throw new Error('there is no project');
  const { backupStorage: _, ...spec } = project.spec;
  environment.cluster.put(projects, {
    ...project,
    spec: named === null ? spec : { ...spec, backupStorage: { connectionRef: { name: 'aws' }, bucket: named } },
  });
}

export const archivesIn = ({ cluster }: TestEnvironment): readonly CoreBackupArchive[] => cluster.all(backupArchives);

export const jobIn = ({ cluster }: TestEnvironment, name: string): Job | undefined =>
  cluster.all(backupJobs).find(({ metadata }) => metadata.name === name);

/** Ends a Job as its pods would. */
export function endJob(environment: TestEnvironment, name: string, type: 'Complete' | 'Failed'): void {
  const job = jobIn(environment, name);
  if (!job) throw new Error(`there is no Job ${name}`);
  environment.cluster.put(backupJobs, { ...job, status: { conditions: [{ type, status: 'True' }] } });
}

/** What a dump leaves in the bucket. */
export function putDump(environment: TestEnvironment, folder: string, at: number, into = bucket): string {
  const id = pointId(at);
  environment.cloud.put(into, `shop/${folder}/dumps/${id}.sql.gz`, 'rows');
  return id;
}

/** A database with its backups, and the operator over both. */
export async function backupsSession(
  spec: Partial<DatabaseSpec> = {},
  prepare: (environment: TestEnvironment) => void = (environment) => {
    putConnection(environment);
    putStorage(environment);
  },
) {
  const looks = bucketListings(backupStorages());
  const deletions = makeDeletions();
  const session = await startSession<CoreDatabase>({
    resource: databases,
    name: databaseName,
    controllers: [databaseController(databaseImages, looks, deletions), backupArchiveController(looks, deletions)],
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      prepare(environment);
      putDatabase(environment, {
        engine: 'SQLite',
        deploy: { enabled: true },
        backup: { enabled: true, retentionDays: 7 },
        ...spec,
      });
    },
  });
  return {
    ...session,
    backup: () => session.object().status?.backup,
    state: () => session.object().status?.backup?.state ?? null,
    archive: () => archivesIn(session.environment).find((one) => (one.spec.deleteAfter ?? '') === ''),
    /** Its pod runs, so that it is Ready. */
    run: () => session.edit((environment) => kubelet(environment, 'runs')),
  };
}

export type BackupsSession = Awaited<ReturnType<typeof backupsSession>>;
