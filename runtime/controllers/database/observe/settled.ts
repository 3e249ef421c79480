import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { hasVolume, isShared, namespaceOf } from '../../../../rules/database/effective.ts';
import {
  type NodePlacement,
  nodePlacementOf,
  nodePlacementText,
  placementOf,
} from '../../../../rules/database/nodePlacement.ts';
import type { DatabaseImages } from '../../../../rules/database/images.ts';
import type { Settled } from '../../../../rules/database/settled.ts';
import { claimName } from '../../../../rules/database/sqlite.ts';
import { runningSpec } from '../../../../rules/draftDeploy/running.ts';
import { type StorageChoice, storageChoice } from '../../../../rules/storageClass.ts';
import { clusters, logicalDatabases, projects } from '../../../services/cluster/kinds.ts';
import { byServer } from '../../../services/cluster/indexes.ts';
import { releaseOf } from '../../../../rules/database/charts.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { chartClaims, type ClaimSeen, instanceLabel, storageClasses } from '../../../owned/addonKinds.ts';
import { firstSizeOf } from '../owned/volumes.ts';
import { gateOf } from '../../../../rules/database/deployed.ts';

/** The cluster of a database: that of its project; a shared server runs in the first one. */
export function clusterOf({ project }: DatabaseSpec, reader: CacheReader) {
  const [first = ''] = project
    ? []
    : reader
        .list(clusters)
        .map(({ metadata }) => metadata.name)
        .toSorted();
  const name = project ? (reader.get(projects, project)?.spec.clusterRef.name ?? '') : first;
  const found = reader.get(clusters, name);
  return { name, found };
}

/** The placement of a new database. */
function placementNow(spec: DatabaseSpec, reader: CacheReader): NodePlacement {
  const project = reader.get(projects, spec.project ?? '');
  const region = isShared(spec)
    ? (spec.serverRegion ?? '')
    : project?.spec.region || clusterOf(spec, reader).found?.spec.defaultRegion || '';
  return { region, tags: spec.runOn?.tags ?? [], required: project?.spec.requiredTags ?? [] };
}

/** The placement settled when a database was first provisioned, else the current one. */
export const placedOf = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): NodePlacement =>
  nodePlacementOf(database) ?? placementNow(spec, reader);

/** The storage class settled when it was first provisioned, else the current choice. */
export function storageOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): StorageChoice {
  const cluster = clusterOf(spec, reader).found?.spec;
  const chosen = hasVolume(spec)
    ? storageChoice(
        {
          addon: cluster?.addons?.storage ?? false,
          homeRegion: cluster?.defaultRegion ?? '',
          single: spec.engine === 'Postgres' && spec.highAvailability,
        },
        placedOf(database, spec, reader),
      )
    : { name: '', limited: true };
  const taken = database.metadata.annotations?.[annotation.storageClass];
  return taken === undefined
    ? chosen
    : { name: taken, limited: taken === 'core-replicated' || taken === 'core-single' };
}

/** Whether a logical database, even a terminating one, is on this server. */
export const hasLogical = ({ metadata }: CoreDatabase, reader: CacheReader): boolean =>
  reader.indexed(logicalDatabases, byServer.name, metadata.name).length > 0;

export const settledOf = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, images }: { readonly reader: CacheReader; readonly images: DatabaseImages },
): Settled => ({
  placement: placementOf(placedOf(database, spec, reader)),
  storageClass: storageOf(database, spec, reader).name,
  requiredTags: reader.get(projects, spec.project ?? '')?.spec.requiredTags ?? [],
  firstSize: firstSizeOf(database, spec, reader),
  hasLogical: hasLogical(database, reader),
  images,
});

/** What the first provisioning of a database settles permanently; null when settled or not due. */
export function settling(database: CoreDatabase, reader: CacheReader) {
  const { annotations = {} } = database.metadata;
  const spec = runningSpec(gateOf(database), database);
  const isSettled = annotation.nodePlacement in annotations && annotation.storageClass in annotations;
  if (spec === null || spec.placement === 'External' || isSettled) return null;
  if (!isShared(spec) && clusterOf(spec, reader).found === undefined) return null;
  return {
    metadata: {
      annotations: {
        [annotation.nodePlacement]:
          annotations[annotation.nodePlacement] ?? nodePlacementText(placedOf(database, spec, reader)),
        [annotation.storageClass]: annotations[annotation.storageClass] ?? storageOf(database, spec, reader).name,
      },
    },
  };
}

interface StorageClass extends KubeObject {
  readonly allowVolumeExpansion?: boolean;
}
const isDefault = ({ metadata }: StorageClass) =>
  metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';

/** Whether the volumes of a database can grow; a missing class counts as growable. */
export function canGrow(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): boolean {
  const { name } = storageOf(database, spec, reader);
  const found: StorageClass | undefined =
    name === '' ? reader.list(storageClasses).find(isDefault) : reader.get(storageClasses, name);
  return found === undefined || found.allowVolumeExpansion === true;
}

/** The claims with the data of a database: by our labels, which a Postgres server passes on, or of a release. */
export function claimsOf({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): readonly ClaimSeen[] {
  if (spec.engine === 'SQLite') {
    const claim = reader.get(owned.claims, claimName(metadata.name), namespaceOf(spec));
    return claim ? [claim] : [];
  }
  const all: readonly ClaimSeen[] =
    spec.engine === 'MySQL'
      ? reader.indexed(chartClaims, instanceLabel, releaseOf(metadata.name, spec.engine))
      : reader.indexed(owned.claims, ...ownedBy('CoreDatabase', metadata.name));
  return all.filter((claim) => claim.metadata.namespace === namespaceOf(spec));
}

/** Whether the data of a database have a bound volume. */
export const hasBoundVolume = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): boolean =>
  claimsOf(database, spec, reader).some(({ status }) => status?.phase === 'Bound');
