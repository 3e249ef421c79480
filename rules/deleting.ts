import type { KubeObject } from '../crds/kind.ts';

/** Whether an object is being deleted: it stands until its finalizers are gone. */
export const isDeleting = ({
  metadata,
}: {
  readonly metadata: Pick<KubeObject['metadata'], 'deletionTimestamp'>;
}): boolean => metadata.deletionTimestamp !== undefined;
