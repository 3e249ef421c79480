import { coreApp } from '../../../crds/coreApp.ts';
import { coreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { coreBuild } from '../../../crds/coreBuild.ts';
import { coreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { coreCluster } from '../../../crds/coreCluster.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { coreDeployment } from '../../../crds/coreDeployment.ts';
import { coreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import { coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { coreNode } from '../../../crds/coreNode.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { coreProject } from '../../../crds/coreProject.ts';
import { type Kind, type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation, label, managedBy } from '../../../crds/names.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../../../runtime/controllers/capacity.ts';
import {
  apps,
  backupArchives,
  builds,
  cloudConnections,
  clusters,
  connections,
  databases,
  deployments,
  logicalDatabases,
  nodes,
  objectStores,
  projects,
} from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { inSystem } from '../../support/project.ts';

/** How many services a project of the fleet has, and each of what they are connected to. */
const ofProject = 2;

const of = (kind: Kind, name: string, spec: object, more: object = {}): KubeObject =>
  ({
    ...typeMeta(kind),
    metadata: { ...inSystem(name), uid: name, resourceVersion: '1' },
    spec,
    ...more,
  }) as KubeObject;

const labelled = (name: string, of: string, namespace = 'core-system') => ({
  metadata: {
    name,
    namespace,
    resourceVersion: '1',
    labels: { [label.managedBy]: managedBy, [label.kind]: 'CoreApp', [label.name]: of },
  },
});

/** What belongs to one project, all of it named after its number, so that no project shares anything with another. */
function projectOf(at: number): readonly (readonly [Resource, KubeObject])[] {
  const name = (what: string) => `${what}-${at}`;
  const placed = { project: name('shop'), environment: 'production' };
  const services = Array.from({ length: ofProject }, (_, number) => `${name('web')}-${number}`);
  return [
    [
      projects,
      of(coreProject, name('shop'), {
        clusterRef: { name: name('cluster') },
        environments: ['production'],
        gitConnectionRef: { name: name('git') },
        backupStorage: { connectionRef: { name: name('cloud') }, bucket: name('backups') },
        sharedVariables: [{ name: 'KEY', environment: 'production', secretRef: { name: name('shared') } }],
      }),
    ],
    [clusters, of(coreCluster, name('cluster'), {})],
    [
      connections,
      of(coreGitHostConnection, name('git'), { project: name('shop'), secretRef: { name: name('token') } }),
    ],
    [
      cloudConnections,
      of(coreCloudConnection, name('cloud'), { ...placed, provider: 'Cloud', secretRef: { name: name('keys') } }),
    ],
    ...services.flatMap((service): readonly (readonly [Resource, KubeObject])[] => [
      [
        apps,
        of(coreApp, service, {
          ...placed,
          source: { git: { repository: 'shop/web' } },
          secretRefs: [{ name: name('read') }],
          connectionRefs: [{ kind: 'CoreDatabase', name: name('orders'), variable: 'URL', key: 'url' }],
          sharedVariableRefs: ['KEY'],
          networking: { host: `${service}.example` },
          deploy: { enabled: true },
        }),
      ],
      [builds, of(coreBuild, service, { ...placed, app: service, connectionRef: { name: name('git') } })],
      [
        deployments,
        {
          ...of(coreDeployment, `${service}-first`, { app: service }),
          metadata: labelled(`${service}-first`, '').metadata,
        },
      ],
      [workloadPods, labelled(service, service, `${name('shop')}-production`)],
      [owned.deployments, labelled(service, service, `${name('shop')}-production`)],
    ]),
    [
      databases,
      of(coreDatabase, name('orders'), {
        ...placed,
        engine: 'Postgres',
        placement: 'External',
        highAvailability: false,
        connectionRef: { name: name('cloud') },
        passwordSecretRef: { name: name('password') },
        deploy: { enabled: true },
      }),
    ],
    [logicalDatabases, of(coreLogicalDatabase, name('recipes'), { ...placed, serverRef: name('orders') })],
    [
      objectStores,
      of(coreObjectStore, name('files'), {
        ...placed,
        mode: 'Bucket',
        connectionRef: { name: name('cloud') },
        deploy: { enabled: true },
      }),
    ],
    [
      backupArchives,
      of(coreBackupArchive, name('archive'), {
        ...placed,
        database: name('orders'),
        databaseUID: name('orders'),
        storage: { connectionRef: { name: name('cloud') }, bucket: name('backups') },
      }),
    ],
    [nodes, of(coreNode, name('server'), { sshKeySecretRef: { name: name('ssh') } })],
    [namespaces, { metadata: { name: `${name('shop')}-production`, resourceVersion: '1' } }],
    ...['token', 'keys', 'read', 'password', 'shared', 'ssh'].map(
      (what) => [secrets, { metadata: { ...inSystem(name(what)), resourceVersion: '1' } }] as const,
    ),
    [owned.secrets, labelled(name('connection'), name('orders'), `${name('shop')}-production`)],
    [unmanagedPods, { metadata: { ...inSystem(name('agent')), resourceVersion: '1' } }],
    [
      databases,
      {
        ...of(coreDatabase, name('copy'), { ...placed, environment: 'pr-1', placement: 'InCluster' }),
        metadata: { ...inSystem(name('copy')), resourceVersion: '1', annotations: { [annotation.copyOf]: 'orders' } },
      },
    ],
  ];
}

/** So many projects with all that projects have, and one node. */
export function fleetOf(count: number): ReadonlyMap<Resource, readonly KubeObject[]> {
  const fleet = new Map<Resource, KubeObject[]>();
  const add = (resource: Resource, object: KubeObject) => fleet.set(resource, [...(fleet.get(resource) ?? []), object]);
  for (let at = 0; at < count; at++) for (const [resource, object] of projectOf(at)) add(resource, object);
  add(clusterNodes, { metadata: { name: 'one', resourceVersion: '1' } });
  return fleet;
}
