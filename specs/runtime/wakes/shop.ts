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
import type { World } from '../../support/world.ts';

const at = '2026-01-01T00:00:00Z';
const ready = (status: 'True' | 'False', message = '') => ({
  conditions: [{ type: 'Ready', status, reason: 'Told', message, lastTransitionTime: at }],
});
const inShop = { project: 'shop', environment: 'production' };

/** Writes an object by hand, as it stands but for this. */
function put(
  world: World,
  resource: Resource,
  kind: Kind,
  { name, ...fields }: { readonly name: string; readonly spec?: object; readonly status?: object },
): void {
  const found: (KubeObject & { readonly spec?: object }) | undefined = world.cluster
    .all(resource)
    .find(({ metadata }) => metadata.name === name);
  const metadata: KubeObject['metadata'] = found?.metadata ?? inSystem(name);
  world.cluster.put(resource, {
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
export const metadataOf = (world: World, resource: Resource, name: string): KubeObject['metadata'] =>
  world.cluster.all(resource).find(({ metadata }) => metadata.name === name)?.metadata ?? inSystem(name);

const putSecret = (world: World, name: string, data: Readonly<Record<string, string>>) =>
  void world.cluster.put(secrets, { metadata: metadataOf(world, secrets, name), data } as KubeObject);

const service = (world: World, name: string, of: Partial<AppSpec>, annotations = {}) =>
  void world.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { ...inSystem(name), generation: 1, annotations },
    spec: { ...inShop, source: { image: 'nginx:1.27' }, deploy: { enabled: true }, ...of },
  });
const database = (world: World, name: string, of: Partial<DatabaseSpec>) =>
  put(world, databases, coreDatabase, {
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
const project = (world: World, of: Partial<ProjectSpec>) =>
  put(world, projects, coreProject, { name: 'shop', spec: of });

/** Services, databases and buckets that depend on everything that such objects can depend on. */
export function prepare(world: World): void {
  putDatabaseEnvironment(world);
  put(world, platformConfigs, corePlatformConfig, { name: 'platform', spec: { dashboardExposure: 'ingress' } });
  put(world, connections, coreGitHostConnection, {
    name: 'git',
    spec: { project: 'shop', secretRef: { name: 'token' } },
    status: ready('True'),
  });
  put(world, cloudConnections, coreCloudConnection, {
    name: 'cloud',
    spec: { project: 'shop', provider: 'Cloud', secretRef: { name: 'keys' } },
    status: ready('True'),
  });
  project(world, { gitConnectionRef: { name: 'git' } });
  for (const [name, data] of Object.entries(secretData)) putSecret(world, name, data);
  service(world, 'plain', {});
  service(world, 'draft', { deploy: { enabled: false } }, draft);
  service(world, 'reads', { secretRefs: [{ name: 'read' }] });
  service(world, 'pulls', { source: { image: 'nginx:1.27', imagePullSecretRef: { name: 'pull' } } });
  service(world, 'shares', { sharedVariableRefs: ['KEY'] });
  service(world, 'uses', { connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'URL', key: 'uri' }] });
  service(world, 'stores', {
    connectionRefs: [{ kind: 'CoreObjectStore', name: 'files', variable: 'KEY', key: 'bucket' }],
  });
  service(world, 'built', { source: { git: { repository: 'shop/web', waitForCI: false } } });
  service(world, 'first', { networking: { host: 'shop.example', tls: true } });
  service(world, 'second', { networking: { host: 'shop.example', tls: true } });
  database(world, 'orders', {
    placement: 'External',
    engine: 'Postgres',

    passwordSecretRef: { name: 'password', key: 'password' },
  });
  database(world, 'cache', {});
  put(world, logicalDatabases, coreLogicalDatabase, { name: 'recipes', spec: { ...inShop, serverRef: 'orders' } });
  put(world, objectStores, coreObjectStore, {
    name: 'files',
    spec: { ...inShop, mode: 'Bucket', connectionRef: { name: 'cloud' }, deploy: { enabled: true } },
  });
}

type Change = (world: World, on: boolean) => void;

/** Each change of the surroundings, to one of two values. */
export const changes: Readonly<Record<string, Change>> = {
  'the project is Ready': (world, on) =>
    put(world, projects, coreProject, { name: 'shop', status: ready(on ? 'True' : 'False') }),
  'what the project tells': (world, on) =>
    put(world, projects, coreProject, { name: 'shop', status: ready('True', on ? 'one' : 'other') }),
  'its environments': (world, on) => project(world, { environments: on ? ['production'] : ['staging'] }),
  'its region': (world, on) => project(world, { region: on ? 'local' : 'north' }),
  'its tags': (world, on) => project(world, { requiredTags: on ? [] : ['gdpr'] }),
  'its Git host': (world, on) => project(world, { gitConnectionRef: { name: on ? 'git' : 'absent' } }),
  'its cluster': (world, on) => project(world, { clusterRef: { name: on ? 'local' : 'absent' } }),
  'its shared variables': (world, on) =>
    project(world, { sharedVariables: on ? [{ name: 'KEY', environment: 'production', value: 'x' }] : [] }),
  'the cluster is Ready': (world, on) => putCluster(world, 'local', on ? 'True' : 'False'),
  'a node with room': (world, on) => putNode(world, on ? '4' : '0'),
  'the Git host is Ready': (world, on) =>
    put(world, connections, coreGitHostConnection, { name: 'git', status: ready(on ? 'True' : 'False') }),
  'the token': (world, on) => putSecret(world, 'token', on ? { token: 'eA==' } : {}),
  'the cloud is Ready': (world, on) =>
    put(world, cloudConnections, coreCloudConnection, { name: 'cloud', status: ready(on ? 'True' : 'False') }),
  'whose the cloud is': (world, on) =>
    put(world, cloudConnections, coreCloudConnection, { name: 'cloud', spec: { project: on ? 'shop' : 'other' } }),
  'the keys of the cloud': (world, on) => putSecret(world, 'keys', on ? pair : {}),
  'a Secret that is read': (world, on) =>
    on ? putSecret(world, 'read', { LEVEL: 'eA==' }) : world.cluster.drop(secrets, 'read'),
  'a value in it': (world, on) => putSecret(world, 'read', { LEVEL: on ? 'eA==' : 'eQ==' }),
  'another Secret that is read': (world, on) =>
    put(world, apps, coreApp, { name: 'reads', spec: { secretRefs: [{ name: on ? 'read' : 'pull' }] } }),
  'a Secret to pull with': (world, on) => putSecret(world, 'pull', on ? { '.dockerconfigjson': 'e30=' } : {}),
  'a password': (world, on) => putSecret(world, 'password', on ? { password: 'eA==' } : {}),
  'shared variables that are there': (world, on) =>
    void world.cluster.put(owned.configMaps, {
      metadata: {
        ...metadataOf(world, owned.configMaps, 'core-shared-variables'),
        namespace: 'shop-production',
        labels: { 'core.platform/managed-by': 'core' },
      },
      data: on ? { KEY: 'x' } : {},
    } as KubeObject),
  'the host of a service': (world, on) =>
    put(world, apps, coreApp, {
      name: 'first',
      spec: { networking: { host: on ? 'shop.example' : 'other.example', tls: true } },
    }),
  'the registry': (world, on) =>
    put(world, platformConfigs, corePlatformConfig, {
      name: 'platform',
      spec: {
        registry: { repository: on ? 'registry.example/all' : 'other.example/all', credentialRef: { name: 'pull' } },
      },
    }),
  'the domain': (world, on) =>
    put(world, platformConfigs, corePlatformConfig, {
      name: 'platform',
      spec: { rootDomain: on ? 'example' : 'example.org' },
    }),
};
