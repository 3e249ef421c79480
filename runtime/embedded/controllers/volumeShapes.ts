import type { LabelSelector } from '../nodes/expression.ts';
import type { Stored } from '../store.ts';
import type { ObjectReference } from './shapes.ts';

type Amounts = Readonly<Record<string, string | number>>;

export interface Claim extends Stored {
  readonly spec?: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly selector?: LabelSelector;
    readonly resources?: { readonly requests?: Amounts };
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: Amounts;
  };
}

export interface Volume extends Stored {
  readonly spec?: {
    readonly capacity?: Amounts;
    readonly accessModes?: readonly string[];
    readonly claimRef?: ObjectReference;
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly [source: string]: unknown;
  };
  readonly status?: { readonly phase?: string };
}

export interface StorageClass extends Stored {
  readonly provisioner?: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
}

/** Annotations that record how volumes and claims were bound. */
export const volumeMark = {
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  storageProvisioner: 'volume.kubernetes.io/storage-provisioner',
  selectedNode: 'volume.kubernetes.io/selected-node',
} as const;
