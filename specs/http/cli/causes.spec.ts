import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { causeOf, statusOf, summary } from './cases.ts';
import { type Scripted, scriptedServer } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('causes on the command line');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const red = (name: string, fields: object = {}) =>
  statusOf(name, { state: 'pending', ready: false, message: 'Service failed to start', cause: causeOf(), ...fields });

spec('status prints why services are not ready behind the table, on the error stream alone', async () => {
  server.on('GET /apps/web/status', { json: red('web') });
  server.on('GET /apps/api/status', { json: statusOf('api', { cause: causeOf({ severity: 'note' }) }) });
  server.on('GET /apps/crash/status', {
    json: statusOf('crash', { cause: causeOf({ message: 'it \u001b[2J ends' }) }),
  });
  const { out, err } = await shell.core('status web api crash');
  assert.not.match(out, 'is missing');
  assert.is(err, 'web: Secret "token" is missing\ncrash: it \\e[2J ends\n');
});

spec('status prints 20 causes, and how many more there are', async () => {
  const names = Array.from({ length: 23 }, (_, index) => `s-${index}`);
  server.on('GET /apps', { json: { items: names.map((name) => summary(name)) } });
  for (const name of names) server.on(`GET /apps/${name}/status`, { json: red(name) });
  const lines = (await shell.core('status')).err.trimEnd().split('\n');
  assert.equal([lines.length, lines.at(-1)], [21, '3 more']);
});

spec('explain begins with the cause, its line of the log, the root and what to do', async () => {
  const root = { kind: 'Secret', name: 'token', namespace: 'shop', reason: 'SecretMissing' };
  const explanation = { name: 'web', machine: 'service', shown: 'Ready', text: 'all is well' };
  const causes = [causeOf({ logLine: 'no token given', root })];
  server.on('GET /apps/web/explain', { json: { causes, chain: [], items: [explanation] } });
  const { out } = await shell.core('explain web');
  assert.equal(out.split('\n').slice(0, 5), [
    'cause    Secret "token" is missing',
    '         no token given',
    'root     Secret token',
    'fix      kubectl create secret generic token -n shop, or set the variable.',
    'service: Ready',
  ]);
});

spec('deploy --wait tells each change of the cause once, and the last one under the error of code 5', async () => {
  server.on('POST /apps/web/deploy', { json: { name: 'web', deployed: true } });
  const crash = { reason: 'CrashLoop', message: 'the program ends by itself: exit code 1, 2 restarts' };
  const later = { ...crash, message: 'the program ends by itself: exit code 1, 3 restarts' };
  server.on(
    'GET /apps/web/status',
    { json: red('web') },
    { json: red('web') },
    { json: red('web', { cause: causeOf(crash) }) },
    { json: red('web', { cause: causeOf(later), state: 'failed' }) },
  );
  const { exit, out, err } = await shell.core('deploy web --wait');
  assert.is(exit, 5);
  const told = err.split('\n').filter((line) => /Secret|ends by itself/.test(line));
  assert.equal(told, [
    'web: Secret "token" is missing',
    'web: the program ends by itself: exit code 1, 2 restarts',
    'cause: the program ends by itself: exit code 1, 3 restarts',
  ]);
  assert.not.match(out, 'ends by itself');
});

spec('attention asks for the given project and environment', async () => {
  server.on('GET /attention', { json: { items: [], counts: {} } });
  await shell.core('attention -p shop -e production');
  assert.equal(
    server.reached.map(({ query }) => query),
    [{ project: 'shop', environment: 'production' }],
  );
});

spec('attention prints nothing on the output when nothing needs it', async () => {
  server.on('GET /attention', { json: { items: [], counts: {} } });
  const { exit, out, err } = await shell.core('attention');
  assert.equal([exit, out, err], [0, '', 'Nothing needs attention.\n']);
});

spec('history prints moves to and fro in the one row that the API makes of them, and --json every move', async () => {
  const at = '2026-01-01T00:00:01Z';
  const moved = { seq: 1, machine: 'service', from: 'Draft', event: 'e', to: 'Ready', by: 'operator', at, text: 'why' };
  const last = '2026-01-01T00:00:05Z';
  const between = { machine: 'service', from: 'Ready', to: 'Provisioning', text: '4 moves' };
  const fold = { fold: true, ...between, count: 4, first: at, last, firstSeq: 2, lastSeq: 5 };
  server.on('GET /apps/web/transitions', { json: { name: 'web', items: [moved, fold] } });
  const rows = (await shell.core('history web')).out.trimEnd().split('\n').slice(1);
  assert.equal(
    rows.map((row) => row.split(/ {2,}/)),
    [
      [at, 'service', 'Draft', 'e', 'Ready', 'operator', 'why'],
      [last, 'service', 'Ready', '-', 'Provisioning', '-', '4 moves'],
    ],
  );
  await shell.core('history web --json');
  assert.equal(
    server.reached.map(({ query }) => query),
    [{ fold: 'true' }, {}],
  );
});

spec.run();
