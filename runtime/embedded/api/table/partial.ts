import type { Stored } from '../../store.ts';

/** An object of which only the metadata is shown. */
export const partial = ({ metadata }: Pick<Stored, 'metadata'>, version = 'v1') => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});
