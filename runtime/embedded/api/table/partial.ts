import type { Stored } from '../../store.ts';

/** An object of which only the metadata is shown. */
export const partial = ({ metadata }: Stored) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
});
