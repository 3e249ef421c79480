import * as z from 'zod';
import type { Connection } from '../../api.ts';
import { pathOf } from '../../apiClient/client.ts';
import { answerOf, object, read, text } from '../../apiClient/shape.ts';
import { explainedKinds } from '../../apiClient/requests/explainedKinds.ts';
import { tool } from '../tool.ts';
import { aRead, name, named, narrowed } from './shapes.ts';

const connectionShape = answerOf<Connection>()(object({ host: text, port: text, database: text, username: text }));

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
    title: `Metrics of a ${word}`,
    about: `Reads what a ${word} uses over time: processor, memory, network.`,
    routes: [`GET /${plural}/{${kind}}/metrics`],
    does: 'reads',
    input: { name: name(word), window },
    output: { available: z.boolean() },
    run: ({ ask }, { name: of, window: seen }) =>
      ask('GET', `${pathOf(plural, of)}/metrics`, { query: { window: seen } }),
  }),
);

/** No tool reads a logical database (MCP-020). */
const { 'logical-databases': _, ...explained } = explainedKinds;
const explainedPaths = Object.keys(explained) as (keyof typeof explained)[];

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
    title: 'Identity',
    about: 'Returns the role of the token, and where it applies.',
    routes: ['GET /me'],
    does: 'reads',
    input: {},
    output: { role: z.string() },
    run: ({ ask }) => ask('GET', '/me'),
  }),
  ...metrics,
  tool({
    name: 'attention',
    title: 'What needs attention',
    about:
      'Lists what failed, is at risk, crashes, is retried or is stuck: one item a root cause, with what to do and what it holds up.',
    routes: ['GET /attention'],
    does: 'reads',
    input: narrowed,
    output: { items: z.array(z.unknown()), counts: z.record(z.string(), z.number()) },
    run: ({ ask }, { project: of, environment }) => ask('GET', '/attention', { query: { project: of, environment } }),
  }),
  tool({
    name: 'explain',
    title: 'Explain a state',
    about:
      'Explains why something is in its state, with its causes, what happens next and when, and how it came there.',
    routes: explainedPaths.flatMap((kind) => [`GET /${kind}/{name}/explain`, `GET /${kind}/{name}/transitions`]),
    does: 'reads',
    input: { kind: z.enum(explainedPaths).describe('Its kind.'), name: z.string().min(1).describe('Its name.') },
    output: { machines: z.unknown(), transitions: z.unknown() },
    run: async ({ ask }, { kind, name: of }) => ({
      machines: await ask('GET', `${pathOf(kind, of)}/explain`),
      transitions: await ask('GET', `${pathOf(kind, of)}/transitions`),
    }),
  }),
  tool({
    name: 'get_project',
    title: 'Read a project',
    about: 'Reads a project: its environments, settings and status.',
    routes: ['GET /projects/{project}'],
    does: 'reads',
    input: { name: project },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('projects', of)),
  }),
  tool({
    name: 'compliance_report',
    title: 'Compliance of a project',
    about: 'Returns the node tags that a project requires, and whether all of it runs on such nodes.',
    routes: ['GET /projects/{project}/compliance'],
    does: 'reads',
    input: { name: project },
    output: {},
    run: ({ ask }, { name: of }) => ask('GET', `${pathOf('projects', of)}/compliance`),
  }),
  tool({
    name: 'get_database',
    title: 'Read a database',
    about: 'Reads a database: its settings and its status.',
    routes: ['GET /databases/{database}'],
    does: 'reads',
    input: { name: database },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('databases', of)),
  }),
  tool({
    name: 'database_connection',
    title: 'Connection of a database',
    about: 'Returns the address and the user of a database, without its password.',
    routes: ['GET /databases/{database}/connection'],
    does: 'reads',
    input: { name: database },
    output: { host: z.string(), database: z.string(), username: z.string() },
    run: async ({ ask }, { name: of }) => {
      const answer = await ask('GET', `${pathOf('databases', of)}/connection`);
      const { host, port, database: inside, username } = read(connectionShape, answer);
      return { host, port, database: inside, username };
    },
  }),
  tool({
    name: 'get_store',
    title: 'Read an object store',
    about: 'Reads a bucket or an object-store server: its settings and its status.',
    routes: ['GET /object-stores/{store}'],
    does: 'reads',
    input: { name: name('bucket or server') },
    output: aRead,
    run: ({ ask }, { name: of }) => ask('GET', pathOf('object-stores', of)),
  }),
  tool({
    name: 'deploy_environment',
    title: 'Deploy an environment',
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
    title: 'Retry what has given up',
    about: 'Tries again what has given up.',
    routes: routesOf('POST', retried, '/retry'),
    does: 'changes',
    input: { kind: kindIn(retried), name: z.string().min(1).describe('Its name.') },
    output: {},
    run: ({ ask }, { kind, name: of }) => ask('POST', `${pathOf(kind, of)}/retry`),
  }),
  tool({
    name: 'deploy_database',
    title: 'Deploy a database',
    about: 'Deploys the saved settings of a database.',
    routes: ['POST /databases/{database}/deploy'],
    does: 'changes',
    input: { name: database },
    output: named,
    run: ({ ask }, { name: of }) => ask('POST', `${pathOf('databases', of)}/deploy`),
  }),
  tool({
    name: 'restore_database',
    title: 'Restore a backup',
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
    title: 'Delete a resource',
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
