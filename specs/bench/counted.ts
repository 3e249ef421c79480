import { Effect } from 'effect';
import type { ClusterShape, Resource, Selection } from '../../runtime/services/cluster/cluster.ts';

/**
 * What was asked of a cluster, but for the lease: writes and reads by verb and plural; a list once for all its pages, by
 * what it selects too.
 */
export interface Counted {
  readonly cluster: ClusterShape;
  readonly writes: string[];
  readonly reads: string[];
}

/** How a list is noted. */
export const listOf = ({ plural }: Resource, { labelSelector, fieldSelector }: Selection = {}): string =>
  ['list', plural, labelSelector, fieldSelector].filter((word) => word !== undefined).join(' ');

/** The same cluster, with a note of every read and write that goes through. Watches are neither. */
export function counted(cluster: ClusterShape): Counted {
  const writes: string[] = [];
  const reads: string[] = [];
  const noted = <A>(where: string[], verb: string, { plural }: Resource, call: A): A => {
    if (plural !== 'leases') where.push(`${verb} ${plural}`);
    return call;
  };
  const later = <A, E>(call: () => Effect.Effect<A, E>) => Effect.suspend(call);
  return {
    writes,
    reads,
    cluster: {
      ...cluster,
      get: (resource, name) => later(() => noted(reads, 'get', resource, cluster.get(resource, name))),
      list: (resource, options) =>
        later(() => {
          if (options?.continue === undefined) reads.push(listOf(resource, options));
          return cluster.list(resource, options);
        }),
      create: (resource, object) => later(() => noted(writes, 'create', resource, cluster.create(resource, object))),
      apply: (resource, ...rest) => later(() => noted(writes, 'apply', resource, cluster.apply(resource, ...rest))),
      patch: (resource, ...rest) => later(() => noted(writes, 'patch', resource, cluster.patch(resource, ...rest))),
      patchStatus: (resource, ...rest) =>
        later(() => noted(writes, 'status of', resource, cluster.patchStatus(resource, ...rest))),
      remove: (resource, ...rest) => later(() => noted(writes, 'remove', resource, cluster.remove(resource, ...rest))),
    },
  };
}
