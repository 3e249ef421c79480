import * as z from 'zod';
import type { Nodes, Read, Summary } from '../../api.ts';
import { pathOf } from '../../apiClient/client.ts';
import { answerOf, anything, list, object, optional, read } from '../../apiClient/shape.ts';
import { readListed } from '../../apiClient/requests/readListed.ts';
import { type ListTool, listTool } from '../list/listTool.ts';
import type { Item } from '../list/page.ts';
import type { Api, Shape, Tool } from '../tool.ts';
import { name, narrowed } from './shapes.ts';

const states = Object.keys({
  deleting: true,
  draft: true,
  failed: true,
  pending: true,
  ready: true,
} satisfies Record<Summary['state'], true>);

/** A list of resources, with the state that every client reports of them. */
const resources = <S extends Shape>(
  path: string,
  of: Pick<ListTool<S>, 'name' | 'title' | 'about' | 'input'> & Partial<ListTool<S>>,
): Tool =>
  listTool({
    routes: [`GET ${path}`],
    state: z.enum(states).describe('Only those in this state.'),
    pages: (query, narrowed) => ({ path, query: { ...(query as Readonly<Record<string, string>>), ...narrowed } }),
    statesOf: ({ state }) => [state],
    ...of,
  });

/** Reads each item of a page by its name. */
const readEach = (items: readonly Item[], read: (of: string) => Promise<unknown>) =>
  readListed(
    items.map((item) => String(item['name'])),
    read,
  ) as Promise<readonly (Item | null)[]>;

const statusOf = ({ ask }: Api, of: string) => ask('GET', pathOf('apps', of, 'status'));

const statuses = resources('/apps', {
  name: 'app_status',
  title: 'Status of services',
  about:
    'Returns the state of one service, or of all: whether it is ready and why not, its cause with what to do, its current build with its failure reason, and the errors of its last attempt.',
  routes: ['GET /apps', 'GET /apps/{app}/status'],
  input: narrowed,
  readEach: (api, services) => readEach(services, (of) => statusOf(api, of)),
});

/** The same, or of the one that is named, which has to be there. */
const appStatus: Tool = {
  ...statuses,
  input: { name: name('service').optional(), ...statuses.input },
  run: async (api, { name: of, ...args }) =>
    typeof of === 'string' ? { items: [await statusOf(api, of)], left_out: 0 } : statuses.run(api, args),
};

const isBefore = (one: Item, other: Item): number => (String(one['name']) < String(other['name']) ? -1 : 1);

const nodesShape = answerOf<Nodes>()(object({ items: optional(list(anything)), unmanaged: optional(list(anything)) }));

/** The servers, and the nodes of the cluster that are not entered as one. */
async function nodesIn({ ask }: Api): Promise<readonly Item[]> {
  const { items = [], unmanaged = [] } = read(nodesShape, await ask('GET', '/nodes'));
  return [...items, ...unmanaged.map((node) => ({ ...node, unmanaged: true }))].toSorted(isBefore);
}

const archiveShape = answerOf<Read>()(
  object({ status: optional(object({ restorePoints: optional(list(anything)) })) }),
);

/** Archives with the points that can be restored, which their summaries count. */
async function withRestorePoints({ ask }: Api, archives: readonly Item[]): Promise<readonly (Item | null)[]> {
  const reads = await readEach(archives, (archive) => ask('GET', pathOf('backup-archives', archive)));
  return archives.map((archive, index) => {
    const { status } = reads[index] ? read(archiveShape, reads[index]) : {};
    return status ? { ...archive, restorePoints: status.restorePoints ?? [] } : null;
  });
}

/** Lists of resources. */
export const resourceLists: readonly Tool[] = [
  appStatus,
  resources('/apps', {
    name: 'list_apps',
    title: 'List services',
    about: 'Lists services with their state.',
    input: narrowed,
  }),
  resources('/projects', {
    name: 'list_projects',
    title: 'List projects',
    about: 'Lists projects with their state.',
    input: {},
  }),
  resources('/databases', {
    name: 'list_databases',
    title: 'List databases',
    about: 'Lists databases with their state.',
    input: narrowed,
  }),
  resources('/backup-archives', {
    name: 'list_backups',
    title: 'List backups',
    about: 'Lists the archives of backups with the points that can be restored, the newest archive first.',
    routes: ['GET /backup-archives', 'GET /backup-archives/{archive}'],
    input: narrowed,
    readEach: withRestorePoints,
  }),
  resources('/object-stores', {
    name: 'list_stores',
    title: 'List object stores',
    about: 'Lists buckets and object-store servers with their state.',
    input: narrowed,
  }),
  resources('/nodes', {
    name: 'list_nodes',
    title: 'List nodes',
    about: 'Lists the nodes of the clusters with their tags; an unmanaged one has no state here.',
    input: {},
    all: nodesIn,
  }),
];
