import type { KubeObject } from '../../crds/kind.ts';
import type { Placement } from '../placement.ts';
import type { DatabaseImages } from './images.ts';

/** The settings of a database besides its spec. */
export interface Settled {
  readonly placement: Placement;
  /** Empty means the cluster's default class. */
  readonly storageClass: string;
  /** The tags that its project currently requires. */
  readonly requiredTags: readonly string[];
  /** The initial size of a chart's volumes, because the template of its claims cannot change. */
  readonly firstSize: string;
  /** Whether a logical database needs the login of the server's administrator. */
  readonly hasLogical: boolean;
  readonly images: DatabaseImages;
  /** The archive of a Postgres server, in the form of its operator; absent when it does not archive. */
  readonly archiving?: object | undefined;
  /** The bootstrap of a Postgres server restored from a backup. */
  readonly recovery?: { readonly bootstrap: object; readonly externalClusters: readonly object[] } | undefined;
}

export interface Workload extends KubeObject {
  readonly apiVersion: string;
  readonly kind: 'PersistentVolumeClaim' | 'Service' | 'Deployment' | 'Cluster' | 'HelmChart';
  readonly spec: object;
}
