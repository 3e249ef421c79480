import type { KubeObject } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { standingOf } from '../../../contract/reads.ts';
import { watching, type Watching } from '../../../contract/controller.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import type { Resource } from '../../../services/cluster/cluster.ts';

/** The namespace of the platform itself. */
export const ownNamespace: Resource = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  cached: { fieldSelector: `metadata.name=${systemNamespace}` },
};

/**
 * Whether the platform is being uninstalled with its namespace. Its pods are deleted first, so nothing would be left to
 * remove finalizers: objects that only describe the cluster give theirs up at once.
 */
export const isPlatformDeleting = (reader: CacheReader): boolean =>
  reader.get(ownNamespace, systemNamespace)?.metadata.deletionTimestamp !== undefined;

/** Triggers a pass over each object of a kind when the platform's namespace changes. */
export const ownNamespaceWatch = <O extends KubeObject>(resource: Resource<O>): Watching =>
  watching({
    resource: ownNamespace,
    reads: standingOf,
    concerns: (_, reader) => reader.list(resource).map(({ metadata }) => metadata.name),
  });
