import type { CoreCluster } from '../../../crds/coreCluster.ts';
import {
  type ClusterSources,
  serverlessChartName,
  serverlessCharts,
  storageChart,
  storageChartName,
} from '../../../rules/cluster/addons.ts';
import { clusterIssuer } from '../../../rules/cluster/issuer.ts';
import { regionsOf } from '../../../rules/cluster/nodes.ts';
import { addonClasses, classFor, replicatedClass, type StorageClass } from '../../../rules/cluster/storage.ts';
import { nodePlacementOf } from '../../../rules/database/nodePlacement.ts';
import type { Fixed } from '../../../rules/owned/ownedObject.ts';
import { regionalClass, taggedClass } from '../../../rules/storageClass.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { any, byCluster, byTagged } from '../../services/cluster/indexes.ts';
import { databases, projects } from '../../services/cluster/kinds.ts';
import type { OwnedObject } from '../../owned/owned.ts';
import { helmCharts, scaledObjects, storageClasses } from '../../owned/addonKinds.ts';
import { projectPlacement } from '../placement.ts';
import { clusterNodes } from '../capacity.ts';
import { clusterIssuers, ownClasses } from './kinds.ts';
import { isIssuerServed, isStorageServed } from './observe.ts';
import { namesBy } from '../../cache/names.ts';

/** The desired objects of a cluster, by its settings. */
export const wantedOf =
  (sources: ClusterSources) =>
  (cluster: CoreCluster, reader: CacheReader): readonly OwnedObject[] => [
    ...issuers(cluster, reader, sources),
    ...charts(cluster, reader, sources),
    ...classes(cluster, reader).map(asClass),
  ];

function issuers({ spec: { acmeEmail = '' } }: CoreCluster, reader: CacheReader, sources: ClusterSources) {
  if (acmeEmail === '' || !isIssuerServed(reader)) return [];
  return [{ resource: clusterIssuers, object: clusterIssuer(acmeEmail, sources.acmeDirectory) }];
}

/** Whether the cluster has replicated storage that Core did not install. */
const hasOtherStorage = (reader: CacheReader): boolean =>
  reader.list(storageClasses).some(({ metadata }) => metadata.name === replicatedClass) &&
  reader.get(ownClasses, replicatedClass) === undefined;

const hasStorageChart = (reader: CacheReader): boolean => reader.get(helmCharts, storageChartName) !== undefined;

/** Whether services sleep; only the add-on can wake them, so it is removed last. */
const hasSleepers = (reader: CacheReader): boolean =>
  reader.get(helmCharts, serverlessChartName) !== undefined && reader.list(scaledObjects).length > 0;

function charts({ spec: { addons = {} } }: CoreCluster, reader: CacheReader, sources: ClusterSources) {
  const storage = addons.storage === true && !hasOtherStorage(reader);
  const serverless = addons.serverless === true || hasSleepers(reader);
  return [...(storage ? [storageChart(sources)] : []), ...(serverless ? serverlessCharts(sources) : [])].map(
    (object): OwnedObject => ({ resource: helmCharts, object }),
  );
}

/**
 * The classes of the add-on, once it serves: earlier, databases would wait for volumes that are never provisioned. They
 * stay while it restarts.
 */
function ownStorage(reader: CacheReader): readonly StorageClass[] {
  if (!hasStorageChart(reader) || hasOtherStorage(reader)) return [];
  if (isStorageServed(reader)) return addonClasses;
  return addonClasses.filter(({ metadata }) => reader.get(ownClasses, metadata.name) !== undefined);
}

/** The classes of the add-on, and copies of the replicated one for each region and each set of required tags. */
function classes(cluster: CoreCluster, reader: CacheReader): readonly StorageClass[] {
  const { addons = {}, defaultRegion = '' } = cluster.spec;
  if (addons.storage !== true) return [];
  const own = ownStorage(reader);
  const like = reader
    .list(storageClasses)
    .map((one): StorageClass => one)
    .find(({ metadata }) => metadata.name === replicatedClass);
  if (!like) return own;
  const regional = regionsOf(reader.list(clusterNodes))
    .filter((region) => region !== defaultRegion)
    .map((region) => classFor(regionalClass(region), like, { region, tags: [] }));
  return [...own, ...regional, ...tagged(cluster, reader, like)];
}

function tagged({ metadata }: CoreCluster, reader: CacheReader, like: StorageClass): readonly StorageClass[] {
  const names = new Set(namesBy(reader, projects, byCluster, metadata.name));
  const now = [...names].map((project) => projectPlacement(project, reader));
  // Data stay where they were placed, even if their project's requirements changed.
  const before = reader
    .indexed(databases, byTagged.name, any)
    .filter(({ spec }) => names.has(spec.project ?? ''))
    .flatMap((database) => nodePlacementOf(database) ?? [])
    .map(({ region, required }) => ({ region, tags: required }));
  const found = new Map<string, StorageClass>();
  for (const placement of [...now, ...before].filter(({ tags }) => tags.length > 0)) {
    const name = taggedClass({ region: placement.region, required: placement.tags });
    found.set(name, classFor(name, like, placement));
  }
  return [...found.values()];
}

const unchangeable: readonly Fixed[] = [
  'provisioner',
  'parameters',
  'reclaimPolicy',
  'volumeBindingMode',
  'allowedTopologies',
].map((field) => ({ path: [field], then: 'replace' }));

const asClass = (object: StorageClass): OwnedObject => ({ resource: ownClasses, object, fixed: unchangeable });
