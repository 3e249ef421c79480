import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { Cluster, type Name, type ReadError, type Resource } from './cluster.ts';

/** Reads one object directly; null when it does not exist. */
export const find = <O extends KubeObject>(
  resource: Resource<O>,
  name: Name,
): Effect.Effect<O | null, Exclude<ReadError, { readonly _tag: 'NotFound' }>, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => cluster.get(resource, name)).pipe(
    Effect.catchTag('NotFound', () => Effect.succeed(null)),
  );
