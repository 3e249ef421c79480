import type { Bucket } from '../../store.ts';
import type { Schema } from '../schema/schema.ts';

export type Subresource =
  | 'status'
  | 'scale'
  | 'log'
  | 'finalize'
  | 'ephemeralcontainers'
  | 'exec'
  | 'attach'
  | 'portforward'
  | 'token'
  | 'eviction';

/** A resource that the API serves in one version. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly bucket: Bucket;
  readonly subresources: readonly Subresource[];
  /** Set where fewer verbs are known than for most. */
  readonly verbs?: readonly string[];
  /** Set where an object that is not there is made by replacing it. */
  readonly createdByPut?: true;
  /** Set where an update must say which version it is over. */
  readonly versioned?: true;
  /** What a client is warned of that still asks for it. */
  readonly deprecated?: string;
  /** Set for a kind that a CustomResourceDefinition declares. */
  readonly custom?: CustomParts;
}

/** A column that a CustomResourceDefinition declares. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface CustomParts {
  /** The kind in the version in which its objects are stored. */
  readonly storage: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly schema: Schema;
  };
  /** Where objects would be sent to be brought from one version to another; unset where versions differ in name alone. */
  readonly webhook?: string;
  /** Set while the definition waits for the last of its objects to go. */
  readonly isEnding?: true;
  readonly schema: Schema;
  readonly columns: readonly PrinterColumn[];
  /** Paths of the fields that objects can be selected by. */
  readonly selectableFields?: readonly string[];
  readonly deprecated: boolean;
  /** Empty for the words that every deprecated version is warned of with. */
  readonly deprecationWarning: string;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export const groupVersion = ({ group, version }: { readonly group: string; readonly version: string }) =>
  group === '' ? version : `${group}/${version}`;

/** What can be done to objects of a declared kind, in the order of discovery. */
export const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

export const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** The verbs that a resource knows. */
export const verbsOf = ({ custom, verbs: own }: ResourceType): readonly string[] =>
  own ?? (custom === undefined ? verbs : custom.isEnding ? endingVerbs : customVerbs);

const endingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch'] as const;
