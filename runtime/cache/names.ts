import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from './reader.ts';
import type { Index, Resource } from '../services/cluster/cluster.ts';

/** The names of the objects that an index holds under a value. */
export const namesBy = <O extends KubeObject>(
  reader: CacheReader,
  resource: Resource<O>,
  { name }: Pick<Index<O>, 'name'>,
  value: string,
): readonly string[] => reader.indexed(resource, name, value).map(({ metadata }) => metadata.name);

/** The same for several values. */
export const namesByEach = <O extends KubeObject>(
  reader: CacheReader,
  resource: Resource<O>,
  index: Pick<Index<O>, 'name'>,
  values: readonly string[],
): readonly string[] => values.flatMap((value) => namesBy(reader, resource, index, value));
