import * as assert from 'uvu/assert';
import { pages } from '../../../http/cli/reference/pages.ts';
import { suite } from '../../support/suite.ts';
import { cases, deployment } from './cases.ts';
import { type Answer, scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('requests and output of commands');
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

const script = (answers: Readonly<Record<string, readonly Answer[]>>) => {
  for (const [route, given] of Object.entries(answers)) server.on(route, ...given);
};

spec(
  'API-037 API-038 CLI-025 CLI-026 CLI-027 CLI-028 CLI-029 CLI-033 CLI-034 CLI-036 CLI-037 CLI-038 CLI-040 CLI-044 CLI-045 CLI-046 CLI-049 CLI-051 every command sends exactly its requests',
  async () => {
    for (const { line, answers, sends, prints } of cases) {
      server.forget();
      script(answers);
      const { exit, out, err } = await shell.core(line);
      assert.is(exit, 0, `${line.join(' ')}: ${err}`);
      assert.match(out, prints, `${line.join(' ')}: ${out}`);
      assert.equal(server.asked().toSorted(), [...sends].toSorted(), line.join(' '));
      for (const { headers } of server.reached) assert.is(headers.authorization, 'Bearer secret-token');
    }
  },
);

const html: Answer = (response) => {
  response.writeHead(502, { 'content-type': 'text/html' });
  response.end('<html><script>alert(1)</script></html>');
};
const faults: readonly (readonly [name: string, answer: Answer, exit: number, says: RegExp])[] = [
  ['400', { status: 400, json: { error: 'tail must be a whole number' } }, 1, /^Error: tail must be a whole number\n$/],
  [
    '401',
    { status: 401, json: { error: 'the API token is not valid' } },
    4,
    /^Error: the API token is not valid\nRun 'core login' to sign in again\.\n$/,
  ],
  ['403', { status: 403, json: { error: 'your role changes nothing' } }, 4, /^Error: your role changes nothing\n$/],
  ['404', { status: 404, json: { error: 'service "web" was not found' } }, 3, /^Error: service "web" was not found\n$/],
  [
    '409',
    { status: 409, json: { error: 'cannot be scheduled: no room' } },
    1,
    /^Error: cannot be scheduled: no room\n$/,
  ],
  ['413', { status: 413, json: { error: 'too large' } }, 1, /^Error: too large\n$/],
  ['429', { status: 429, json: { error: 'too many' } }, 1, /^Error: too many\n$/],
  ['500', { status: 500, json: { error: 'internal error' } }, 1, /^Error: internal error\n$/],
  [
    '502 of a proxy',
    html,
    1,
    /^Error: http:\S+ answered 502, and not in the words of the API: is it the right address\?\n$/,
  ],
  [
    'a redirect',
    (response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/' });
      response.end();
    },
    1,
    /^Error: http:\S+ redirects to https:\/\/elsewhere\.example\/, which is not followed: give that address itself\n$/,
  ],
  ['a reset', (response) => void response.destroy(), 1, /^Error: could not reach http:\S+: /],
  [
    'half a body',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"items":[');
      setTimeout(() => response.destroy(), 5);
    },
    1,
    /^Error: could not reach http:\S+: /,
  ],
];

spec(
  'CLI-251 CLI-253 CLI-254 CLI-259 CLI-261 CLI-263 every command ends with the code and message of the table, without a second write, when a request fails',
  async () => {
    for (const { line, answers, sends } of cases)
      for (const [name, answer, exit, message] of faults) {
        server.forget();
        script(answers);
        const at = sends[0] ?? '';
        server.on(at, answer);
        const ended = await shell.core(line);
        const told = `${line.join(' ')}, ${name}: ${ended.err}`;
        assert.is(ended.exit, exit, told);
        assert.match(ended.err.replace(/^web: deploying\n/, ''), message, told);
        assert.not.match(ended.err + ended.out, 'secret-token');
        assert.not.match(ended.err, /\n\s+at /);
        if (line[0] !== 'api') assert.is(ended.out, '', told);
        const writes = server.asked().filter((one) => !one.startsWith('GET'));
        assert.is(writes.length, at.startsWith('GET') ? 0 : 1, told);
      }
  },
);

spec('a command ends with 0 or a one-line error when an answer has another shape', async () => {
  const odd: readonly unknown[] = [null, 7, [], { items: 7 }, { items: [7] }, { items: [{ name: 7 }] }, 'text'];
  for (const { line, answers, sends } of cases)
    for (const json of odd) {
      server.forget();
      script(answers);
      server.on(sends[0] ?? '', { json });
      const { exit, err } = await shell.core(line);
      assert.ok([0, 1].includes(exit), `${line.join(' ')}: ${exit} ${err}`);
      if (exit === 1) assert.match(err, /^Error: [^\n]+\n$/, line.join(' '));
    }
});

spec('CLI-058 CLI-059 CLI-080 a command sends no request when no login is saved for the address', async () => {
  server.on('GET /apps', { json: { items: [] } });
  const elsewhere = { CORE_URL: server.url, CORE_TOKEN: '' };
  for (const { line } of cases) {
    const { exit, err, out } = await shell.core(line, { env: elsewhere });
    assert.equal([exit, out], [4, ''], line.join(' '));
    assert.is(err, `Error: not signed in to ${server.url}: run 'core login --url ${server.url}'\n`, line.join(' '));
  }
  assert.equal(server.asked(), []);
  const env = { CORE_URL: server.url, CORE_TOKEN: 't', CORE_PROJECT: 'shop', CORE_ENVIRONMENT: 'live' };
  await shell.core('status', { env });
  await shell.core('status --project other -e test', { env });
  assert.equal(
    server.reached.map(({ query }) => query),
    [
      { project: 'shop', environment: 'live', limit: '500' },
      { project: 'other', environment: 'test', limit: '500' },
    ],
  );
});

spec('API-002 every request is sent below the path of the address', async () => {
  server.on('GET /base/api/v1/apps', { json: { items: [] } });
  const { exit } = await shell.core(['apps', 'list', '--url', `${server.url}/base/`]);
  assert.equal([exit, server.asked()], [0, ['GET /base/api/v1/apps']]);
});

spec('CLI-060 CLI-162 CLI-164 CLI-252 a list is printed as a table without --json, with - in empty cells', async () => {
  const items = [deployment('web-2'), { ...deployment('web-1'), trigger: 'push', changeTitle: 'Fix it', actor: '' }];
  server.on('GET /apps/web/deployments', { json: { items } });
  const { exit, out } = await shell.core('apps deployments web');
  assert.is(exit, 0);
  assert.equal(
    out.split('\n').map((line) => line.replace(/ {2,}/g, '|').replace(/\d+d/, 'age')),
    ['ID|PHASE|AGE|TRIGGER|ACTOR|CHANGE', 'web-2|Recorded|age|-|admin|-', 'web-1|Recorded|age|push|-|Fix it', ''],
  );
  assert.equal(JSON.parse((await shell.core('apps deployments web --json')).out), { items });
});

spec('LDB-068 the command line has no command for logical databases except the raw API command', async () => {
  const ways = pages.map(({ way }) => way.join(' '));
  assert.equal(
    ways.filter((way) => way.includes('logical')),
    [],
  );
  assert.is((await shell.core('logical-databases list')).exit, 2);
  server.on('GET /logical-databases', { json: { items: [{ name: 'recipes' }] } });
  server.on('POST /logical-databases', { status: 201, json: { name: 'reports' } });
  assert.match((await shell.core('api GET /logical-databases')).out, '"name": "recipes"');
  const made = await shell.core(['api', 'POST', '/logical-databases', '-d', '{"name":"reports"}']);
  assert.equal([made.exit, server.reached.at(-1)?.body], [0, '{"name":"reports"}']);
});

spec('a kind is accepted in singular and plural, and an unknown kind is refused before a request', async () => {
  server.otherwise({ json: { items: [] } });
  for (const kind of ['archive', 'backup-archives', 'service', 'stores']) await shell.core(['explain', kind, 'x']);
  assert.equal(server.asked(), [
    'GET /backup-archives/x/explain',
    'GET /backup-archives/x/explain',
    'GET /apps/x/explain',
    'GET /object-stores/x/explain',
  ]);
  server.reached.length = 0;
  const { exit, err } = await shell.core('history nothing x');
  assert.is(exit, 2);
  assert.match(err, /^Error: there is no kind "nothing": there are apps, builds, /);
  assert.equal(server.asked(), []);
});

spec('a command states whether the host is unknown or nothing listens there', async () => {
  for (const [url, why] of [
    ['http://127.0.0.1:1', 'nothing listens there'],
    ['http://no-such-host.invalid', '(?:there is no such host|the name of the host cannot be looked up now)'],
  ] as const) {
    const { exit, err } = await shell.core(['whoami', '--url', url]);
    assert.is(exit, 1);
    assert.match(err, new RegExp(`^Error: could not reach ${url}: ${why}\n$`));
  }
});

spec.run();
