import type { KubeObject } from '../../crds/kind.ts';
import type { Placement } from '../placement.ts';
import type { DatabaseImages } from './images.ts';

/** What is settled of a database besides its spec. */
export interface Settled {
  readonly placement: Placement;
  /** Empty means the cluster's default class. */
  readonly storageClass: string;
  /** The tags that its project requires now. */
  readonly requiredTags: readonly string[];
  /** The disk that the first volumes of a chart were made with: the template of its claims cannot change. */
  readonly firstSize: string;
  /** Whether a logical database needs the login of the server's administrator. */
  readonly hasLogical: boolean;
  readonly images: DatabaseImages;
  /** Where a Postgres server archives to, as its operator takes it; absent where it does not. */
  readonly archiving?: object | undefined;
  /** How a Postgres server begins that is made from a backup. */
  readonly recovery?: { readonly bootstrap: object; readonly externalClusters: readonly object[] } | undefined;
}

export interface Workload extends KubeObject {
  readonly apiVersion: string;
  readonly kind: 'PersistentVolumeClaim' | 'Service' | 'Deployment' | 'Cluster' | 'HelmChart';
  readonly spec: object;
}
