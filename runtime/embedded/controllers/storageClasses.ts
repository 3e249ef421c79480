import type { Store } from '../store.ts';
import { shelves } from './shapes.ts';
import { provisioner } from './volumeShapes.ts';

const isDefault = 'storageclass.kubernetes.io/is-default-class';

/**
 * The classes that every start makes sure of: `core-replicated` is the default one and bound at once, `core-single` waits
 * for the first pod. The volumes of both can be expanded, are deleted with their claims, and hold nothing.
 */
const classes = [
  { name: 'core-replicated', annotations: { [isDefault]: 'true' }, volumeBindingMode: 'Immediate' },
  { name: 'core-single', annotations: {}, volumeBindingMode: 'WaitForFirstConsumer' },
] as const;

export async function ensureStorageClasses(store: Store): Promise<void> {
  for (const { name, annotations, volumeBindingMode } of classes) {
    const place = { bucket: shelves.storageClasses, namespace: '', name };
    if (store.get(place)) continue;
    await store.create(place, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name, annotations },
      provisioner,
      reclaimPolicy: 'Delete',
      volumeBindingMode,
      allowVolumeExpansion: true,
    });
  }
}
