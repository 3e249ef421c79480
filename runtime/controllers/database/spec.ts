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
import type { Seen } from '../../cache/seen.ts';
import type { ClaimSeen } from './resources.ts';

/** What of a database is deployed, as it stands in it. */
export const gateOf = (database: CoreDatabase): DraftDeployState =>
  standsAs({ kind: 'database', stored: deployStored(database) }) ?? 'Ungated';

/** The cluster a database is in: that of its project. */
export function clusterOf({ project }: DatabaseSpec, seen: Seen) {
  const name = seen.get(projects, project ?? '')?.spec.clusterRef.name ?? '';
  const found = seen.get(clusters, name);
  return { name, found };
}

/** Where a database would be placed now. */
function placementNow(spec: DatabaseSpec, seen: Seen): NodePlacement {
  const project = seen.get(projects, spec.project ?? '');
  const region = isShared(spec)
    ? (spec.serverRegion ?? '')
    : project?.spec.region || clusterOf(spec, seen).found?.spec.defaultRegion || '';
  return { region, tags: spec.runOn?.tags ?? [], required: project?.spec.requiredTags ?? [] };
}

/** Where a database was placed when it was first provisioned, else where it would be. */
export const placedOf = (database: CoreDatabase, spec: DatabaseSpec, seen: Seen): NodePlacement =>
  nodePlacementOf(database) ?? placementNow(spec, seen);

/** The storage class that was taken when it was first provisioned, else the one that would be. */
export function storageOf(database: CoreDatabase, spec: DatabaseSpec, seen: Seen): StorageChoice {
  const addon = clusterOf(spec, seen).found?.spec.addons?.storage ?? false;
  const chosen = storageChoice(addon, placedOf(database, spec, seen));
  const taken = database.metadata.annotations?.[annotation.storageClass];
  return taken === undefined
    ? chosen
    : { name: taken, limited: taken === 'core-replicated' || taken === 'core-single' };
}

export const settledOf = (database: CoreDatabase, spec: DatabaseSpec, seen: Seen): Settled => ({
  placement: placementOf(placedOf(database, spec, seen)),
  storageClass: storageOf(database, spec, seen).name,
  deployRevision: revisionOf(database),
});

/** What is settled for good when a database is first provisioned; null where that has been, or is not due. */
export function settling(database: CoreDatabase, seen: Seen) {
  const { annotations = {} } = database.metadata;
  const spec = runningSpec(gateOf(database), database);
  const isSettled = annotation.nodePlacement in annotations && annotation.storageClass in annotations;
  if (spec === null || spec.placement === 'External' || isSettled) return null;
  if (!isShared(spec) && clusterOf(spec, seen).found === undefined) return null;
  return {
    metadata: {
      annotations: {
        [annotation.nodePlacement]:
          annotations[annotation.nodePlacement] ?? nodePlacementText(placedOf(database, spec, seen)),
        [annotation.storageClass]: annotations[annotation.storageClass] ?? storageOf(database, spec, seen).name,
      },
    },
  };
}

/** The claim that keeps the data of a database. */
export const claimOf = ({ metadata }: CoreDatabase, spec: DatabaseSpec, seen: Seen): ClaimSeen | undefined =>
  seen.get(owned.claims, claimName(metadata.name), namespaceOf(spec));
