import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { makeClient } from '../../../http/apiClient/client.ts';
import { isApiFailure } from '../../../http/apiClient/failure.ts';
import { tools } from '../../../http/mcp/tools/all.ts';
import { suite } from '../../support/suite.ts';
import { deployment, statusOf, summary } from '../cli/cases.ts';
import { type Answer, type Scripted, scriptedServer } from '../cli/scripted.ts';
import { terminal, type Terminal } from '../cli/terminal.ts';

const spec = suite('tools compared with commands');

let server: Scripted;
let shell: Terminal;
spec.before(async () => {
  server = await scriptedServer();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'gsw_1_a-token' } });
});
spec.after(async () => {
  shell.clean();
  await server.stop();
});

/** A command and a tool that are to send the same, and to come to the same, whatever the server answers. */
interface Pair {
  readonly line: string;
  readonly tool: string;
  readonly args: object;
  /** What is answered: by its route, else to everything. */
  readonly worlds: readonly (Readonly<Record<string, Answer>> & { readonly others?: Answer })[];
  /** What the command sends besides: it waits. */
  readonly alsoSends?: RegExp;
}

const ok = (value: object): Answer => ({ json: value });
const refused = (status: number, error: string): Answer => ({ status, json: { error } });
const items = (...all: readonly object[]): Answer => ok({ items: all });

/** The refusals that every route may answer with. */
const refusals = [
  { others: refused(404, 'service "web" was not found') },
  { others: refused(403, 'your role changes nothing') },
  { others: refused(409, 'cannot be scheduled: no node has room') },
  { others: refused(502, 'the store failed') },
];
const done = { others: ok({ name: 'web', state: 'pending', pending: true, removed: true, deployed: true }) };
const deployments = (...ids: readonly string[]) => ({
  'GET /apps/web/deployments': items(...ids.map(deployment)),
  'POST /apps/web/rollback': ok({ name: 'web', state: 'pending', note: '' }),
});
const created = (deployed: boolean) => ({ 'POST /apps': ok({ name: 'web', deployed, draft: !deployed }) });
const place = { project: 'shop', environment: 'production' };
const inShop = '--project shop --environment production';
const status = { 'GET /apps/web/status': ok(statusOf('web')) };
const code = 'package.json';

const pairs: readonly Pair[] = [
  {
    line: 'rollback web',
    tool: 'rollback_app',
    args: { app: 'web' },
    worlds: [
      deployments(),
      deployments('web-1'),
      deployments('web-2', 'web-1'),
      { ...deployments('web-2', 'web-1'), 'POST /apps/web/rollback': refused(409, 'functions cannot be rolled back') },
      ...refusals,
    ],
  },
  {
    line: 'rollback web web-1',
    tool: 'rollback_app',
    args: { app: 'web', deployment: 'web-1' },
    worlds: [deployments('web-2'), ...refusals],
  },
  {
    line: 'status',
    tool: 'app_status',
    args: {},
    worlds: [
      { 'GET /apps': items() },
      { 'GET /apps': items(summary('web'), summary('gone')), ...status },
      { 'GET /apps': items(summary('web')), 'GET /apps/web/status': refused(503, 'away') },
      ...refusals,
    ],
  },
  { line: 'status web', tool: 'app_status', args: { name: 'web' }, worlds: [status, ...refusals] },
  {
    line: `apps list ${inShop}`,
    tool: 'list_apps',
    args: place,
    worlds: [{ 'GET /apps': items(summary('web')) }, ...refusals],
  },
  { line: 'stores list', tool: 'list_stores', args: {}, worlds: [{ others: items() }, ...refusals] },
  { line: 'databases list', tool: 'list_databases', args: {}, worlds: [{ others: items() }, ...refusals] },
  { line: 'nodes list', tool: 'list_nodes', args: {}, worlds: [{ others: items() }, ...refusals] },
  { line: 'apps get web', tool: 'get_app', args: { name: 'web' }, worlds: [done, ...refusals] },
  { line: 'env list web', tool: 'list_variables', args: { app: 'web' }, worlds: [{ others: items() }, ...refusals] },
  {
    line: `apps create web --image nginx --repo a/b ${inShop} --port 80`,
    tool: 'create_app',
    args: { name: 'web', ...place, image: 'nginx', repository: 'a/b', port: 80 },
    worlds: [created(false), ...refusals],
  },
  {
    line: `apps create web --repo a/b ${inShop} --deploy`,
    tool: 'create_app',
    args: { name: 'web', ...place, repository: 'a/b', deploy: true },
    worlds: [created(true), created(false), ...refusals],
  },
  {
    line: `apps create web --function ${code} ${inShop}`,
    tool: 'create_app',
    args: { name: 'web', ...place, code: readFileSync(code, 'utf8') },
    worlds: [created(false), ...refusals],
  },
  { line: 'deploy web', tool: 'deploy_app', args: { app: 'web' }, worlds: [done, ...refusals] },
  {
    line: `deploy ${inShop}`,
    tool: 'deploy_environment',
    args: place,
    worlds: [{ others: ok({ ...place, deployed: ['web'], refused: [] }) }, ...refusals],
  },
  { line: 'scale web 3', tool: 'scale_app', args: { app: 'web', replicas: 3 }, worlds: [done, ...refusals] },
  {
    line: 'scale web --sleep-after 5m',
    tool: 'sleep_app',
    args: { app: 'web', seconds: 300 },
    worlds: [{ 'PATCH /apps/web': ok(statusOf('web')), ...status }, ...refusals],
    alsoSends: /^GET \/apps\/web\/status /,
  },
  {
    line: 'scale web --always-on',
    tool: 'sleep_app',
    args: { app: 'web', seconds: 'never' },
    worlds: [
      { 'PATCH /apps/web': ok(statusOf('web')), 'GET /apps/web/status': ok(statusOf('web', { scaleToZero: null })) },
    ],
    alsoSends: /^GET \/apps\/web\/status /,
  },
  {
    line: 'logs web --tail 5 --since 1h --level warn --search oops',
    tool: 'app_logs',
    args: { app: 'web', tail: 5, since: '1h', level: 'warn', search: 'oops' },
    worlds: [{ others: items() }, ...refusals],
  },
  {
    line: 'env set web A=1',
    tool: 'set_variable',
    args: { app: 'web', key: 'A', value: '1' },
    worlds: [done, ...refusals],
  },
  {
    line: 'env set web A=1 --secret',
    tool: 'set_variable',
    args: { app: 'web', key: 'A', value: '1', secret: true },
    worlds: [done, ...refusals],
  },
  { line: 'env unset web A', tool: 'unset_variable', args: { app: 'web', key: 'A' }, worlds: [done, ...refusals] },
  {
    line: 'functions call web --data hi --path /a',
    tool: 'call_function',
    args: { app: 'web', body: 'hi', path: '/a' },
    worlds: [{ others: ok({ status: 200, body: 'hello' }) }, ...refusals],
  },
  {
    line: 'databases connection orders',
    tool: 'database_connection',
    args: { name: 'orders' },
    worlds: [{ others: ok({ host: 'a', port: '1', database: 'b', username: 'c' }) }, ...refusals],
  },
  { line: 'databases deploy orders', tool: 'deploy_database', args: { name: 'orders' }, worlds: [done, ...refusals] },
  {
    line: 'databases retry orders',
    tool: 'retry',
    args: { kind: 'databases', name: 'orders' },
    worlds: [done, ...refusals],
  },
  {
    line: `databases restore orders-1 ${inShop} --name copy --restore-point p1`,
    tool: 'restore_database',
    args: { archive: 'orders-1', ...place, name: 'copy', restorePoint: 'p1' },
    worlds: [done, ...refusals],
  },
  {
    line: 'apps delete web -y',
    tool: 'delete_resource',
    args: { kind: 'apps', name: 'web', confirmName: 'web' },
    worlds: [done, ...refusals],
  },
  { line: 'whoami', tool: 'who_am_i', args: {}, worlds: refusals },
  {
    line: 'compliance get --project shop',
    tool: 'compliance_report',
    args: { name: 'shop' },
    worlds: [{ others: ok({ project: 'shop', requiredTags: [], checks: [], resources: [] }) }, ...refusals],
  },
  {
    line: 'metrics web --window 6h',
    tool: 'app_metrics',
    args: { name: 'web', window: '6h' },
    worlds: [{ others: ok({ available: true, series: { cpu: [{ t: 1, v: 1 }] } }) }, ...refusals],
  },
  {
    line: 'explain object-stores files',
    tool: 'explain',
    args: { kind: 'object-stores', name: 'files' },
    worlds: refusals,
  },
];

/** What somebody came to: the requests, and the sentence of a refusal. */
interface Outcome {
  readonly sent: readonly string[];
  readonly refusal: string | null;
}

/** A query without what says how much of a list is read: a command reads all of it, a tool a page. */
const wholly = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !['limit', 'remaining'].includes(name)));

async function inWorld(world: Pair['worlds'][number], act: () => Promise<string | null>): Promise<Outcome> {
  server.forget();
  const { others, ...routes } = world;
  for (const [route, answer] of Object.entries(routes)) server.on(route, answer);
  if (others !== undefined) server.otherwise(others);
  const refusal = await act();
  const sent = server.reached.map(
    ({ method, path, query, body }) => `${method} ${path} ${JSON.stringify(wholly(query))} ${sortedText(body)}`,
  );
  return { sent, refusal };
}

/** A body whose fields are in no order. */
const sortedText = (body: string): string =>
  body === ''
    ? ''
    : JSON.stringify(Object.entries(JSON.parse(body) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function command(line: string): Promise<string | null> {
  const { exit, err } = await shell.core(line);
  return exit === 0 ? null : (/^Error: (.*)$/m.exec(err)?.[1] ?? err);
}

async function tool({ tool: name, args }: Pair): Promise<string | null> {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  const { input, run } = found;
  const client = makeClient({ address: server.url, token: 'gsw_1_a-token', agent: 'core/spec', env: {} });
  const text = () => Promise.reject(new Error('no text is read'));
  try {
    await run({ ask: client.ask, text }, z.strictObject(input).parse(args));
    return null;
  } catch (error) {
    if (isApiFailure(error)) return error.message;
    throw error;
  } finally {
    client.close();
  }
}

for (const pair of pairs)
  spec(`${pair.tool} sends the requests of core ${pair.line.slice(0, 60)}`, async () => {
    for (const world of pair.worlds) {
      const asked = await inWorld(world, () => command(pair.line));
      const told = await inWorld(world, () => tool(pair));
      const expected = { ...asked, sent: asked.sent.filter((one) => pair.alsoSends?.test(one) !== true) };
      assert.equal(told, expected, JSON.stringify(world));
      assert.ok(told.sent.length > 0);
    }
  });

spec('CLI-212 rollback_app is refused without a write when there is no earlier deployment', async () => {
  const pair: Pair = { line: 'rollback web', tool: 'rollback_app', args: { app: 'web' }, worlds: [] };
  assert.equal(await inWorld(deployments('web-1'), () => tool(pair)), {
    sent: ['GET /apps/web/deployments {} '],
    refusal: 'web has no earlier deployment to go back to',
  });
});

spec.run();
