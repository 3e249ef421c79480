import type { KubeObject } from '../../../crds/kind.ts';
import { attentionItems } from '../../../http/lists/attentionItems.ts';
import { isoTime } from '../../../rules/time.ts';
import type { Caches } from '../../../runtime/cache/caches.ts';
import { makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { app } from '../../http/served.ts';

export interface AttentionFigures {
  /** Microseconds for one change among 50 objects and among 5,000. */
  readonly changeUs: readonly number[];
}

const changes = 20_000;
const rounds = 7;

/** A service of the bench: one in ten has a cause, each of its own root. */
export function servedApp(at: number, version = 1): KubeObject {
  const name = `service-${String(at).padStart(5, '0')}`;
  const on = { kind: 'Deployment', name, namespace: 'demo-production' };
  const since = isoTime(1_767_225_600_000 + version);
  const cause = {
    of: 'Ready',
    reason: 'CrashLoop',
    severity: 'failure',
    message: 'it ends',
    params: [],
    on,
    since,
  } as const;
  const made = app(name, {}, at % 10 === 0 ? { causes: [cause] } : {});
  return { ...made, kind: apps.kind, metadata: { ...made.metadata, uid: name, resourceVersion: `${version}` } };
}

/** Caches of so many services without a cluster. */
function cachesWith(count: number) {
  const indexers = new Map([[apps.kind, makeIndexer<KubeObject>([])]]);
  const indexerOf = ({ kind }: Pick<Resource, 'kind'>) => {
    const known = indexers.get(kind) ?? makeIndexer<KubeObject>([]);
    indexers.set(kind, known);
    return known;
  };
  for (let at = 0; at < count; at++) indexerOf(apps).put(servedApp(at), 'reported');
  const get = (resource: Resource, name: string, namespace = 'core-system') =>
    indexerOf(resource).get(keyIn(namespace, name));
  const of = (resource: Resource) => ({
    get: (name: string, namespace?: string) => get(resource, name, namespace),
    list: () => indexerOf(resource).list(),
    onChange: indexerOf(resource).onChange,
  });
  return {
    caches: { of, get } as unknown as Pick<Caches, 'of' | 'get'>,
    put: (object: KubeObject): void => {
      indexerOf(apps).put(object, 'reported');
    },
  };
}

/** What a change of an object that needs attention costs, as there are more of them. */
export function attentionFigures(): AttentionFigures {
  const all = [50, 5_000].map((count) => {
    const { caches, put } = cachesWith(count);
    attentionItems(caches)(0);
    return { count, put, version: 1, us: Number.POSITIVE_INFINITY };
  });
  for (let round = 0; round < rounds; round++)
    for (const one of all) {
      const objects = Array.from({ length: changes }, (_, index) => servedApp((index * 10) % one.count, ++one.version));
      const begin = performance.now();
      for (const object of objects) one.put(object);
      one.us = Math.min(one.us, ((performance.now() - begin) * 1_000) / changes);
    }
  return { changeUs: all.map(({ us }) => us) };
}
