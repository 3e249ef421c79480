import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { deployment, statusOf, summary } from './cases.ts';
import { scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('commands one by one');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const bodies = () => server.reached.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body) as unknown);

spec('CLI-127 CLI-128 CLI-123 a list is filtered by flags, completed by the default place', async () => {
  server.on('GET /apps', { json: { items: [] } });
  const env = { CORE_URL: server.url, CORE_TOKEN: 't', CORE_PROJECT: 'shop', CORE_ENVIRONMENT: 'live' };
  const query = async (line: string) => {
    server.reached.length = 0;
    await shell.core(line, { env });
    return server.reached[0]?.query;
  };
  assert.equal(await query('apps list'), { limit: '500' });
  assert.equal(await query('apps list -p other'), { project: 'other', environment: 'live', limit: '500' });
  assert.equal(await query('apps list -e test'), { project: 'shop', environment: 'test', limit: '500' });
  assert.equal(await query('status'), { project: 'shop', environment: 'live', limit: '500' });
  assert.is((await shell.core('apps list web')).exit, 2);
});

spec('CLI-124 CLI-125 CLI-126 CLI-247 a list of services has columns for state and details', async () => {
  const items = [
    summary('a', { url: 'https://a.example', details: { image: 'x' } }),
    summary('b', { state: 'pending', details: { repository: 'shop/b', image: '' } }),
    summary('c', { state: 'failed', details: { runtime: 'bun' } }),
    summary('d', { state: 'draft', details: {}, createdAt: new Date(shell.time.begun - 30_000).toISOString() }),
    summary('e', { state: 'deleting', details: {} }),
  ];
  server.on('GET /apps', { json: { items } });
  const { out } = await shell.core('apps list');
  const cells = out.split('\n').map((line) => line.split(/ {2,}/).slice(3, 5).join(' '));
  assert.equal(cells.slice(0, 6), [
    'STATE DETAIL',
    'ready https://a.example',
    'pending shop/b',
    'failed bun',
    'draft -',
    'deleting -',
  ]);
  assert.match(out, /\nd .* 30s\n/);
  assert.equal(JSON.parse((await shell.core('apps list --json')).out), { items });
});

spec(
  'CLI-131 CLI-132 CLI-133 CLI-134 CLI-135 CLI-136 CLI-137 status lists the state, ready copies, build, URL and message of services',
  async () => {
    const build = { name: 'b', phase: 'Failed', failureReason: 'exit status 1', sourceRevision: '', ciState: '' };
    const statuses = [
      statusOf('a', { replicas: { desired: 2, ready: 1, available: 1 }, url: 'https://a' }),
      statusOf('b', { sleeping: true, replicas: { desired: 0, ready: 0, available: 0 } }),
      statusOf('c', { replicas: null, build, message: 'Build failed' }),
      statusOf('d', { build: { ...build, phase: 'WaitingForCI' } }),
    ];
    for (const one of statuses) server.on(`GET /apps/${one.name}/status`, { json: one });
    const { out } = await shell.core('status a b c d');
    assert.equal(
      out.split('\n').map((line) => line.replace(/ {2,}/g, '|')),
      [
        'NAME|STATE|READY|BUILD|URL|MESSAGE',
        'a|ready|1/2|-|https://a|Service is running',
        'b|ready|0/0 (asleep)|-|-|Service is running',
        'c|ready|-|Failed|-|exit status 1',
        'd|ready|2/2|WaitingForCI|-|Service is running',
        '',
      ],
    );
    assert.ok(!server.asked().includes('GET /apps'));
    assert.equal(JSON.parse((await shell.core('status a --json')).out), { items: [statuses[0]] });
  },
);

spec('status leaves out a service deleted after the list, and fails when a named service is missing', async () => {
  server.on('GET /apps', { json: { items: [summary('a'), summary('gone')] } });
  server.on('GET /apps/a/status', { json: statusOf('a') });
  const all = await shell.core('status');
  assert.is(all.exit, 0);
  assert.is(all.out.split('\n').length, 3);
  assert.is((await shell.core('status a gone')).exit, 3);
});

spec('CLI-184 CLI-185 CLI-186 CLI-187 CLI-190 env set splits at the first = and checks all pairs first', async () => {
  server.on('POST /apps/web/config/set', { json: { pending: true } });
  server.on('POST /apps/web/secrets/set', { json: { pending: true } });
  for (const pair of ['x', '=v', '']) {
    const { exit, err } = await shell.core(['env', 'set', 'web', 'A=1', pair]);
    assert.is(exit, 2, pair);
    assert.match(err, /^Error: variable 2 /);
  }
  assert.equal(server.asked(), []);
  await shell.core(['env', 'set', 'web', 'A=b=c', 'EMPTY=', '__proto__=x', 'S= a\nb ']);
  assert.equal(bodies(), [
    { key: 'A', value: 'b=c' },
    { key: 'EMPTY', value: '' },
    { key: '__proto__', value: 'x' },
    { key: 'S', value: ' a\nb ' },
  ]);
  await shell.core('env set web K=v --secret');
  assert.is(server.asked().at(-1), 'POST /apps/web/secrets/set');
  assert.is((await shell.core('env set web K=v --wait')).exit, 2);
});

spec('CLI-181 CLI-182 CLI-183 values of variables are printed only with --json', async () => {
  const items = [
    { name: 'A', kind: 'config', injected: false, from: '', value: 'plain value' },
    { name: 'PORT', kind: 'literal', injected: true, from: 'x', value: '8080' },
    { name: 'S', kind: 'secret', injected: false, from: '' },
  ];
  server.on('GET /apps/web/variables', { json: { items } });
  const { out } = await shell.core('env list web');
  assert.is(out, 'NAME  KIND\nA     config\nPORT  literal\nS     secret\n');
  assert.equal(JSON.parse((await shell.core('env list web --json')).out), { items });
});

spec('CLI-193 CLI-208 scale sends -1 as a number and prints the refusal of the API', async () => {
  server.on('POST /apps/web/scale', { status: 400, json: { error: 'replicas must be a whole number from 0 to 1000' } });
  for (const count of ['-1', '1001']) {
    const { exit, err } = await shell.core(['scale', 'web', count]);
    assert.equal([exit, err], [1, 'Error: replicas must be a whole number from 0 to 1000\n']);
  }
  assert.equal(bodies(), [{ replicas: -1 }, { replicas: 1001 }]);
});

spec('CLI-211 CLI-212 CLI-213 CLI-215 a rollback without a revision uses the second deployment', async () => {
  server.on('GET /apps/web/deployments', { json: { items: [deployment('web-9')] } });
  const { exit, err } = await shell.core('rollback web');
  assert.equal([exit, err], [3, 'Error: web has no earlier deployment to go back to\n']);
  server.on('GET /apps/web/deployments', { json: { items: [deployment('web-9'), deployment('web-3')] } });
  server.on('POST /apps/web/rollback', { json: { name: 'web', note: 'its port came back too' } });
  assert.equal(await shell.core('rollback web --json'), {
    exit: 0,
    out: 'web rolled back to web-3\n',
    err: 'its port came back too\n',
  });
  assert.equal(bodies(), [{ revision: 'web-3' }]);
  server.on('POST /apps/fn/rollback', {
    status: 409,
    json: { error: 'functions cannot be rolled back; restore the earlier code and deploy again' },
  });
  const fn = await shell.core('rollback fn fn-1');
  assert.equal([fn.exit, fn.err.startsWith('Error: functions cannot be rolled back')], [1, true]);
});

const place = ['-p', 'shop', '-e', 'production'];
spec(
  'CLI-043 CLI-216 CLI-217 CLI-219 CLI-221 CLI-222 CLI-225 CLI-226 a service is created from an image, a repository or a function',
  async () => {
    server.on('POST /apps', { json: { name: 'web', deployed: false } });
    const file = join(shell.folder, 'fn.ts');
    writeFileSync(file, 'export default () => "hé";\n');
    const sent = async (...flags: readonly string[]) => {
      server.reached.length = 0;
      const { exit, err } = await shell.core(['apps', 'create', 'web', ...place, ...flags]);
      assert.is(exit, 0, err);
      return bodies()[0];
    };
    const where = { project: 'shop', environment: 'production', name: 'web', draft: true };
    assert.equal(await sent('--image', 'nginx:1.27', '--port', '3000'), {
      ...where,
      source: 'image',
      image: 'nginx:1.27',
      port: 3000,
    });
    assert.equal(await sent('--repo', 'shop/web'), { ...where, source: 'git', repository: 'shop/web', branch: 'main' });
    assert.equal(await sent('--repo', 'shop/web', '--branch', 'next', '--function', file), {
      ...where,
      source: 'git',
      repository: 'shop/web',
      branch: 'next',
    });
    const fn = { ...where, source: 'function', runtime: 'bun', mode: 'http', code: 'export default () => "hé";\n' };
    assert.equal(await sent('--function', file), fn);
    assert.equal(await sent('--function', file, '--runtime', 'python', '--mode', 'event'), {
      ...fn,
      runtime: 'python',
      mode: 'event',
    });
    assert.equal(await sent('--image', 'a', '--repo', 'b', '--function', 'none'), {
      ...where,
      source: 'image',
      image: 'a',
    });
  },
);

spec('CLI-218 CLI-220 CLI-224 an invalid creation is refused before a request', async () => {
  const wrong: readonly (readonly string[])[] = [
    ['apps', 'create', 'web', ...place],
    ['apps', 'create', 'web', '--image', 'a'],
    ['apps', 'create', 'web', '--image', 'a', '-p', 'shop'],
    ['apps', 'create', 'web', '--image', 'a', '--port', 'http', ...place],
    ['apps', 'create', 'web', '--function', 'x', '--runtime', 'ruby', ...place],
    ['apps', 'create', 'web', '--function', 'x', '--mode', 'cron', ...place],
    ['apps', 'create', '--image', 'a', ...place],
  ];
  for (const line of wrong) assert.is((await shell.core(line)).exit, 2, line.join(' '));
  const binary = join(shell.folder, 'binary');
  writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
  for (const file of [join(shell.folder, 'missing'), shell.folder, binary]) {
    const { exit, err } = await shell.core(['apps', 'create', 'web', '--function', file, ...place]);
    assert.is(exit, 1);
    assert.match(err, `Error: ${file} cannot be read: `);
  }
  assert.equal(server.asked(), []);
});

spec('CLI-223 CLI-227 CLI-229 CLI-230 a created service is reported as deploying when the answer says so', async () => {
  const create = (...flags: readonly string[]) =>
    shell.core(['apps', 'create', 'web', '--image', 'a', ...place, ...flags]);
  server.on('POST /apps', { json: { name: 'web', deployed: false } });
  assert.equal(await create('--json'), {
    exit: 0,
    out: 'Created web as a draft.\n',
    err: "run 'core deploy web' to deploy it\n",
  });
  assert.equal(await create('--deploy'), {
    exit: 1,
    out: '',
    err: 'Error: web was saved as a draft: the service did not deploy it\n',
  });
  server.on('POST /apps', { json: { name: 'web', deployed: true } });
  assert.equal(await create('--deploy'), { exit: 0, out: 'web is deploying.\n', err: '' });
  assert.equal((bodies().at(-1) as { deploy?: boolean; draft?: boolean }).deploy, true);
});

spec('CLI-061 CLI-231 CLI-232 CLI-233 CLI-234 a deletion is confirmed only by y and yes', async () => {
  server.on('DELETE /apps/web', { json: { name: 'web', kind: 'CoreApp', deleted: true } });
  const asked = 'Delete app "web"? This cannot be undone. [y/N] ';
  for (const input of ['', '\n', 'n\n', 'Y\n', 'yess\n', 'no\n'])
    assert.equal(await shell.core('apps delete web', { isTerminal: true, input }), {
      exit: 1,
      out: '',
      err: `${asked}Error: cancelled\n`,
    });
  assert.equal(await shell.core('apps delete web'), {
    exit: 2,
    out: '',
    err: 'Error: this deletes data; run it again with --yes to confirm\n',
  });
  assert.equal(server.asked(), []);
  for (const input of ['y\n', 'yes\n'])
    assert.equal(await shell.core('apps delete web --json', { isTerminal: true, input }), {
      exit: 0,
      out: 'Deleted web\n',
      err: asked,
    });
  assert.is((await shell.core('-y apps delete web')).out, 'Deleted web\n');
  assert.equal(server.reached[0]?.query, { confirmName: 'web' });
});

spec(
  'CLI-235 CLI-236 CLI-237 CLI-238 CLI-239 CLI-243 CLI-244 CLI-245 metrics are printed with three significant figures',
  async () => {
    const series = {
      cpu: [0.001234, 0.5, 0.04567].map((v, t) => ({ t, v })),
      memory: [123_456_789, 1, 123_456_789].map((v, t) => ({ t, v })),
      requests: [],
    };
    server.on('GET /databases/db/metrics', { json: { window: '6h', step: 60, available: true, series } });
    const { out } = await shell.core('metrics db --kind databases --window 6h');
    assert.equal(
      out.split('\n').map((line) => line.replace(/ {2,}/g, '|')),
      [
        'SERIES|NEWEST|RANGE|UNIT',
        'cpu|0.0457|(0.00123 - 0.5)|cores',
        'memory|123000000|(1 - 123000000)|bytes',
        'requests|-|-|requests/s',
        '',
      ],
    );
    assert.equal(server.reached[0]?.query, { window: '6h' });
    const none = { window: '1h', step: 30, available: false, message: 'there is no store', series: {} };
    server.on('GET /apps/web/metrics', { json: none });
    const told = await shell.core('metrics web');
    assert.equal(told, { exit: 1, out: '', err: 'Error: no metrics yet: there is no store\n' });
    assert.equal(server.reached.at(-1)?.query, { window: '1h' });
    const json = await shell.core('metrics web --json');
    assert.equal([json.exit, JSON.parse(json.out)], [0, none]);
    for (const flags of ['--window 2h', '--kind nodes']) assert.is((await shell.core(`metrics web ${flags}`)).exit, 2);
    assert.is((await shell.core('apps metrics web')).exit, 2);
  },
);

spec('CLI-050 the password of a database is requested only with --reveal', async () => {
  const connection = {
    host: 'h',
    port: '5432',
    database: 'd',
    username: 'u',
    password: 'p',
    uri: 'postgres://u:p@h/d',
  };
  server.on('GET /databases/db/connection', { json: connection });
  await shell.core('databases connection db');
  assert.equal(server.reached[0]?.query, {});
  const { out } = await shell.core('databases connection db --reveal');
  assert.match(out, /\npassword: p\nuri: postgres:\/\/u:p@h\/d\n$/);
  assert.equal(server.reached[1]?.query, { reveal: 'true' });
  assert.equal(JSON.parse((await shell.core('databases connection db --reveal --json')).out), connection);
});

spec('CLI-259 a database without backups has an empty list, and a missing database is not found', async () => {
  server.forget();
  server.on('GET /backup-archives', { json: { items: [] } });
  assert.equal(await shell.core('databases backups db'), {
    exit: 3,
    out: '',
    err: 'Error: not found\n',
  });
  server.on('GET /databases/db', { json: { resource: summary('db'), spec: {}, status: {} } });
  assert.equal(await shell.core('databases backups db --json'), { exit: 0, out: '{\n  "items": []\n}\n', err: '' });
});

spec('CLI-255 a function call prints the body and ends with 1 when the function answers 400 or more', async () => {
  server.on('POST /apps/fn/call', { json: { status: 418, headers: {}, body: 'teapot', durationMs: 1 } });
  const { exit, out, err } = await shell.core(['functions', 'call', 'fn', '--header', 'X-A: b:c', '--data', 'hi']);
  assert.equal([exit, out, err], [1, 'teapot\n', 'Error: fn answered HTTP 418\n']);
  assert.equal(bodies(), [{ body: 'hi', headers: { 'X-A': 'b:c' } }]);
  assert.is((await shell.core('functions call fn --header nonsense')).exit, 2);
});

spec('CLI-052 CLI-248 the raw API command sends requests only to the address of the API', async () => {
  server.on('PATCH /apps/web', { json: { ok: true } });
  server.on('GET /apps', { json: { items: [] } });
  await shell.core(['api', 'patch', '/api/v1/apps/web', '-d', '{"port":3000}']);
  await shell.core(['api', 'PATCH', 'apps/web', '-d', '-'], { input: '{"port":1}' });
  await shell.core(['api', 'PATCH', `${server.url}/api/v1/apps/web`, '-d', '{}']);
  await shell.core(['api', 'PATCH', '/apps/web', '-F', 'port=3000', '-F', 'a=b=c']);
  await shell.core(['api', 'GET', '/apps?project=shop', '-F', 'environment=live']);
  assert.equal(
    server.reached.map(({ body }) => body),
    ['{"port":3000}', '{"port":1}', '{}', 'port=3000&a=b%3Dc', ''],
  );
  assert.equal(server.reached.at(-1)?.query, { project: 'shop', environment: 'live' });
  server.reached.length = 0;
  for (const path of ['https://elsewhere.example/apps', '//elsewhere.example/apps', 'file:///etc/passwd', '/../../x'])
    assert.is((await shell.core(['api', 'GET', path])).exit, 2, path);
  for (const url of [`${server.url}1/apps`, `${server.url}.elsewhere.example/`])
    assert.is((await shell.core(['api', 'GET', url])).exit, 2, url);
  assert.equal(server.asked(), []);
  const missing = await shell.core('api GET /nowhere');
  assert.equal([missing.exit, missing.err], [3, 'Error: not found\n']);
});

spec('CLI-053 CLI-047 CLI-048 every group and alias exists, and common commands are at the top level', async () => {
  const { out } = await shell.core('help');
  const all = [
    'apps',
    'functions',
    'databases',
    'stores',
    'nodes',
    'compliance',
    'api',
    'openapi',
    'help',
    'completion',
  ];
  for (const name of all) assert.match(out, new RegExp(`\\n  ${name}[| ]`), name);
  for (const alias of ['app', 'services', 'service', 'function', 'fn'])
    assert.match((await shell.core(alias)).out, 'Usage: core ', alias);
  for (const name of ['deploy', 'status', 'logs', 'env', 'scale', 'rollback']) {
    assert.match((await shell.core(`help ${name}`)).out, `Usage: core ${name}`);
    assert.match((await shell.core(`help apps ${name}`)).out, `Usage: core apps ${name}`);
  }
  for (const line of ['help deployments', 'help apps metrics']) assert.is((await shell.core(line)).exit, 2);
});

spec('a name with a path is sent encoded, and an empty or relative name is refused', async () => {
  server.on('GET /apps/a%2Fb', { json: {} });
  await shell.core(['apps', 'get', 'a/b']);
  assert.equal(server.asked(), ['GET /apps/a%2Fb']);
  server.reached.length = 0;
  for (const name of ['', '.', '..']) assert.is((await shell.core(['apps', 'get', name])).exit, 1, name);
  assert.equal(server.asked(), []);
});

spec.run();
