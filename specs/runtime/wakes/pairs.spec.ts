import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { concernedBy } from '../../../runtime/queue/concerned.ts';
import {
  apps,
  backupArchives,
  builds,
  cloudConnections,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  projects,
} from '../../../runtime/services/cluster/kinds.ts';
import { nameOf } from '../../../runtime/contract/controller.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { fleetOf } from './fleet.ts';
import { countingReader } from './reader.ts';

const spec = suite('which kinds a change wakes');

const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});
const fleet = fleetOf(1);

/** A change of one field of one object, and the kinds whose objects pass for it, besides its own. */
interface Pair {
  readonly of: Resource;
  readonly name: string;
  /** The path of the field. */
  readonly field: string;
  readonly to: unknown;
  readonly wakes: readonly string[];
}

const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Is',
  message: 'so',
  lastTransitionTime: '2027-01-01T00:00:00Z',
};
const notReady = [{ ...condition, status: 'False' }];
const ready = 'status.conditions';
const users = ['CoreApp', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore'];

const pairs: readonly Pair[] = [
  // A project.
  { of: projects, name: 'shop-0', field: ready, to: notReady, wakes: users },
  { of: projects, name: 'shop-0', field: ready, to: [{ ...condition, message: 'otherwise' }], wakes: [] },
  { of: projects, name: 'shop-0', field: ready, to: [{ ...condition, lastTransitionTime: 'later' }], wakes: [] },
  { of: projects, name: 'shop-0', field: 'status.webhookDeliveries', to: [{}], wakes: [] },
  { of: projects, name: 'shop-0', field: 'status.history', to: [{}], wakes: [] },
  { of: projects, name: 'shop-0', field: 'spec.environments', to: ['staging'], wakes: users },
  { of: projects, name: 'shop-0', field: 'spec.requiredTags', to: ['gdpr'], wakes: [...users, 'CoreCluster'] },
  { of: projects, name: 'shop-0', field: 'spec.sharedVariables', to: [], wakes: ['CoreApp'] },
  { of: projects, name: 'shop-0', field: 'spec.gitConnectionRef', to: { name: 'other' }, wakes: ['CoreApp'] },
  { of: projects, name: 'shop-0', field: 'spec.backupStorage', to: undefined, wakes: ['CoreDatabase'] },
  { of: projects, name: 'shop-0', field: 'spec.webhooks', to: [{}], wakes: [] },
  { of: projects, name: 'shop-0', field: 'metadata.annotations', to: { visited: 'true' }, wakes: [] },
  // A cluster.
  { of: clusters, name: 'cluster-0', field: 'metadata.annotations', to: { visited: 'true' }, wakes: [] },
  {
    of: clusters,
    name: 'cluster-0',
    field: ready,
    to: notReady,
    wakes: ['CoreApp', 'CoreDatabase', 'CoreProject', 'CorePlatformConfig'],
  },
  { of: clusters, name: 'cluster-0', field: 'status.nodes', to: 7, wakes: [] },
  {
    of: clusters,
    name: 'cluster-0',
    field: 'spec.defaultRegion',
    to: 'north',
    wakes: ['CoreApp', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreProject', 'CorePlatformConfig'],
  },
  // A node.
  { of: clusterNodes, name: 'one', field: 'metadata.annotations', to: { visited: 'true' }, wakes: [] },
  {
    of: clusterNodes,
    name: 'one',
    field: ready,
    to: notReady,
    wakes: ['CoreCluster', 'CoreNode', 'CorePlatformConfig'],
  },
  {
    of: clusterNodes,
    name: 'one',
    field: 'metadata.labels',
    to: { 'core.platform/region': 'north' },
    wakes: ['CoreCluster', 'CoreNode', 'CorePlatformConfig'],
  },
  { of: clusterNodes, name: 'one', field: ready, to: [{ ...condition, lastHeartbeatTime: 'now' }], wakes: [] },
  // Secrets.
  {
    of: secrets,
    name: 'token-0',
    field: 'data',
    to: { token: 'eA==' },
    wakes: ['CoreApp', 'CoreBuild', 'CoreGitHostConnection'],
  },
  { of: secrets, name: 'read-0', field: 'data', to: { KEY: 'eA==' }, wakes: ['CoreApp'] },
  { of: secrets, name: 'read-0', field: 'metadata.annotations', to: { visited: 'true' }, wakes: [] },
  { of: secrets, name: 'shared-0', field: 'data', to: { KEY: 'eA==' }, wakes: ['CoreProject'] },
  { of: secrets, name: 'password-0', field: 'data', to: { password: 'eA==' }, wakes: ['CoreDatabase'] },
  { of: secrets, name: 'ssh-0', field: 'data', to: { key: 'eA==' }, wakes: ['CoreNode'] },
  {
    of: secrets,
    name: 'keys-0',
    field: 'data',
    to: { key: 'eA==' },
    wakes: ['CoreBackupArchive', 'CoreCloudConnection', 'CoreDatabase', 'CoreObjectStore', 'CoreProject'],
  },
  // What services are connected to, and what they are built by.
  { of: databases, name: 'orders-0', field: 'status.history', to: [{}], wakes: [] },
  {
    of: databases,
    name: 'orders-0',
    field: ready,
    to: notReady,
    wakes: ['CoreApp', 'CoreBackupArchive', 'CoreLogicalDatabase'],
  },
  { of: logicalDatabases, name: 'recipes-0', field: ready, to: notReady, wakes: [] },
  { of: logicalDatabases, name: 'recipes-0', field: 'spec.serverRef', to: 'copy-0', wakes: ['CoreDatabase'] },
  { of: objectStores, name: 'files-0', field: 'status.history', to: [{}], wakes: [] },
  { of: builds, name: 'web-0-0', field: 'status.phase', to: 'Running', wakes: ['CoreApp'] },
  { of: builds, name: 'web-0-0', field: 'status.history', to: [{}], wakes: [] },
  { of: connections, name: 'git-0', field: ready, to: notReady, wakes: ['CoreApp', 'CoreBuild'] },
  {
    of: cloudConnections,
    name: 'cloud-0',
    field: ready,
    to: notReady,
    wakes: ['CoreBackupArchive', 'CoreDatabase', 'CoreObjectStore', 'CoreProject'],
  },
  { of: backupArchives, name: 'archive-0', field: 'status.history', to: [{}], wakes: [] },
  // A service.
  { of: apps, name: 'web-0-0', field: 'status.history', to: [{}], wakes: [] },
  { of: apps, name: 'web-0-0', field: 'spec.config', to: { LEVEL: 'debug' }, wakes: ['activeDeployment'] },
  {
    of: apps,
    name: 'web-0-0',
    field: 'spec.networking',
    to: { host: 'web-0-1.example' },
    wakes: ['CoreApp', 'CorePlatformConfig', 'activeDeployment'],
  },
];

const changed = (object: KubeObject, field: string, to: unknown): KubeObject => {
  const set = (from: unknown, [key, ...rest]: readonly string[]): unknown =>
    key === undefined
      ? to
      : { ...(from as object), [key]: set((from as Readonly<Record<string, unknown>> | undefined)?.[key], rest) };
  const after = set(object, field.split('.')) as KubeObject;
  return { ...after, metadata: { ...after.metadata, resourceVersion: '2' } };
};

/** The kinds of which an object passes for a change, but for that of the changed object itself. */
function wokenBy({ of, name, field, to }: Pair): readonly string[] {
  const before = fleet.get(of)?.find(({ metadata }) => metadata.name === name);
  if (!before) throw new Error(`the fleet has no ${of.kind} ${name}`);
  const previous = field === ready ? changed(before, ready, [condition]) : before;
  const object = changed(previous, field, to);
  const { reader } = countingReader(
    new Map([...fleet].map(([one, all]) => [one, all.map((other) => (other === before ? object : other))])),
  );
  const change = {
    type: 'modified',
    object,
    previous,
    own: false,
    initial: false,
  } as const;
  const woken = controllers.filter((controller) =>
    controller.watches.some((watching) => watching.resource === of && concernedBy(watching, change, reader).size > 0),
  );
  return woken.map(nameOf).toSorted();
}

for (const pair of pairs)
  spec(
    `a change of ${pair.field} of a ${pair.of.kind} to ${JSON.stringify(pair.to)} wakes ${pair.wakes.length === 0 ? 'nobody' : pair.wakes.join(', ')}`,
    () => {
      assert.equal(wokenBy(pair), pair.wakes.toSorted());
    },
  );

spec.run();
