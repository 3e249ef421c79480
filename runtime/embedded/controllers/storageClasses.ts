import type { Store } from '../store.ts';
import { type Names, marksOf } from '../surroundings.ts';
import { shelves } from './shapes.ts';

const isDefault = 'storageclass.kubernetes.io/is-default-class';

/**
 * The classes that every start makes sure of: `<program>-replicated` is the default one and bound at once,
 * `<program>-single` waits for the first pod. The volumes of both can be expanded, are deleted with their claims, and hold nothing.
 */
const classes = [
  { kind: 'replicated', annotations: { [isDefault]: 'true' }, volumeBindingMode: 'Immediate' },
  { kind: 'single', annotations: {}, volumeBindingMode: 'WaitForFirstConsumer' },
] as const;

export async function ensureStorageClasses(store: Store, names: Names): Promise<void> {
  const { provisioner } = marksOf(names);
  for (const { kind, annotations, volumeBindingMode } of classes) {
    const name = `${names.program}-${kind}`;
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
