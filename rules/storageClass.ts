import { hashOf } from './canonical.ts';

/** The storage class of volumes, and whether the wait for it ends. */
export interface StorageChoice {
  /** Empty means the cluster's default class. */
  readonly name: string;
  /** Whether the wait for it is limited to 15 minutes; classes of a region or of tags have no limit. */
  readonly limited: boolean;
}

/** Where volumes are placed, and how they are kept. */
interface Volumes {
  readonly region: string;
  /** The tags that the project requires; the tags of a single database do not affect the class. */
  readonly required: readonly string[];
}

/** What the class depends on besides the placement of the volumes. */
interface Storing {
  /** Whether the storage add-on is installed. */
  readonly addon: boolean;
  /** The default region of the cluster, whose volumes need no separate class. */
  readonly homeRegion: string;
  /** Whether the database replicates by itself, so that one copy of each volume is enough. */
  readonly single: boolean;
}

/** The class of a project that requires tags; the same class for the same nodes. */
export const taggedClass = ({ region, required }: Volumes): string =>
  `core-tagged-${hashOf({ region, tags: required.toSorted() }).slice(0, 8)}`;

/** The class of a region that is not the cluster's own. */
export const regionalClass = (region: string): string => `core-replicated-${region}`;

/** The class of the storage add-on for volumes on these nodes; without the add-on the cluster's own. */
export function storageChoice({ addon, homeRegion, single }: Storing, volumes: Volumes): StorageChoice {
  if (!addon) return { name: '', limited: true };
  if (volumes.required.length > 0) return { name: taggedClass(volumes), limited: false };
  if (single) return { name: 'core-single', limited: true };
  if (volumes.region !== '' && volumes.region !== homeRegion)
    return { name: regionalClass(volumes.region), limited: false };
  return { name: 'core-replicated', limited: true };
}
