import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { Tally } from './tally.ts';

/**
 * Reads the caches. They may lag: absence here is no proof of absence. Callers must not mutate what it returns. Without
 * a namespace, `get` reads core-system and `list` every cached namespace.
 */
export interface CacheReader {
  readonly get: <O extends KubeObject>(resource: Resource<O>, name: string, namespace?: string) => O | undefined;
  readonly list: <O extends KubeObject>(resource: Resource<O>, namespace?: string) => readonly O[];
  /** How many changes the caches have received; two equal numbers mean that nothing changed in between. */
  readonly changes: () => number;
  /** The objects that an index of the resource holds under a value. */
  readonly indexed: <O extends KubeObject>(resource: Resource<O>, index: string, value: string) => readonly O[];
  /** The result of a tally: the same value until it changes. */
  readonly tally: <A>(of: Tally<A>) => A;
}
