import type { Job, Secret } from '../../crds/builtIn.ts';
import { coreDatabase, type CoreDatabase, type DatabaseSpec, type DatabaseStatus } from '../../crds/coreDatabase.ts';
import {
  type CoreLogicalDatabase,
  coreLogicalDatabase,
  type LogicalDatabaseSpec,
} from '../../crds/coreLogicalDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { chartClaims, postgresClusters } from '../../runtime/owned/addonKinds.ts';
import { logicalJobs } from '../../runtime/controllers/logicalDatabase/owned/jobs.ts';
import { databases, logicalDatabases } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { putDefinition } from './engines.ts';
import { inSystem, pieceIn } from './project.ts';
import type { TestEnvironment } from './environment.ts';

export const logicalName = 'recipes';
export const serverName = 'main';
const at = '2026-01-01T00:00:00Z';
const serverLabels = {
  'core.platform/managed-by': 'core',
  'core.platform/kind': 'CoreDatabase',
  'core.platform/name': serverName,
};

const ready = (status: 'True' | 'False') => ({
  conditions: [{ type: 'Ready', status, reason: 'DatabaseReady', message: '', lastTransitionTime: at }],
});

export interface ServerAsked {
  readonly isShared?: boolean;
  readonly ready?: 'True' | 'False';
  readonly spec?: Partial<DatabaseSpec>;
  readonly status?: Partial<DatabaseStatus>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

const namespaceOf = (isShared: boolean) => (isShared ? 'core-system' : 'shop-production');

const putSecret = (
  { cluster }: TestEnvironment,
  isShared: boolean,
  {
    name,
    texts,
    uid,
  }: { readonly name: string; readonly texts: Readonly<Record<string, string>>; readonly uid?: string },
): void =>
  void cluster.put(owned.secrets, {
    kind: 'Secret',
    metadata: {
      name,
      namespace: namespaceOf(isShared),
      ...(uid === undefined ? {} : { uid }),
      labels: serverLabels,
    },
    data: encoded(texts),
  });

/** A server as its controller leaves it: Ready, with its Secrets, that of the administrator among them. */
export function putServer(environment: TestEnvironment, asked: ServerAsked = {}): void {
  const { isShared = true, spec = {}, status = {}, annotations = {} } = asked;
  const before = environment.cluster.all(databases).find(({ metadata }) => metadata.name === serverName);
  const placement = { 'core.platform/node-placement': '{"region":"local"}', ...annotations };
  const server: CoreDatabase = {
    ...typeMeta(coreDatabase),
    metadata: { ...(before?.metadata ?? inSystem(serverName)), annotations: placement },
    spec: {
      ...(isShared ? {} : { project: 'shop', environment: 'production' }),
      engine: 'Postgres',
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: true },
      ...spec,
    },
    status: { ...ready(asked.ready ?? 'True'), connectionSecret: `${serverName}-connection`, ...status },
  };
  environment.cluster.put(databases, server);
  putServerSecrets(environment, isShared);
  if (server.spec.engine === 'Postgres') putCluster(environment, isShared);
  if (server.spec.engine === 'MySQL') putClaim(environment, isShared);
  putAdmin(environment, isShared);
}

/** The server of Postgres itself, as the operator of it has made it. */
export function putCluster(environment: TestEnvironment, isShared = true, uid = 'made-first'): void {
  putDefinition(environment);
  const metadata = { name: serverName, namespace: namespaceOf(isShared), uid, labels: serverLabels };
  environment.cluster.put(postgresClusters, { metadata });
}

/** The claim of a MySQL server, as its chart has made it. */
export function putClaim(environment: TestEnvironment, isShared = true, uid = 'made-first'): void {
  const release = `core-mysql-${serverName}`;
  const labels = { 'app.kubernetes.io/instance': release };
  const metadata = { name: `data-${release}-0`, namespace: namespaceOf(isShared), uid, labels };
  environment.cluster.put(chartClaims, { metadata, status: { phase: 'Bound' } });
}

export function putServerSecrets(environment: TestEnvironment, isShared = true, uid = 'made-first'): void {
  const app = { username: 'app', password: 'apps-own' };
  putSecret(environment, isShared, { name: `${serverName}-connection`, texts: app });
  putSecret(environment, isShared, {
    name: `${serverName}-bootstrap`,
    texts: { ...app, 'mysql-root-password': 'roots' },
    uid,
  });
}

export const putAdmin = (environment: TestEnvironment, isShared = true): void =>
  putSecret(environment, isShared, {
    name: `${serverName}-superuser`,
    texts: { username: 'postgres', password: 'admins' },
  });

const newSpec: LogicalDatabaseSpec = {
  project: 'shop',
  environment: 'production',
  serverRef: serverName,
  databaseName: 'recipes',
};

/** A logical database as somebody creates it. */
export const newLogical = (): CoreLogicalDatabase => ({
  ...typeMeta(coreLogicalDatabase),
  metadata: inSystem(logicalName),
  spec: newSpec,
});

export function putLogical(
  environment: TestEnvironment,
  spec: Partial<LogicalDatabaseSpec> = {},
  name = logicalName,
): void {
  const found = environment.cluster.all(logicalDatabases).find(({ metadata }) => metadata.name === name);
  const before = found?.spec ?? newSpec;
  environment.cluster.put(logicalDatabases, {
    ...typeMeta(coreLogicalDatabase),
    metadata: { ...(found?.metadata ?? inSystem(name)), generation: (found?.metadata.generation ?? 0) + 1 },
    spec: { ...before, ...spec },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}

export const logicalIn = ({ cluster }: TestEnvironment, name: string): CoreLogicalDatabase | undefined =>
  cluster.all(logicalDatabases).find(({ metadata }) => metadata.name === name);

interface ClientJob extends Job {
  readonly spec: {
    readonly backoffLimit: number;
    readonly template: {
      readonly spec: {
        readonly nodeSelector: Readonly<Record<string, string>>;
        readonly tolerations: readonly { readonly value: string }[];
        readonly containers: readonly {
          readonly image: string;
          readonly command: readonly string[];
          readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
        }[];
      };
    };
  };
}

export const jobIn = (
  environment: TestEnvironment,
  role: 'create' | 'drop',
  { name = logicalName, namespace = 'core-system' }: { readonly name?: string; readonly namespace?: string } = {},
): ClientJob | undefined => pieceIn(environment, logicalJobs, `${name}-${role}`, namespace) as ClientJob | undefined;

/** What the Job of a role came to. */
export function jobEnds(
  environment: TestEnvironment,
  role: 'create' | 'drop',
  is: 'Complete' | 'Failed' | 'taken',
  of: Parameters<typeof jobIn>[2] = {},
): void {
  const job = jobIn(environment, role, of);
  if (!job) throw new Error(`there is no Job to ${role}`);
  const condition =
    is === 'Complete'
      ? { type: 'Complete', status: 'True' }
      : { type: 'Failed', status: 'True', reason: is === 'taken' ? 'PodFailurePolicy' : 'BackoffLimitExceeded' };
  environment.cluster.put(logicalJobs, { ...job, status: { conditions: [condition] } });
}

export const logicalSecret = (
  environment: TestEnvironment,
  of: 'connection' | 'login',
  name = logicalName,
): Secret | undefined =>
  pieceIn(environment, owned.secrets, `${name}-${of}`, of === 'login' ? 'core-system' : 'shop-production');

export const logicalText = (environment: TestEnvironment, key: string, name = logicalName): string =>
  Buffer.from(logicalSecret(environment, 'connection', name)?.data?.[key] ?? '', 'base64').toString();
