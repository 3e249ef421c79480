import { Effect, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { ClusterShape, Resource, Watched } from '../../runtime/services/cluster/cluster.ts';

/** Of a namespaced kind, core-system by default. */
interface Place {
  readonly namespace?: string;
}

/**
 * What happens to a resource from now on: a watch that the server ends is taken up where it was. It is read as fast as it
 * comes, however slow its reader: one taken up where a slow reader stands would be too old.
 */
export const follow = <O extends KubeObject>(cluster: ClusterShape, resource: Resource<O>, where: Place = {}) =>
  Stream.unwrap(
    Effect.map(cluster.list(resource, { ...where, limit: 1 }), ({ resourceVersion }) =>
      watchFrom(cluster, resource, { ...where, resourceVersion }),
    ),
  ).pipe(Stream.buffer({ capacity: 'unbounded' }));

function watchFrom<O extends KubeObject>(
  cluster: ClusterShape,
  resource: Resource<O>,
  { resourceVersion, ...where }: Place & { readonly resourceVersion: string },
): Stream.Stream<Watched<O>, unknown> {
  let reached = resourceVersion;
  const versionOf = (change: Watched<O>) =>
    change.type === 'bookmark' ? change.resourceVersion : (change.object.metadata.resourceVersion ?? reached);
  return cluster.watch(resource, { ...where, resourceVersion, silenceMs: 300_000 }).pipe(
    Stream.tap((change) => Effect.sync(() => (reached = versionOf(change)))),
    Stream.concat(Stream.suspend(() => watchFrom(cluster, resource, { ...where, resourceVersion: reached }))),
  );
}
