import type { PrinterColumn } from '../../../../crds/kind.ts';
import type { Bucket } from '../../store.ts';
import type { Schema } from '../schema/schema.ts';

export type Subresource = 'status' | 'scale' | 'log' | 'finalize';

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
  /** Set for a kind that a CustomResourceDefinition declares. */
  readonly custom?: CustomParts;
}

export interface CustomParts {
  readonly schema: Schema;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export const groupVersion = ({ group, version }: { readonly group: string; readonly version: string }) =>
  group === '' ? version : `${group}/${version}`;

export const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
