import type { KubeObject } from '../../../crds/kind.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { byArchiveCloud, byCloud, byStorage } from '../../services/cluster/indexes.ts';
import { backupArchives, databases, objectStores, projects } from '../../services/cluster/kinds.ts';
import type { Index, Resource } from '../../services/cluster/cluster.ts';
import { namesBy } from '../../cache/names.ts';

/** The display names of the objects that use a connection; none works without it. */
export function usersOf(connection: string, reader: CacheReader): readonly string[] {
  const of = <O extends KubeObject>(resource: Resource<O>, index: Pick<Index<O>, 'name'>, what: string) =>
    namesBy(reader, resource, index, connection).map((name) => `${what} "${name}"`);
  return [
    ...of(projects, byStorage, 'the backup storage of project'),
    ...of(objectStores, byCloud, 'bucket'),
    ...of(databases, byCloud, 'database'),
    ...of(backupArchives, byArchiveCloud, 'archive'),
  ];
}
