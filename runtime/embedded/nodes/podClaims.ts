import type { Store, Stored } from '../store.ts';
import { at, textAt } from '../api/json.ts';
import { type Pod, claimsOf } from './shapes.ts';

/** Whether the claims of a pod let it be placed; `waiting` ones are bound once a node is chosen for them. */
export type Claims =
  { readonly is: 'ready'; readonly waiting: readonly Stored[] } | { readonly is: 'refused'; readonly why: string };

export const claimShelf = '/persistentvolumeclaims';
const classShelf = 'storage.k8s.io/storageclasses';

export function claimsFor(store: Store, pod: Pod): Claims {
  const waiting: Stored[] = [];
  for (const name of claimsOf(pod)) {
    const claim = store.get({ bucket: claimShelf, namespace: pod.metadata.namespace ?? '', name });
    if (!claim) return { is: 'refused', why: `persistentvolumeclaim "${name}" not found` };
    if (claim.metadata.deletionTimestamp !== undefined)
      return { is: 'refused', why: `persistentvolumeclaim "${name}" is being deleted` };
    if (textAt(claim, 'status', 'phase') === 'Lost')
      return {
        is: 'refused',
        why: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${textAt(claim, 'spec', 'volumeName')}"`,
      };
    if (textAt(claim, 'status', 'phase') === 'Bound') continue;
    if (!waitsForNode(store, claim)) return { is: 'refused', why: 'pod has unbound immediate PersistentVolumeClaims' };
    waiting.push(claim);
  }
  return { is: 'ready', waiting };
}

function waitsForNode(store: Store, claim: Stored): boolean {
  const name = textAt(claim, 'spec', 'storageClassName');
  return at(store.get({ bucket: classShelf, namespace: '', name }), 'volumeBindingMode') === 'WaitForFirstConsumer';
}
