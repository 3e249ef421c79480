import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { annotation } from '../../../crds/names.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { isShared, namespaceOf } from '../../../rules/database/effective.ts';
import {
  type NodePlacement,
  nodePlacementOf,
  nodePlacementText,
  placementOf,
} from '../../../rules/database/nodePlacement.ts';
import { claimName, type Settled } from '../../../rules/database/sqlite.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { deployStored, revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { standsAs } from '../../../rules/draftDeploy/stands.ts';
import { type StorageChoice, storageChoice } from '../../../rules/storageClass.ts';
import { clusters, projects } from '../../kinds.ts';
import { owned } from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { ClaimSeen } from './resources.ts';

/** The deploy state of a database, as stored in it. */
export const gateOf = (database: CoreDatabase): DraftDeployState =>
  standsAs({ kind: 'database', stored: deployStored(database) }) ?? 'Ungated';

/** The cluster of a database: that of its project. */
export function clusterOf({ project }: DatabaseSpec, reader: CacheReader) {
  const name = reader.get(projects, project ?? '')?.spec.clusterRef.name ?? '';
  const found = reader.get(clusters, name);
  return { name, found };
}

/** Where a database would be placed now. */
function placementNow(spec: DatabaseSpec, reader: CacheReader): NodePlacement {
  const project = reader.get(projects, spec.project ?? '');
  const region = isShared(spec)
    ? (spec.serverRegion ?? '')
    : project?.spec.region || clusterOf(spec, reader).found?.spec.defaultRegion || '';
  return { region, tags: spec.runOn?.tags ?? [], required: project?.spec.requiredTags ?? [] };
}

/** Where a database was placed when it was first provisioned, else where it would be placed now. */
export const placedOf = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): NodePlacement =>
  nodePlacementOf(database) ?? placementNow(spec, reader);

/** The storage class that was chosen when it was first provisioned, else the one that would be chosen now. */
export function storageOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): StorageChoice {
  const addon = clusterOf(spec, reader).found?.spec.addons?.storage ?? false;
  const chosen = storageChoice(addon, placedOf(database, spec, reader));
  const taken = database.metadata.annotations?.[annotation.storageClass];
  return taken === undefined
    ? chosen
    : { name: taken, limited: taken === 'core-replicated' || taken === 'core-single' };
}

export const settledOf = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Settled => ({
  placement: placementOf(placedOf(database, spec, reader)),
  storageClass: storageOf(database, spec, reader).name,
  requiredTags: reader.get(projects, spec.project ?? '')?.spec.requiredTags ?? [],
  deployRevision: revisionOf(database),
});

/** What the first provisioning of a database settles for good; null when it is settled already, or not due. */
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

/** The claim that holds the data of a database. */
export const claimOf = ({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): ClaimSeen | undefined =>
  reader.get(owned.claims, claimName(metadata.name), namespaceOf(spec));
