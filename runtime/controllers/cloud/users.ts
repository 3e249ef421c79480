import type { CacheReader } from '../../cache/reader.ts';
import { backupArchives, databases, objectStores, projects } from '../../kinds.ts';

/** Whatever names a connection, as a person calls it; none of it works without the connection. */
export function usersOf(connection: string, reader: CacheReader): readonly string[] {
  const named = (one: { readonly name: string } | undefined) => one?.name === connection;
  return [
    ...reader
      .list(projects)
      .filter(({ spec }) => named(spec.backupStorage?.connectionRef))
      .map(({ metadata }) => `the backup storage of project "${metadata.name}"`),
    ...reader
      .list(objectStores)
      .filter(({ spec }) => named(spec.connectionRef))
      .map(({ metadata }) => `bucket "${metadata.name}"`),
    ...reader
      .list(databases)
      .filter(({ spec }) => named(spec.connectionRef))
      .map(({ metadata }) => `database "${metadata.name}"`),
    ...reader
      .list(backupArchives)
      .filter(({ spec }) => named(spec.storage.connectionRef))
      .map(({ metadata }) => `archive "${metadata.name}"`),
  ];
}
