import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ClusterShape, Listed, ListOptions, Resource } from '../../../runtime/services/cluster/cluster.ts';
import { shuffled } from '../../support/random.ts';

const longestPage = 3;

/** The cluster with lists in a drawn order; one that may come in pages comes in pages of a few objects. */
export function withShuffledLists(cluster: ClusterShape, next: () => number): ClusterShape {
  const rests = new Map<string, Listed<KubeObject>>();

  const pageOf = <O extends KubeObject>(
    { items, resourceVersion }: Listed<O>,
    limit: number | undefined,
  ): Listed<O> => {
    const length = limit === undefined ? items.length : Math.min(limit, 1 + Math.floor(next() * longestPage));
    if (items.length <= length) return { items, resourceVersion };
    const token = `rest ${rests.size + 1}`;
    rests.set(token, { items: items.slice(length), resourceVersion });
    return { items: items.slice(0, length), resourceVersion, continue: token };
  };
  const list = <O extends KubeObject>(resource: Resource<O>, options: ListOptions = {}) => {
    const { limit, continue: token = '', ...selection } = options;
    const rest = rests.get(token) as Listed<O> | undefined;
    if (rest !== undefined) return Effect.sync(() => pageOf(rest, limit));
    return Effect.map(cluster.list(resource, selection), ({ items, resourceVersion }) =>
      pageOf({ items: shuffled(items, next), resourceVersion }, limit),
    );
  };
  return { ...cluster, list };
}
