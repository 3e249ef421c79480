import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { type Indexer, makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { nothingCached } from '../../support/nothingCached.ts';

/** Objects of several resources, and how many of them were handed out. */
export function countingReader(objects: ReadonlyMap<Resource, readonly KubeObject[]>) {
  let touched = 0;
  const counted = <A extends KubeObject>(found: readonly A[]): readonly A[] => {
    touched += found.length;
    return found;
  };
  const indexers = new Map<Resource, Indexer<KubeObject>>();
  const of = (resource: Resource) => {
    const known = indexers.get(resource) ?? makeIndexer(resource.cached?.indexes ?? []);
    indexers.set(resource, known);
    return known;
  };
  for (const [resource, all] of objects) for (const object of all) of(resource).put(object, 'initial');
  const reader: CacheReader = {
    ...nothingCached,
    get: <O extends KubeObject>(resource: Resource<O>, name: string, namespace?: string) => {
      const found = of(resource).get(keyIn(namespace ?? (resource.namespaced ? systemNamespace : ''), name));
      return counted(found ? [found as O] : [])[0];
    },
    list: <O extends KubeObject>(resource: Resource<O>) => counted(of(resource).list() as readonly O[]),
    indexed: <O extends KubeObject>(resource: Resource<O>, index: string, value: string) =>
      counted(of(resource).indexed(index, value) as readonly O[]),
  };
  return {
    reader,
    /** How many objects were handed out by this work. */
    during: <A>(work: () => A): { readonly answer: A; readonly touched: number } => {
      touched = 0;
      const answer = work();
      return { answer, touched };
    },
  };
}
