import { request } from 'node:http';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as assert from 'uvu/assert';
import { ApiFailure } from '../../../http/apiClient/failure.ts';
import { listedSchemas } from '../../../http/mcp/listedSchemas.ts';
import { hostOf, isLoopback, namesOf, placeOf } from '../../../http/mcp/place.ts';
import { resultOf } from '../../../http/mcp/result.ts';
import { makeToolCache } from '../../../http/mcp/toolCache.ts';
import { tools } from '../../../http/mcp/tools/all.ts';
import { runtimes } from '../../../rules/function/runtimes.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { asking, serveShop } from '../services/given.ts';
import type { Served } from '../served.ts';
import { agentOf, askedBy, everything, newClient, serveAgents } from './given.ts';
import { olderAgents } from './older.ts';

const spec = suite('the agent server');
const mark = 'a-value-nobody-may-read';

let served: Served;
let agents: Awaited<ReturnType<typeof serveAgents>>;
const tokens = new Map<string, string>();
const tokenOf = (name: string): string => tokens.get(name) ?? '';

spec.before(async () => {
  served = await serveShop();
  const the = asking(served);
  await the.deployed();
  await the.post('/apps/web/secrets/set', { key: 'KEY', value: mark });
  for (const role of ['admin', 'observer', 'viewer'])
    tokens.set(role, (await served.makeToken({ name: role, role })).token);
  const own = { name: 'own', role: undefined, project: 'shop', environment: 'production' };
  tokens.set('project', (await served.makeToken(own)).token);
  agents = await serveAgents(served);
});
spec.after(async () => {
  await agents.stop();
  await served.stop();
});

const stdio = (token: string, ...flags: readonly string[]) => ({
  command: process.execPath,
  args: ['dist/core.js', 'mcp', '--url', served.url, ...flags],
  env: { CORE_TOKEN: token, CORE_CONFIG: '/nonexistent/core.json' },
  cwd: root,
});

spec(
  'MCP-001 MCP-010 MCP-011 MCP-022 an agent has the permissions of its token and reads the states reported by the API',
  async () => {
    const agent = await agents.connect(tokenOf('admin'));
    assert.match(JSON.stringify(await agent.call('who_am_i')), /"username":"token:admin","role":"admin"/);
    const { items } = (await agent.call('app_status', { name: 'web' })) as {
      readonly items: readonly Readonly<Record<string, unknown>>[];
    };
    const [web] = items;
    const { state } = (await asking(served).status()) as { readonly state: string };
    assert.equal([web?.['name'], web?.['state']], ['web', state]);
    for (const field of ['build', 'lastAttempt', 'message']) assert.ok(field in (web ?? {}), field);
    assert.equal(await agent.call('app_status', { project: 'shop' }), await agent.call('app_status'));
    assert.match(String(await agent.call('get_app', { name: 'nobody' })), /^service "nobody" was not found\nList what/);
    await agent.close();
  },
);

spec('MCP-010 a service is left out of a list when it is deleted before its read', async () => {
  const status = tools.find(({ name }) => name === 'app_status');
  const told = (code: number) =>
    status?.run(
      {
        ask: (_, path) => {
          if (path === '/apps') return Promise.resolve({ items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
          return path === '/apps/b/status'
            ? Promise.reject(new ApiFailure('because', code))
            : Promise.resolve({ name: path.split('/')[2] });
        },
        text: () => Promise.resolve(''),
      },
      {},
    );
  assert.equal(await told(404), { items: [{ name: 'a' }, { name: 'c' }], left_out: 0 });
  assert.is(await told(503)?.catch((error: unknown) => (error as ApiFailure).status), 503);
});

spec('MCP-002 MCP-015 a caller is offered only the tools that its token may use', async () => {
  const offeredTo = async (name: string) => {
    const agent = await agents.connect(tokenOf(name));
    const names = await agent.names();
    await agent.close();
    return new Set(names);
  };
  const [admin, observer, viewer, project] = await Promise.all(
    ['admin', 'observer', 'viewer', 'project'].map(offeredTo),
  );
  const rows = tools.map(({ name }) => [
    name,
    [admin, observer, viewer, project].map((set) => (set?.has(name) ? 'x' : '-')).join(''),
  ]);
  const told = Object.fromEntries(rows) as Readonly<Record<string, string>>;
  for (const [name, who] of Object.entries({
    who_am_i: 'xxxx',
    list_apps: 'xxxx',
    app_logs: 'xx-x',
    list_variables: 'xx-x',
    list_databases: 'xxx-',
    database_connection: 'x---',
    explain: 'xxx-',
    build_log: 'xx--',
    deploy_app: 'x--x',
    scale_app: 'x--x',
    set_variable: 'x--x',
    create_app: 'x---',
    retry: 'x---',
  }))
    assert.is(told[name], who, name);
  const agent = await agents.connect(tokenOf('viewer'));
  const refused = await agent.call('deploy_app', { app: 'web' }).catch((error: unknown) => String(error));
  assert.match(String(refused), /deploy_app/);
  await agent.close();
});

spec('MCP-003 MCP-004 MCP-009 read-only mode removes writing tools, and deleting needs a setting', async () => {
  const reading = await serveAgents(served, { readOnly: true, deletion: true });
  const agent = await reading.connect(tokenOf('admin'));
  const names = await agent.names();
  assert.equal(
    names.filter((name) => tools.find((tool) => tool.name === name)?.does !== 'reads'),
    [],
  );
  assert.ok(names.includes('list_apps') && !names.includes('delete_resource'));
  await agent.close();
  await reading.stop();
  const [deleting] = tools.filter(({ deletes }) => deletes);
  assert.equal(
    [deleting?.name, Object.keys(deleting?.input ?? {})],
    ['delete_resource', ['kind', 'name', 'confirmName']],
  );
});

spec('MCP-005 a tool never returns a secret, even one that its token may read', async () => {
  const agent = await agents.connect(tokenOf('admin'));
  const answers = [
    await agent.call('list_variables', { app: 'web' }),
    await agent.call('get_app', { name: 'web' }),
    await agent.call('app_status'),
    await agent.call('set_variable', { app: 'web', key: 'KEY', value: mark, secret: true }),
  ];
  assert.not.ok(JSON.stringify(answers).includes(mark));
  assert.match(JSON.stringify(answers[0]), /"name":"KEY","kind":"secret"/);
  await agent.close();
  const { structuredContent } = resultOf({ spec: { password: mark, uri: mark, list: [{ token: mark }] } }, {});
  assert.equal(structuredContent, { spec: { list: [{}] } });
});

spec('MCP-006 MCP-007 databases are listed and read', async () => {
  const agent = await agents.connect(tokenOf('viewer'));
  assert.equal(await agent.call('list_databases'), { items: [], left_out: 0 });
  assert.match(String(await agent.call('get_database', { name: 'orders' })), /^database "orders" was not found/);
  await agent.close();
});

spec('MCP-008 the connection of a database is returned without its password', async () => {
  const connection = { host: 'orders.shop', port: '5432', database: 'app', username: 'app', password: mark, uri: mark };
  const { told, asked } = await askedBy('database_connection', { name: 'orders' }, connection);
  assert.equal(told, { host: 'orders.shop', port: '5432', database: 'app', username: 'app' });
  assert.equal(asked, ['GET /databases/orders/connection {}']);
});

spec('MCP-020 MCP-021 logical databases are neither listed nor read, and are deleted by their kind', async () => {
  assert.equal(
    tools.filter(({ does, routes }) => does === 'reads' && routes.some((route) => route.includes('logical'))),
    [],
  );
  const args = { kind: 'logical-databases', name: 'reports', confirmName: 'reports' };
  const { asked } = await askedBy('delete_resource', args, { name: 'reports' });
  assert.equal(asked, ['DELETE /logical-databases/reports {"confirmName":"reports"}']);
});

spec('MCP-013 MCP-014 a request over HTTP needs a token and a known Host and Origin', async () => {
  const ask = (headers: Readonly<Record<string, string>>, path = '') =>
    fetch(`${agents.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'older', version: '1' } },
      }),
    });
  const bearer = { authorization: `Bearer ${tokenOf('viewer')}` };
  const challenges = [
    [{}, 'Bearer'],
    [{ authorization: 'Bearer gsw_nobody' }, 'Bearer error="invalid_token"'],
  ] as const;
  for (const [headers, challenge] of challenges) {
    const refused = await ask(headers);
    assert.equal([refused.status, refused.headers.get('www-authenticate')], [401, challenge]);
  }
  const older = await ask(bearer);
  assert.is(older.status, 200);
  assert.match(await older.text(), /"protocolVersion":"2025-03-26"/);
  assert.is((await ask({ ...bearer, origin: 'https://evil.example' })).status, 403);
  assert.is((await ask(bearer, '/more')).status, 404);
  const get = await fetch(agents.url, { headers: bearer });
  assert.equal([get.status, get.headers.get('allow')], [405, 'POST']);
});

spec('MCP-013 a request must name the address that the server listens at', async () => {
  const own = ['localhost', '127.0.0.1', '[::1]', '::1'];
  assert.equal(namesOf('fd00::1'), [...own, '[fd00::1]']);
  assert.equal(namesOf('Agents.example'), [...own, 'agents.example']);
  assert.equal(namesOf('0.0.0.0', '10.0.0.5'), [...own, '10.0.0.5']);
  assert.equal(namesOf('::', '::ffff:10.0.0.5'), [...own, '10.0.0.5']);
  assert.equal(namesOf('::', 'fd00:0::5'), [...own, '[fd00::5]']);
  assert.equal(['a:80', '10.0.0.5:80', 'http://a', 'a/b', 'a b', '', 'u@a', 'A.example.'].map(hostOf), [
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    'a.example.',
  ]);
  const second = await serveAgents(served, everything, '127.0.0.2');
  const agent = await second.connect(tokenOf('viewer'));
  assert.ok((await agent.names()).includes('list_apps'));
  await agent.close();
  await second.stop();
});

spec('MCP-013 a server on all addresses accepts only known names as Host and Origin', async () => {
  const everywhere = await serveAgents(served, everything, '0.0.0.0');
  const { port } = new URL(everywhere.url);
  const ask = (host: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ host: '127.0.0.3', port, path: '/mcp', method: 'POST', headers: { host, ...headers } });
      asked.once('error', reject);
      asked.once('response', (answer) => {
        answer.setEncoding('utf8');
        let text = '';
        answer.on('data', (part: string) => (text += part));
        answer.once('end', () => resolve(`${answer.statusCode} ${text}`));
      });
      asked.end();
    });
  for (const host of ['127.0.0.3', 'localhost', `agents.example:${port}`]) assert.match(await ask(host), /^401 /, host);
  assert.match(await ask('evil.example'), /^403 .*does not answer as .*evil\.example.*--allow-host evil\.example/);
  assert.match(await ask('localhost', { origin: 'https://evil.example' }), /^403 .*pages of .*evil\.example/);
  assert.match(await ask('localhost', { origin: 'https://agents.example' }), /^401 /);
  await everywhere.stop();
});

spec('the create_app schema lists the runtimes', () => {
  const { properties } = (listedSchemas['create_app']?.inputSchema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  };
  assert.equal(properties?.['runtime']?.enum?.toSorted(), Object.keys(runtimes).toSorted());
});

spec('MCP-016 the tools of a caller are cached for five minutes, and failures are not cached', async () => {
  let now = 0;
  let made = 0;
  const toolsOf = makeToolCache(() => now);
  const make = () => {
    made += 1;
    return Promise.resolve(tools);
  };
  /** How often tools were made until these were there. */
  const count = async (token: string) => {
    await toolsOf(token, make);
    return made;
  };
  assert.equal([await count('one'), await count('one'), await count('other')], [1, 1, 2]);
  now = 5 * 60_000 - 1;
  assert.is(await count('one'), 2);
  now += 1;
  assert.is(await count('one'), 3);
  await toolsOf('away', () => Promise.reject(new Error('away'))).catch(() => {});
  assert.is(await count('away'), 4);
  for (let caller = 0; caller < 256; caller++) await count(`caller ${caller}`);
  assert.is(await count('one'), 261);
});

spec('MCP-017 a revoked token is refused by the next call although its tools are cached', async () => {
  const { token, id } = await served.makeToken({ name: 'short', role: 'viewer' });
  const agent = await agents.connect(token);
  assert.ok((await agent.names()).includes('list_apps'));
  await served.ask(`/api/v1/tokens/${id}`, { method: 'DELETE' });
  const refused = await agent.call('list_apps').catch((error: unknown) => String(error));
  assert.match(String(refused), /401|not valid/);
  await agent.close();
});

spec('MCP-018 the server warns when its address is reachable from other machines', async () => {
  assert.equal(['127.0.0.1', '::1', 'localhost', '0.0.0.0', '10.0.0.1'].map(isLoopback), [
    true,
    true,
    true,
    false,
    false,
  ]);
  assert.equal(placeOf('[::1]:7080'), { host: '::1', port: 7080 });
  assert.equal([placeOf('7080'), placeOf('a:b'), placeOf('a:70000')], [null, null, null]);
  // An address of no machine: nothing listens.
  const { args, env, cwd } = stdio('', '--listen', '192.0.2.1:0');
  const [code, told] = await new Promise<readonly [unknown, string]>((ended) =>
    execFile(process.execPath, args, { env, cwd }, (error, _, err) => ended([error?.code, err])),
  );
  assert.is(code, 1);
  assert.match(told, /^Warning: 192\.0\.2\.1 is no loopback address[^\n]*\nError: could not listen: /);
});

spec('MCP-012 the server speaks over standard input and output without --listen', async () => {
  const client = newClient();
  const transport = new StdioClientTransport({ ...stdio(tokenOf('observer'), '--read-only'), stderr: 'pipe' });
  await client.connect(transport);
  const agent = agentOf(client);
  const names = await agent.names();
  assert.ok(names.includes('app_logs') && !names.includes('deploy_app'));
  // What is built lists the schemas that the build worked out.
  for (const { name, inputSchema, outputSchema } of (await client.listTools()).tools)
    assert.equal({ inputSchema, outputSchema }, listedSchemas[name], name);
  assert.match(JSON.stringify(await agent.call('list_apps')), /"name":"web"/);
  assert.match(String(await agent.call('get_app', { name: 'nobody' })), /^service "nobody" was not found\nList what/);
  await agent.close();
  const { command, args, env, cwd } = stdio(tokenOf('viewer'));
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
});

spec('MCP-012 the server fails before a byte of the protocol without a sign-in', async () => {
  const { command, args, env, cwd } = stdio('gsw_nobody');
  const [code, out] = await new Promise<readonly [unknown, string]>((ended) => {
    const child = execFile(command, args, { env, cwd }, (error, stdout) => ended([error?.code, stdout]));
    child.stdin?.end();
  });
  assert.equal([code, out], [4, '']);
});

const older = await olderAgents();
const withOlder = older === null ? (title: string) => spec.skip(`${title}: @modelcontextprotocol/sdk is absent`) : spec;

withOlder(
  'MCP-001 MCP-012 MCP-013 an agent with an older library reads and is refused equally over both transports',
  async () => {
    if (older === null) return;
    const token = tokenOf('project');
    for (const agent of [
      await older.overHttp(agents.url, token),
      await older.overInput(stdio(token, '--allow-delete')),
    ]) {
      const names = await agent.names();
      assert.ok(names.includes('deploy_app') && !names.includes('create_app'));
      assert.match(JSON.stringify(await agent.call('app_status', { name: 'web' })), /"name":"web"/);
      assert.match(
        String(await agent.call('get_app', { name: 'nobody' })),
        /^service "nobody" was not found\nList what/,
      );
      await agent.close();
    }
  },
);

spec('MCP-019 the server keeps no record of calls', () => {
  const lines = JSON.stringify(served.lines);
  assert.ok(lines.includes('/api/v1/apps'));
  assert.equal(
    tools.filter(({ name }) => lines.includes(name)),
    [],
  );
});

spec('a long result is truncated, and texts of services are marked as foreign', () => {
  const long = { items: Array.from({ length: 5_000 }, (_, at) => ({ line: `line ${at} of a log` })) };
  const { content, structuredContent } = resultOf(long, { isForeign: true });
  assert.match(content[0]?.text ?? '', /treat it as data/);
  assert.match(content[1]?.text ?? '', /cut short/);
  assert.ok((content[2]?.text.length ?? 0) <= 48_000);
  assert.is(content[2]?.text, JSON.stringify(structuredContent));
  // As much as fits, and no more of it is left out.
  const { items } = structuredContent as typeof long;
  assert.equal(items, long.items.slice(0, items.length));
  assert.ok(JSON.stringify({ items: long.items.slice(0, items.length + 1) }).length > 48_000);
  const two = resultOf({ one: [mark.repeat(4_000)], other: long.items, few: [1] }, {});
  assert.ok((two.content[1]?.text.length ?? 0) <= 48_000);
  assert.equal((two.structuredContent as { readonly few: unknown }).few, [1]);
  const short = { items: [{ line: 'a line' }] };
  assert.equal(resultOf(short, {}).content, [{ type: 'text', text: JSON.stringify(short) }]);
});

spec.run();
