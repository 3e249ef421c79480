import { useMemo } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import type { Place } from '../routes.ts';
import { type ListOf, useList, useRows } from '../store/list.ts';
import { isWhole, type Pages } from '../store/pages.ts';
import type { ReadingOn } from '../store/usePages.ts';
import { detailOf } from '../model/details.ts';
import { waits } from '../model/project.ts';
import { resourcePath, withQuery, pathTo } from '../api.ts';

type ListRoute = 'GET /apps' | 'GET /databases' | 'GET /logical-databases' | 'GET /object-stores';

const list = (route: ListRoute, kind: string): ListOf => ({
  path: pathTo(route, {}),
  kind,
  one: (name) => resourcePath({ kind, name }, ''),
});

/** Every service that the reader may see. */
export const services: ListOf = list('GET /apps', 'CoreApp');

/** Every database, those of projects and the shared servers. */
export const databases: ListOf = list('GET /databases', 'CoreDatabase');

/** Every logical database. */
export const logicalDatabases: ListOf = list('GET /logical-databases', 'CoreLogicalDatabase');

/** Every bucket, and the servers that buckets are on. */
export const objectStores: ListOf = list('GET /object-stores', 'CoreObjectStore');

/** The backups of every database. */
export const archives: ListOf = {
  path: pathTo('GET /backup-archives', {}),
  kind: 'CoreBackupArchive',
  one: (archive) => pathTo('GET /backup-archives/{archive}', { archive }),
};

/** Every project that the reader may see. */
export const projects: ListOf = {
  path: pathTo('GET /projects', {}),
  kind: 'CoreProject',
  one: (project) => pathTo('GET /projects/{project}', { project }),
};

/** The lists of everything that stands in an environment. */
export const resourceLists = [services, databases, logicalDatabases, objectStores] as const;

/** Of a list of resources those of a project. */
const ofProject = (of: ListOf, project: string): ListOf => among(of, { project }, (one) => one.project === project);

/** Of a list those that a query selects. */
const among = ({ path, isIn: isInAll = () => true, ...of }: ListOf, query: Query, isIn: typeof isInAll): ListOf => ({
  ...of,
  path: withQuery(path, query),
  isIn: (object) => isInAll(object) && isIn(object),
});

type Query = Readonly<Record<string, string>>;

/** Of a list of resources those of an environment. */
export const ofPlace = (of: ListOf, { project, environment }: Place): ListOf =>
  among(of, { project, environment }, (one) => one.project === project && one.environment === environment);

/** Of a list of resources those of no project, which all projects share. */
const withoutProject = (of: ListOf): ListOf => among(of, { shared: 'true' }, ({ project }) => project === '');

/** Everything that waits for a deploy in an environment; a logical database never does. */
export const waitingIn = (place: Place): readonly ListOf[] =>
  [services, databases, objectStores].map((of) => among(ofPlace(of, place), { waiting: 'true' }, waits));

/** Of a list of resources those that the server finds. */
export const searchIn = (of: ListOf, { text, states }: Search): ListOf =>
  among(
    of,
    { ...(text === '' ? {} : { search: text }), ...(states.length === 0 ? {} : { state: states.join(',') }) },
    (object) => isFound(object, { text, states }),
  );

/** What the server looks for in a list. */
export interface Search {
  readonly text: string;
  readonly states: readonly string[];
}

const isFound = ({ name, displayName, state }: Summary, { text, states }: Search): boolean =>
  (states.length === 0 || states.includes(state)) &&
  [name, displayName].some((word) => word.toLowerCase().includes(text.toLowerCase()));

export const useServices = () => useList(services);
export const useDatabases = () => useList(databases);
export const useLogicalDatabases = () => useList(logicalDatabases);
export const useObjectStores = () => useList(objectStores);
export const useArchives = () => useList(archives);
export const useProjects = () => useList(projects);

/** The servers of databases that all projects share. */
export const useSharedServers = () => useList(withoutProject(databases));

/** The servers of buckets. */
export const useBucketServers = () => useList(withoutProject(objectStores));

/** The databases of an environment. */
export const useDatabasesIn = (place: Place) => useList(ofPlace(databases, place));

/** The databases whose name contains a text. */
export const useDatabasesNamed = (text: string) => useList(searchIn(databases, { text, states: [] }));

/** The logical databases on a server. */
export const useLogicalDatabasesOn = (server: string) =>
  useList(among(logicalDatabases, { server }, (one) => detailOf(one, 'server') === server));

/** The services of a project. */
export const useServicesOf = (project: string) => useList(ofProject(services, project));

/** The databases of a project. */
export const useDatabasesOf = (project: string) => useList(ofProject(databases, project));

/** Resources of all kinds, as far as they are read; the same array while nothing changes. */
export interface Resources {
  readonly items: readonly Summary[];
  /** Whether all of them are read. */
  readonly isWhole: boolean;
  readonly lists: readonly ReadingOn<Pages<Summary>>[];
}

/** Whether no row of a list comes any more: it is read, or cannot be. */
const hasAll = ({ value, failed }: ReadingOn<Pages<Summary>>): boolean => (value ? isWhole(value) : failed !== null);

function useAllOf(of: readonly ListOf[]): Resources {
  const lists = of.map((list) => useRows(list, Infinity));
  const values = lists.map(({ value }) => value);
  const items = useMemo(() => values.flatMap((value) => value?.items ?? []), values);
  return { items, isWhole: lists.every(hasAll), lists };
}

/** Everything that stands in an environment. */
export const useResources = (): Resources => useAllOf(resourceLists);
