import type { KubeObject } from '../crds/kind.ts';

/** Whether an object is being deleted: it exists until its finalizers are removed. */
export const isDeleting = ({
  metadata,
}: {
  readonly metadata: Pick<KubeObject['metadata'], 'deletionTimestamp'>;
}): boolean => metadata.deletionTimestamp !== undefined;
