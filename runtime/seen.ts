import type { KubeObject } from '../crds/kind.ts';
import type { Resource } from './services/cluster.ts';

/** What the caches hold of core-system. It may lag: absence here is no proof of absence. Nobody may change what it gives. */
export interface Seen {
  readonly get: <O extends KubeObject>(resource: Resource<O>, name: string) => O | undefined;
  readonly list: <O extends KubeObject>(resource: Resource<O>) => readonly O[];
  /** The objects whose label of that name has that value. */
  readonly labelled: <O extends KubeObject>(resource: Resource<O>, label: string, value: string) => readonly O[];
}
