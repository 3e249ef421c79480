import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ClusterShape, Listed, ListOptions, Resource } from '../../../runtime/services/cluster/cluster.ts';
import { counter } from './counting.ts';
import type { ListFault } from './fault.ts';

/** A cluster that can return a resource as it was some changes ago, as the in-memory one can. */
export interface Remembers {
  readonly past: <O extends KubeObject>(resource: Resource<O>, options: ListOptions, changes: number) => Listed<O>;
}

/** The cluster with one stale list; a watch from its version delivers the later changes. */
export function withListFault(
  cluster: ClusterShape,
  fault: ListFault,
  { past, touch }: Remembers & { readonly touch: () => void },
): ClusterShape {
  const isIt = counter(fault);
  return {
    ...cluster,
    list: (resource, options = {}) =>
      Effect.suspend(() => {
        if (!isIt(resource.plural)) return cluster.list(resource, options);
        return Effect.map(cluster.list(resource, options), (now) => {
          const old = past(resource, options, fault.changes);
          if (old.resourceVersion === now.resourceVersion) return now;
          touch();
          return old;
        });
      }),
  };
}
