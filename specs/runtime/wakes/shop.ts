import { coreApp, type AppSpec } from '../../../crds/coreApp.ts';
import { coreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { coreDatabase, type DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { coreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import { coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { corePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { coreProject, type ProjectSpec } from '../../../crds/coreProject.ts';
import { type Kind, type KubeObject, typeMeta } from '../../../crds/kind.ts';
import {
  apps,
  cloudConnections,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  platformConfigs,
  projects,
} from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { putNode, putDatabaseEnvironment } from '../../support/database.ts';
import { rootKey } from '../../support/memory/cloud.ts';
import { inSystem, putCluster } from '../../support/project.ts';
import { draft } from '../../support/service.ts';
import type { TestEnvironment } from '../../support/environment.ts';

const at = '2026-01-01T00:00:00Z';
const ready = (status: 'True' | 'False', message = '') => ({
  conditions: [{ type: 'Ready', status, reason: 'Told', message, lastTransitionTime: at }],
});
const inShop = { project: 'shop', environment: 'production' };

/** Writes an object by hand, as it stands but for this. */
function put(
  environment: TestEnvironment,
  resource: Resource,
  kind: Kind,
  { name, ...fields }: { readonly name: string; readonly spec?: object; readonly status?: object },
): void {
  const found: (KubeObject & { readonly spec?: object }) | undefined = environment.cluster
    .all(resource)
    .find(({ metadata }) => metadata.name === name);
  const metadata: KubeObject['metadata'] = found?.metadata ?? inSystem(name);
  environment.cluster.put(resource, {
    ...typeMeta(kind),
    ...found,
    metadata: { ...metadata, generation: (metadata.generation ?? 0) + (fields.spec ? 1 : 0) },
    ...(fields.spec || found?.spec ? { spec: { ...found?.spec, ...fields.spec } } : {}),
    ...(fields.status ? { status: fields.status } : {}),
  });
}

const encoded = (text: string) => Buffer.from(text).toString('base64');
const pair = { ACCESS_KEY_ID: encoded(rootKey.accessKeyId), ACCESS_SECRET_KEY: encoded(rootKey.secret) };
const secretData = {
  token: { token: 'eA==' },
  read: { LEVEL: 'eA==' },
  pull: { '.dockerconfigjson': 'e30=' },
  keys: pair,
  password: { password: 'eA==' },
};
/** The metadata of what has a name, so that a write changes it and makes no other. */
export const metadataOf = (environment: TestEnvironment, resource: Resource, name: string): KubeObject['metadata'] =>
  environment.cluster.all(resource).find(({ metadata }) => metadata.name === name)?.metadata ?? inSystem(name);

const putSecret = (environment: TestEnvironment, name: string, data: Readonly<Record<string, string>>) =>
  void environment.cluster.put(secrets, { metadata: metadataOf(environment, secrets, name), data } as KubeObject);

const service = (environment: TestEnvironment, name: string, of: Partial<AppSpec>, annotations = {}) =>
  void environment.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { ...inSystem(name), generation: 1, annotations },
    spec: { ...inShop, source: { image: 'nginx:1.27' }, deploy: { enabled: true }, ...of },
  });
const database = (environment: TestEnvironment, name: string, of: Partial<DatabaseSpec>) =>
  put(environment, databases, coreDatabase, {
    name,
    spec: {
      ...inShop,
      engine: 'SQLite',
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: true },
      ...of,
    },
  });
const project = (environment: TestEnvironment, of: Partial<ProjectSpec>) =>
  put(environment, projects, coreProject, { name: 'shop', spec: of });

/** Services, databases and buckets that depend on everything that such objects can depend on. */
export function prepare(environment: TestEnvironment): void {
  putDatabaseEnvironment(environment);
  put(environment, platformConfigs, corePlatformConfig, { name: 'platform', spec: { dashboardExposure: 'ingress' } });
  put(environment, connections, coreGitHostConnection, {
    name: 'git',
    spec: { project: 'shop', secretRef: { name: 'token' } },
    status: ready('True'),
  });
  put(environment, cloudConnections, coreCloudConnection, {
    name: 'cloud',
    spec: { project: 'shop', provider: 'Cloud', secretRef: { name: 'keys' } },
    status: ready('True'),
  });
  project(environment, { gitConnectionRef: { name: 'git' } });
  for (const [name, data] of Object.entries(secretData)) putSecret(environment, name, data);
  service(environment, 'plain', {});
  service(environment, 'draft', { deploy: { enabled: false } }, draft);
  service(environment, 'reads', { secretRefs: [{ name: 'read' }] });
  service(environment, 'pulls', { source: { image: 'nginx:1.27', imagePullSecretRef: { name: 'pull' } } });
  service(environment, 'shares', { sharedVariableRefs: ['KEY'] });
  service(environment, 'uses', {
    connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'URL', key: 'uri' }],
  });
  service(environment, 'stores', {
    connectionRefs: [{ kind: 'CoreObjectStore', name: 'files', variable: 'KEY', key: 'bucket' }],
  });
  service(environment, 'built', { source: { git: { repository: 'shop/web', waitForCI: false } } });
  service(environment, 'first', { networking: { host: 'shop.example', tls: true } });
  service(environment, 'second', { networking: { host: 'shop.example', tls: true } });
  database(environment, 'orders', {
    placement: 'External',
    engine: 'Postgres',

    passwordSecretRef: { name: 'password', key: 'password' },
  });
  database(environment, 'cache', {});
  put(environment, logicalDatabases, coreLogicalDatabase, {
    name: 'recipes',
    spec: { ...inShop, serverRef: 'orders' },
  });
  put(environment, objectStores, coreObjectStore, {
    name: 'files',
    spec: { ...inShop, mode: 'Bucket', connectionRef: { name: 'cloud' }, deploy: { enabled: true } },
  });
}

type Change = (environment: TestEnvironment, on: boolean) => void;

/** Each change of the surroundings, to one of two values. */
export const changes: Readonly<Record<string, Change>> = {
  'the project is Ready': (environment, on) =>
    put(environment, projects, coreProject, { name: 'shop', status: ready(on ? 'True' : 'False') }),
  'what the project tells': (environment, on) =>
    put(environment, projects, coreProject, { name: 'shop', status: ready('True', on ? 'one' : 'other') }),
  'its environments': (environment, on) => project(environment, { environments: on ? ['production'] : ['staging'] }),
  'its region': (environment, on) => project(environment, { region: on ? 'local' : 'north' }),
  'its tags': (environment, on) => project(environment, { requiredTags: on ? [] : ['gdpr'] }),
  'its Git host': (environment, on) => project(environment, { gitConnectionRef: { name: on ? 'git' : 'absent' } }),
  'its cluster': (environment, on) => project(environment, { clusterRef: { name: on ? 'local' : 'absent' } }),
  'its shared variables': (environment, on) =>
    project(environment, { sharedVariables: on ? [{ name: 'KEY', environment: 'production', value: 'x' }] : [] }),
  'the cluster is Ready': (environment, on) => putCluster(environment, 'local', on ? 'True' : 'False'),
  'a node with room': (environment, on) => putNode(environment, on ? '4' : '0'),
  'the Git host is Ready': (environment, on) =>
    put(environment, connections, coreGitHostConnection, { name: 'git', status: ready(on ? 'True' : 'False') }),
  'the token': (environment, on) => putSecret(environment, 'token', on ? { token: 'eA==' } : {}),
  'the cloud is Ready': (environment, on) =>
    put(environment, cloudConnections, coreCloudConnection, { name: 'cloud', status: ready(on ? 'True' : 'False') }),
  'whose the cloud is': (environment, on) =>
    put(environment, cloudConnections, coreCloudConnection, {
      name: 'cloud',
      spec: { project: on ? 'shop' : 'other' },
    }),
  'the keys of the cloud': (environment, on) => putSecret(environment, 'keys', on ? pair : {}),
  'a Secret that is read': (environment, on) =>
    on ? putSecret(environment, 'read', { LEVEL: 'eA==' }) : environment.cluster.drop(secrets, 'read'),
  'a value in it': (environment, on) => putSecret(environment, 'read', { LEVEL: on ? 'eA==' : 'eQ==' }),
  'another Secret that is read': (environment, on) =>
    put(environment, apps, coreApp, { name: 'reads', spec: { secretRefs: [{ name: on ? 'read' : 'pull' }] } }),
  'a Secret to pull with': (environment, on) =>
    putSecret(environment, 'pull', on ? { '.dockerconfigjson': 'e30=' } : {}),
  'a password': (environment, on) => putSecret(environment, 'password', on ? { password: 'eA==' } : {}),
  'shared variables that are there': (environment, on) =>
    void environment.cluster.put(owned.configMaps, {
      metadata: {
        ...metadataOf(environment, owned.configMaps, 'core-shared-variables'),
        namespace: 'shop-production',
        labels: { 'core.platform/managed-by': 'core' },
      },
      data: on ? { KEY: 'x' } : {},
    } as KubeObject),
  'the host of a service': (environment, on) =>
    put(environment, apps, coreApp, {
      name: 'first',
      spec: { networking: { host: on ? 'shop.example' : 'other.example', tls: true } },
    }),
  'the registry': (environment, on) =>
    put(environment, platformConfigs, corePlatformConfig, {
      name: 'platform',
      spec: {
        registry: { repository: on ? 'registry.example/all' : 'other.example/all', credentialRef: { name: 'pull' } },
      },
    }),
  'the domain': (environment, on) =>
    put(environment, platformConfigs, corePlatformConfig, {
      name: 'platform',
      spec: { rootDomain: on ? 'example' : 'example.org' },
    }),
};
