import type { Place, Store } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import { type Node, type Pod, bucket, placeOf } from './shapes.ts';

export const placeOfNode = (name: string): Place => ({ bucket: bucket.nodes, namespace: '', name });

/** The Node that stands for this machine, where podman runs its pods. */
export const machineNodes = (store: Store, { machine }: Marks): readonly Node[] =>
  (store.list(bucket.nodes) as readonly Node[]).filter(({ metadata }) => metadata.annotations?.[machine] !== undefined);

/** Takes a Node away with the pods that are bound to it: nothing runs them any more. */
export async function retire(store: Store, node: Node): Promise<void> {
  for (const pod of store.list(bucket.pods) as readonly Pod[])
    if (pod.spec?.nodeName === node.metadata.name)
      await store.remove(placeOf(bucket.pods, pod), { uid: pod.metadata.uid }).catch(() => null);
  await store.remove(placeOfNode(node.metadata.name), { uid: node.metadata.uid }).catch(() => null);
}
