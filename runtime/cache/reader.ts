import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster.ts';

/**
 * What the caches hold. It may lag: absence here is no proof of absence. Nobody may change what it gives. A namespace
 * that is left out is core-system for `get`, and every cached one for `list`.
 */
export interface CacheReader {
  readonly get: <O extends KubeObject>(resource: Resource<O>, name: string, namespace?: string) => O | undefined;
  readonly list: <O extends KubeObject>(resource: Resource<O>, namespace?: string) => readonly O[];
  /** The objects that an index of the resource has under a value. */
  readonly indexed: <O extends KubeObject>(resource: Resource<O>, index: string, value: string) => readonly O[];
}
