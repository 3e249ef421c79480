import type { KubeObject } from '../../crds/kind.ts';
import { label } from '../../crds/names.ts';
import { type Placement, tagLabel } from '../placement.ts';

export interface StorageClass extends KubeObject {
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
  readonly allowedTopologies?: readonly object[];
}

/** The class of the storage add-on from which those of regions and tags are copied. */
export const replicatedClass = 'core-replicated';
const singleClass = 'core-single';

/** The driver of volumes that the storage add-on installs. */
export const storageDriver = 'driver.longhorn.io';

const addonClass = (name: string, copies: number): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: storageDriver,
  parameters: { numberOfReplicas: String(copies), staleReplicaTimeout: '30' },
  reclaimPolicy: 'Delete',
  volumeBindingMode: copies === 1 ? 'WaitForFirstConsumer' : 'Immediate',
  allowVolumeExpansion: true,
});

/** The classes of the storage add-on: three copies of each volume, or one. */
export const addonClasses: readonly StorageClass[] = [addonClass(replicatedClass, 3), addonClass(singleClass, 1)];

/** A copy of the replicated class whose volumes stay on the nodes of a placement. */
export function classFor(name: string, like: StorageClass, { region, tags }: Placement): StorageClass {
  const { provisioner = '', parameters, reclaimPolicy, allowVolumeExpansion, mountOptions } = like;
  const matchLabelExpressions = [
    ...(region === '' ? [] : [{ key: label.region, values: [region] }]),
    ...tags.toSorted().map((tag) => ({ key: tagLabel(tag), values: ['true'] })),
  ];
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner,
    ...(parameters === undefined ? {} : { parameters }),
    ...(reclaimPolicy === undefined ? {} : { reclaimPolicy }),
    ...(allowVolumeExpansion === undefined ? {} : { allowVolumeExpansion }),
    ...(mountOptions === undefined ? {} : { mountOptions }),
    // A volume is created where its first pod runs, so that scheduling decides among the allowed nodes.
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions }],
  };
}
