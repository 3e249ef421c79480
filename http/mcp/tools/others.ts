import * as z from 'zod';
import { pathOf } from '../../apiClient/client.ts';
import { tool } from '../tool.ts';
import { aRead, items, name, named, narrowed } from './shapes.ts';

const database = name('database');
const project = name('project');
const window = z.enum(['15m', '1h', '6h', '24h']).optional().describe('The time that is looked at; 1h if absent.');

/** One tool for the load of each kind that has one. */
const metrics = (
  [
    ['app', 'apps', 'service'],
    ['database', 'databases', 'database'],
    ['project', 'projects', 'project'],
  ] as const
).map(([kind, plural, word]) =>
  tool({
    name: `${kind}_metrics`,
    about: `Reads what a ${word} uses over time: processor, memory, network.`,
    routes: [`GET /${plural}/{${kind}}/metrics`],
    does: 'reads',
    input: { name: name(word), window },
    output: { available: z.boolean() },
    run: ({ ask }, { name: of, window: seen }) =>
      ask('GET', `${pathOf(plural, of)}/metrics`, { query: { window: seen } }),
  }),
);

const explained = { apps: 'app', databases: 'database', projects: 'project', builds: 'build' } as const;
const retried = { apps: 'app', databases: 'database' } as const;
const deletable = {
  apps: 'app',
  databases: 'database',
  'logical-databases': 'logicalDatabase',
  'object-stores': 'store',
  projects: 'project',
} as const;

/** The routes of some kinds, each below its plural. */
const routesOf = (method: string, kinds: Readonly<Record<string, string>>, below = '') =>
  Object.entries(kinds).map(([plural, kind]) => `${method} /${plural}/{${kind}}${below}`);
const kindIn = <K extends string>(kinds: Readonly<Record<K, string>>) =>
  z.enum(Object.keys(kinds) as K[]).describe('Its kind.');

/** Everything besides services. */
export const otherTools = [
  tool({
    name: 'who_am_i',
    about: 'Returns the role of the token, and where it applies.',
    routes: ['GET /me'],
    does: 'reads',
    input: {},
    output: { role: z.string() },
    run: ({ ask }) => ask('GET', '/me'),
  }),
  ...metrics,
  tool({
    name: 'explain',
    about: 'Explains why something is in its state, what happens next and when, and how it came there.',
    routes: [...routesOf('GET', explained, '/explain'), ...routesOf('GET', explained, '/transitions')],
    does: 'reads',
    input: { kind: kindIn(explained), name: z.string().min(1).describe('Its name.') },
    output: { machines: z.unknown(), transitions: z.unknown() },
    run: async ({ ask }, { kind, name: of }) => ({
      machines: await ask('GET', `${pathOf(kind, of)}/explain`),
      transitions: await ask('GET', `${pathOf(kind, of)}/transitions`),
    }),
  }),
  tool({
    name: 'list_projects',
    about: 'Lists projects with their state.',
    routes: ['GET /projects'],
    does: 'reads',
    input: {},
    output: items,
    run: ({ ask }) => ask('GET', '/projects'),
  }),
  tool({
    name: 'get_project',
    about: 'Reads a project: its environments, settings and status.',
    routes: ['GET /projects/{project}'],
    does: 'reads',
    input: { name: project },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('projects', of)),
  }),
  tool({
    name: 'compliance_report',
    about: 'Returns the node tags that a project requires, and whether all of it runs on such nodes.',
    routes: ['GET /projects/{project}/compliance'],
    does: 'reads',
    input: { name: project },
    output: {},
    run: ({ ask }, { name: of }) => ask('GET', `${pathOf('projects', of)}/compliance`),
  }),
  tool({
    name: 'list_databases',
    about: 'Lists databases with their state.',
    routes: ['GET /databases'],
    does: 'reads',
    input: narrowed,
    output: items,
    run: ({ ask }, query) => ask('GET', '/databases', { query }),
  }),
  tool({
    name: 'get_database',
    about: 'Reads a database: its settings and its status.',
    routes: ['GET /databases/{database}'],
    does: 'reads',
    input: { name: database },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('databases', of)),
  }),
  tool({
    name: 'database_connection',
    about: 'Returns the address and the user of a database, without its password.',
    routes: ['GET /databases/{database}/connection'],
    does: 'reads',
    input: { name: database },
    output: { host: z.string(), database: z.string(), username: z.string() },
    run: async ({ ask }, { name: of }) => {
      const told = await ask('GET', `${pathOf('databases', of)}/connection`);
      const { host, port, database: inside, username } = told as Readonly<Record<string, unknown>>;
      return { host, port, database: inside, username };
    },
  }),
  tool({
    name: 'list_backups',
    about: 'Lists the archives of backups with the points that can be restored.',
    routes: ['GET /backup-archives'],
    does: 'reads',
    input: narrowed,
    output: items,
    run: ({ ask }, query) => ask('GET', '/backup-archives', { query }),
  }),
  tool({
    name: 'list_stores',
    about: 'Lists buckets and object-store servers with their state.',
    routes: ['GET /object-stores'],
    does: 'reads',
    input: narrowed,
    output: items,
    run: ({ ask }, query) => ask('GET', '/object-stores', { query }),
  }),
  tool({
    name: 'get_store',
    about: 'Reads a bucket or an object-store server: its settings and its status.',
    routes: ['GET /object-stores/{store}'],
    does: 'reads',
    input: { name: name('bucket or server') },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('object-stores', of)),
  }),
  tool({
    name: 'list_nodes',
    about: 'Lists the nodes of the clusters with their tags.',
    routes: ['GET /nodes'],
    does: 'reads',
    input: {},
    output: items,
    run: ({ ask }) => ask('GET', '/nodes'),
  }),
  tool({
    name: 'list_machines',
    about: 'Lists the lifecycles with how many instances are in which state.',
    routes: ['GET /machines'],
    does: 'reads',
    input: {},
    output: items,
    run: ({ ask }) => ask('GET', '/machines'),
  }),
  tool({
    name: 'list_instances',
    about: 'Lists the instances of a lifecycle with their state, those that are retrying or stuck alone if asked.',
    routes: ['GET /machines/{machine}/instances'],
    does: 'reads',
    input: {
      machine: z.string().min(1).describe('A name of list_machines.'),
      state: z.string().optional().describe('Only those in this state.'),
      retrying: z.boolean().optional().describe('Only those that try again after a failure.'),
      stuck: z.string().optional().describe('Only those that have been in their state for so long, such as 15m.'),
    },
    output: items,
    run: ({ ask }, { machine, retrying, ...query }) =>
      ask('GET', `${pathOf('machines', machine)}/instances`, {
        query: { ...query, retrying: retrying === undefined ? undefined : String(retrying) },
      }),
  }),
  tool({
    name: 'deploy_environment',
    about: 'Deploys everything in an environment that has changes waiting.',
    routes: ['POST /projects/{project}/deploy'],
    does: 'changes',
    input: { project, environment: name('environment') },
    output: {},
    run: ({ ask }, { project: of, environment }) =>
      ask('POST', `${pathOf('projects', of)}/deploy`, { body: { environment } }),
  }),
  tool({
    name: 'retry',
    about: 'Tries again what has given up.',
    routes: routesOf('POST', retried, '/retry'),
    does: 'changes',
    input: { kind: kindIn(retried), name: z.string().min(1).describe('Its name.') },
    output: {},
    run: ({ ask }, { kind, name: of }) => ask('POST', `${pathOf(kind, of)}/retry`),
  }),
  tool({
    name: 'deploy_database',
    about: 'Deploys the saved settings of a database.',
    routes: ['POST /databases/{database}/deploy'],
    does: 'changes',
    input: { name: database },
    output: named,
    run: ({ ask }, { name: of }) => ask('POST', `${pathOf('databases', of)}/deploy`),
  }),
  tool({
    name: 'restore_database',
    about: 'Makes a new database from a restore point of an archive, or from a moment.',
    routes: ['POST /databases/restore'],
    does: 'changes',
    input: {
      archive: name('archive'),
      project,
      environment: name('environment'),
      name: database.optional(),
      restorePoint: z.string().optional().describe('A restore point of the archive; the newest if neither is given.'),
      time: z.string().optional().describe('A moment, such as 2026-11-23T06:00:00Z.'),
    },
    output: named,
    run: ({ ask }, body) => ask('POST', '/databases/restore', { body }),
  }),
  tool({
    name: 'delete_resource',
    about: 'Deletes something with all of its data. This cannot be undone.',
    routes: routesOf('DELETE', deletable),
    does: 'destroys',
    deletes: true,
    input: {
      kind: kindIn(deletable),
      name: z.string().min(1).describe('Its name.'),
      confirmName: z.string().describe('Its name once more.'),
    },
    output: named,
    run: ({ ask }, { kind, name: of, confirmName }) => ask('DELETE', pathOf(kind, of), { query: { confirmName } }),
  }),
];
