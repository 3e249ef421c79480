import { useMemo } from 'preact/hooks';
import type { Items, Summary } from '../../api.ts';
import { api } from '../api.ts';
import { useList } from '../store/list.ts';
import { useLoaded } from '../store/loaded.ts';
import { ofKinds } from './service/concerns.ts';

/** Every service that the reader may see. */
export const useServices = () => useList({ path: api.apps, kind: 'CoreApp', one: api.app });

/** Every database, those of projects and the shared servers. */
export const useDatabases = () => useList({ path: api.databases, kind: 'CoreDatabase', one: api.database });

/** Every logical database. */
export const useLogicalDatabases = () =>
  useList({ path: api.logicalDatabases, kind: 'CoreLogicalDatabase', one: api.logicalDatabase });

/** Every bucket, and the servers that buckets are on. */
export const useObjectStores = () => useList({ path: api.objectStores, kind: 'CoreObjectStore', one: api.objectStore });

/** The backups of every database. */
export const useArchives = () => useLoaded<Items<Summary>>(api.archives, ofKinds('CoreBackupArchive'));

/** The lists of everything that stands in an environment. */
export const useResourceLists = () => [useServices(), useDatabases(), useLogicalDatabases(), useObjectStores()];

/** Everything that stands in an environment, as far as it is read; the same array while nothing changes. */
export function useResources(): readonly Summary[] {
  const values = useResourceLists().map(({ value }) => value);
  return useMemo(() => values.flatMap((value) => value?.items ?? []), values);
}

/** Every project that the reader may see. */
export const useProjects = () => useLoaded<Items<Summary>>(api.projects, ofKinds('CoreProject'));
