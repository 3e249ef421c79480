import type { KubeObject } from '../../crds/kind.ts';
import type { CopiesOwner } from '../../rules/cause/copies.ts';
import type { DeploymentSeen, StartingPod } from '../../rules/pods.ts';
import type { ReplicaSet } from '../owned/addonKinds.ts';

/** A pod with what owns it. */
export type OwnedPod = StartingPod & {
  readonly metadata: {
    readonly ownerReferences?: readonly { readonly uid: string; readonly kind?: string; readonly name?: string }[];
  };
};

const revision = 'deployment.kubernetes.io/revision';
const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.annotations?.[revision] ?? 0);

/** Whether an object is owned by the object with a uid. */
export const isOwnedBy = ({ metadata }: OwnedPod | ReplicaSet, uid: string | undefined): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;

/** The newest of the ReplicaSets of a Deployment. */
export const newestSetOf = (deployment: KubeObject, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  sets
    .filter((set) => isOwnedBy(set, deployment.metadata.uid))
    .toSorted((one, other) => revisionOf(other) - revisionOf(one))[0];

/** A Deployment with its newest ReplicaSet, and the pods of that. */
export function newestRevisionOf(
  deployment: DeploymentSeen,
  sets: readonly ReplicaSet[],
  pods: readonly OwnedPod[],
): { readonly owners: readonly CopiesOwner[]; readonly pods: readonly OwnedPod[] } {
  const set = newestSetOf(deployment, sets);
  if (set === undefined) return { owners: [deployment], pods: [] };
  return { owners: [deployment, set], pods: pods.filter((pod) => isOwnedBy(pod, set.metadata.uid)) };
}
