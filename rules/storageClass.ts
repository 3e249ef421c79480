import { hashOf } from './canonical.ts';

/** Which storage class volumes are taken from, and whether the wait for it ends. */
export interface StorageChoice {
  /** Empty: the default one of the cluster. */
  readonly name: string;
  /** Whether it is waited for no longer than 15 minutes; classes of a region and of tags have no limit. */
  readonly limited: boolean;
}

/** Where a project keeps its volumes. */
interface Volumes {
  readonly region: string;
  /** The tags that the project requires; those a database asks for by itself change nothing here. */
  readonly required: readonly string[];
}

/** The class of a project that requires tags; the same for the same nodes. */
export const taggedClass = ({ region, required }: Volumes): string =>
  `core-tagged-${hashOf({ region, tags: required.toSorted() }).slice(0, 8)}`;

/** The class of the storage add-on for volumes on these nodes; without the add-on the cluster's own. */
export function storageChoice(addon: boolean, volumes: Volumes): StorageChoice {
  if (!addon) return { name: '', limited: true };
  if (volumes.required.length > 0) return { name: taggedClass(volumes), limited: false };
  if (volumes.region !== '') return { name: `core-replicated-${volumes.region}`, limited: false };
  return { name: 'core-replicated', limited: true };
}
