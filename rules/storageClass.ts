import { hashOf } from './canonical.ts';

/** The storage class of volumes, and whether the wait for it ends. */
export interface StorageChoice {
  /** Empty means the cluster's default class. */
  readonly name: string;
  /** Whether the wait for it is limited to 15 minutes; classes of a region or of tags have no limit. */
  readonly limited: boolean;
}

/** Where the volumes of a project are placed. */
interface Volumes {
  readonly region: string;
  /** The tags that the project requires; the tags of a single database do not affect the class. */
  readonly required: readonly string[];
}

/** The class of a project that requires tags; the same class for the same nodes. */
export const taggedClass = ({ region, required }: Volumes): string =>
  `core-tagged-${hashOf({ region, tags: required.toSorted() }).slice(0, 8)}`;

/** The class of the storage add-on for volumes on these nodes; without the add-on the cluster's own. */
export function storageChoice(addon: boolean, volumes: Volumes): StorageChoice {
  if (!addon) return { name: '', limited: true };
  if (volumes.required.length > 0) return { name: taggedClass(volumes), limited: false };
  if (volumes.region !== '') return { name: `core-replicated-${volumes.region}`, limited: false };
  return { name: 'core-replicated', limited: true };
}
