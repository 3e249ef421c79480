import type { Job } from '../../crds/builtIn.ts';
import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import { annotation, label } from '../../crds/names.ts';
import { bootstrapSecretName, hostOf } from '../database/connection.ts';
import { databaseNameOf, namespaceOf, portOf } from '../database/effective.ts';
import type { DatabaseImages } from '../database/images.ts';
import { ownLabels } from '../owned/ownedObject.ts';
import { type Placement, podAnnotations, podPlacement } from '../placement.ts';
import { createJobName, dropJobName, loginSecretName } from './names.ts';
import { scriptOf, takenExit } from './scripts.ts';

/** The server of a logical database, with the spec that it runs. */
export interface LogicalServer {
  readonly database: Pick<CoreDatabase, 'metadata'>;
  readonly spec: DatabaseSpec;
  /** The region of its nodes, and the tags that its project required when it was placed; none for a shared server. */
  readonly placement: Placement;
}

export type JobRole = 'create' | 'drop';

/** The inputs of a Job of a logical database. */
export interface JobAsked {
  readonly role: JobRole;
  /** The attempt, or the uid of the object being deleted. */
  readonly run: string;
  /** The database on the server, and its owner. */
  readonly database: string;
  readonly login: string;
  readonly isShared: boolean;
}

/** A connection limit is read when the database is created (document 001, CoreLogicalDatabase). */
const defaultConnectionLimit = 20;

/** The number of pods per Job: a failed Job is final, so its pods cover a restart of the server. */
const tries = 5;
const dropSeconds = 180;

interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}
const secretKey = (variable: string, name: string, key: string): EnvVar => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key } },
});

/** The Secret with the login of the administrator, which the Postgres operator creates and the chart of MySQL reads. */
export const adminSecretName = (server: string, engine: DatabaseSpec['engine']): string =>
  engine === 'Postgres' ? `${server}-superuser` : bootstrapSecretName(server);

const adminEnv = (server: string, engine: DatabaseSpec['engine']): readonly EnvVar[] => {
  const secret = adminSecretName(server, engine);
  return engine === 'Postgres'
    ? [secretKey('ADMIN_USERNAME', secret, 'username'), secretKey('ADMIN_PASSWORD', secret, 'password')]
    : [{ name: 'ADMIN_USERNAME', value: 'root' }, secretKey('ADMIN_PASSWORD', secret, 'mysql-root-password')];
};

/** The environment of a script, its only input. */
function envOf(logical: CoreLogicalDatabase, { database, spec }: LogicalServer, asked: JobAsked): readonly EnvVar[] {
  const { name } = logical.metadata;
  const limit = logical.spec.connectionLimit ?? defaultConnectionLimit;
  const makesLogin = asked.isShared && asked.role === 'create';
  return [
    { name: 'SERVER_HOST', value: hostOf(database, spec) },
    { name: 'SERVER_PORT', value: String(portOf(spec)) },
    { name: 'SERVER_DATABASE', value: databaseNameOf(database, spec) },
    ...adminEnv(database.metadata.name, spec.engine),
    { name: 'DATABASE', value: asked.database },
    { name: 'LOGIN', value: asked.login },
    ...(makesLogin ? [secretKey('LOGIN_PASSWORD', loginSecretName(name), 'password')] : []),
    { name: 'CONNECTION_LIMIT', value: String(limit) },
  ];
}

const imageOf = ({ engine, version }: DatabaseSpec, images: DatabaseImages): string =>
  engine === 'Postgres' ? `${images.postgresImage}:${version}` : images.mysqlClientImage;

/** The labels of the Jobs of a logical database (document 001, Provisioning). */
const labelsOf = (logical: CoreLogicalDatabase, role: JobRole): Readonly<Record<string, string>> => ({
  ...ownLabels({ kind: 'CoreLogicalDatabase', name: logical.metadata.name }),
  [label.logicalDatabase]: logical.metadata.name,
  [label.logicalDatabaseRole]: role,
});

/** The Job that creates or drops a logical database, in the namespace of its server. */
export function logicalJob(
  logical: CoreLogicalDatabase,
  server: LogicalServer,
  asked: JobAsked,
  images: DatabaseImages,
): Job {
  const { role, run } = asked;
  const labels = labelsOf(logical, role);
  const { name } = logical.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: role === 'create' ? createJobName(name) : dropJobName(name),
      namespace: namespaceOf(server.spec),
      labels,
      annotations: { [annotation.run]: run },
    },
    spec: {
      backoffLimit: tries,
      ...(role === 'drop' ? { activeDeadlineSeconds: dropSeconds } : {}),
      // A database of another login is a permanent failure.
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { containerName: 'client', operator: 'In', values: [takenExit] } }],
      },
      template: {
        metadata: { labels, annotations: { [annotation.run]: run, ...podAnnotations(server.placement.tags) } },
        spec: {
          restartPolicy: 'Never',
          ...podPlacement(server.placement),
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'client',
              // Says why it failed.
              terminationMessagePolicy: 'FallbackToLogsOnError',
              image: imageOf(server.spec, images),
              command: ['sh', '-c', scriptOf(server.spec.engine, role)],
              env: envOf(logical, server, asked),
              resources: { requests: { cpu: '50m', memory: '64Mi' } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  };
}
