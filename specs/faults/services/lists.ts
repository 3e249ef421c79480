import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ClusterShape, Listed, ListOptions, Resource } from '../../../runtime/services/cluster.ts';
import { counter } from './counting.ts';
import type { ListFault } from './fault.ts';

/** A cluster that can say how a resource stood some changes ago, as the one in memory can. */
export interface Remembers {
  readonly past: <O extends KubeObject>(resource: Resource<O>, options: ListOptions, changes: number) => Listed<O>;
}

/** The cluster with one list served from an old view; a watch from its version tells what has changed since. */
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
