import * as assert from 'uvu/assert';
import { tables } from '../../../machines/tables.ts';
import { suite } from '../../support/suite.ts';
import { type Answer, scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal, type TerminalOptions } from './terminal.ts';

const spec = suite('waits for deploys and sleep');
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

const item = {
  name: 'web',
  project: 'shop',
  environment: 'production',
  state: 'pending',
  message: 'Starting service',
  url: '',
  ready: false,
  pendingChanges: false,
  sleeping: false,
  replicas: { desired: 2, ready: 1, available: 1 },
  scaleToZero: null as object | null,
  build: null as object | null,
  lastAttempt: null,
};
const build = (phase: string, failureReason = '') => ({
  name: 'web-1',
  phase,
  failureReason,
  sourceRevision: '',
  ciState: '',
  startedAt: null,
  completedAt: null,
});
const status = (fields: Partial<typeof item> = {}): Answer => ({ json: { ...item, ...fields } });
const ready = (fields: Partial<typeof item> = {}) =>
  status({
    state: 'ready',
    ready: true,
    message: 'Service is running',
    replicas: { desired: 2, ready: 2, available: 2 },
    ...fields,
  });
const refusal = (code: number, error: string): Answer => ({ status: code, json: { error } });
const deployed: Answer = {
  json: { name: 'web', kind: 'CoreApp', deployed: true, deployment: 'web-1', state: 'pending' },
};

/** Deploys one service, whose status is told as given. */
async function wait(answers: readonly Answer[], line = 'deploy web --wait', options: TerminalOptions = {}) {
  server.on('POST /apps/web/deploy', deployed);
  server.on('GET /apps/web/status', ...answers);
  return shell.core(line, options);
}
const linesOf = (text: string) => text.split('\n').slice(0, -1);

spec(
  'CLI-030 CLI-032 CLI-149 CLI-150 CLI-151 CLI-152 CLI-153 CLI-159 CLI-267 CLI-268 CLI-269 CLI-270 deploy --wait prints each step until the service is ready',
  async () => {
    const { exit, out, err } = await wait([
      status({ build: build('Pending') }),
      status({ build: build('Running') }),
      status({ build: build('Succeeded') }),
      status({ build: build('Succeeded') }),
      ready({ build: build('Succeeded'), url: 'https://web.example' }),
    ]);
    assert.is(exit, 0);
    assert.equal(linesOf(err), [
      'web: deploying',
      'build running',
      'pending (1 of 2 ready)',
      'ready at https://web.example',
    ]);
    assert.equal(linesOf(out), [
      'NAME  STATE  READY  BUILD      URL                  MESSAGE',
      'web   ready  2/2    Succeeded  https://web.example  Service is running',
    ]);
    assert.equal(server.asked(), ['POST /apps/web/deploy', ...Array.from({ length: 5 }, () => 'GET /apps/web/status')]);
    assert.equal(shell.slept, [0, 3_000, 3_000, 3_000, 3_000]);
  },
);

spec('CLI-154 a wait continues when a ready service has pending changes or a running build', async () => {
  const { exit, err } = await wait([
    ready({ pendingChanges: true }),
    ready({ build: build('Running') }),
    status({ state: 'ready' }),
    ready(),
  ]);
  assert.is(exit, 0);
  assert.equal(linesOf(err), [
    'web: deploying',
    'ready, not done yet',
    'build running',
    'ready, not done yet',
    'ready',
  ]);
});

spec('CLI-155 CLI-157 CLI-264 CLI-271 a wait ends with 5 and the reason when the service fails', async () => {
  const { exit, err, out } = await wait([status(), status({ state: 'failed', message: 'Provisioning failed' })]);
  assert.is(exit, 5);
  assert.is(linesOf(err).at(-1), 'Error: web failed: Provisioning failed');
  assert.match(out, /\nweb +failed +1\/2 /);
});

spec('CLI-156 CLI-272 a wait ends with 5 and the reason of the build when the build fails', async () => {
  const { exit, err, out } = await wait([status({ build: build('Failed', 'exit status 1') })]);
  assert.is(exit, 5);
  assert.is(linesOf(err).at(-1), 'Error: web failed: exit status 1');
  assert.match(out, /Failed +- +exit status 1\n$/);
});

spec('CLI-143 CLI-158 CLI-265 CLI-273 a wait ends with 6 after its timeout, ten minutes by default', async () => {
  const late = await wait([status()], 'deploy web --wait --timeout 10s');
  assert.equal([late.exit, linesOf(late.err).at(-1)], [6, 'Error: web was not ready within 10s']);
  assert.is(shell.time.ms, 10_000);
  shell.time.ms = 0;
  const { exit, err } = await wait([status()]);
  assert.equal([exit, linesOf(err).at(-1)], [6, 'Error: web was not ready within 10m']);
  assert.is(shell.time.ms, 600_000);
});

spec('CLI-274 a wait continues after a cancelled build until another deploy is ready', async () => {
  const { exit, err } = await wait([status({ build: build('Cancelled') }), ready({ build: build('Succeeded') })]);
  assert.is(exit, 0);
  assert.match(err, 'build cancelled: it will not get ready by itself', err);
  const late = await wait([status({ build: build('Cancelled') })], 'deploy web --wait --timeout 9s');
  assert.is(late.exit, 6);
});

const refusals = [
  [404, 3],
  [401, 4],
  [403, 4],
  [400, 1],
  [409, 1],
] as const;
for (const [code, exit] of refusals)
  spec(`CLI-259 CLI-261 a wait ends with ${exit} when its status is refused with ${code}`, async () => {
    const ended = await wait([status(), refusal(code, 'because')]);
    assert.is(ended.exit, exit);
    assert.match(ended.err, 'Error: because\n');
    assert.is(ended.err.includes("Run 'core login' to sign in again."), code === 401);
  });

spec('CLI-253 a wait continues when the API is unreachable, invalid or busy', async () => {
  const broken: readonly Answer[] = [
    refusal(503, 'nobody leads'),
    refusal(429, 'slow down'),
    (response) => void response.destroy(),
    (response) => void response.end('<html>proxy</html>'),
    { json: { state: 7 } },
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
      response.destroy();
    },
  ];
  const { exit, err } = await wait([...broken, ready()]);
  assert.is(exit, 0, err);
  assert.equal(linesOf(err), ['web: deploying', 'no answer yet', 'ready']);
});

spec('a wait ends at its timeout when a read gets no answer', async () => {
  const hangs: Answer = () => {};
  const startedAt = Date.now();
  const { exit } = await wait([hangs], 'deploy web --wait --timeout 300ms', { realSleep: true, onSleep: () => {} });
  assert.ok([6].includes(exit) && Date.now() - startedAt < 5_000);
});

spec('a wait ends with 130 on Ctrl-C without stopping the deploy', async () => {
  const { exit, err } = await wait([status()], 'deploy web --wait', { onSleep: () => shell.interrupt() });
  assert.equal([exit, linesOf(err).at(-1)], [130, 'Error: no longer waiting for web: its deploy goes on']);
});

spec('CLI-144 CLI-145 several deploys are sent before the first wait, and the first failure decides', async () => {
  for (const app of ['a', 'b', 'c']) server.on(`POST /apps/${app}/deploy`, deployed);
  server.on('POST /apps/no/deploy', refusal(409, 'cannot be scheduled: no room'));
  server.on('GET /apps/a/status', ready({ name: 'a' }));
  server.on('GET /apps/b/status', status({ name: 'b', state: 'failed', message: 'broken' }));
  server.on('GET /apps/c/status', status({ name: 'c' }));
  const { exit, out, err } = await shell.core('deploy a b c --wait --timeout 3s');
  assert.is(exit, 5);
  assert.equal(server.asked().slice(0, 5), [
    'POST /apps/a/deploy',
    'POST /apps/b/deploy',
    'POST /apps/c/deploy',
    'GET /apps/a/status',
    'GET /apps/b/status',
  ]);
  assert.match(
    err,
    'Error: b failed: broken\nc: deploying\npending (1 of 2 ready)\nError: c was not ready within 3s\n',
  );
  assert.equal(
    linesOf(out).map((line) => line.split(' ')[0]),
    ['NAME', 'a', 'b', 'c'],
  );
  const refused = await shell.core('deploy no a --wait --json');
  assert.is(refused.exit, 1);
  assert.match(refused.err, 'Error: no: cannot be scheduled: no room\n');
  assert.equal(
    (JSON.parse(refused.out) as { items: { name: string }[] }).items.map(({ name }) => name),
    ['a'],
  );
});

spec('CLI-145 deploy --wait prints no table when every deploy is refused', async () => {
  server.on('POST /apps/no/deploy', refusal(409, 'cannot be scheduled: no room'));
  assert.equal(await shell.core('deploy no --wait'), {
    exit: 1,
    out: '',
    err: 'Error: cannot be scheduled: no room\n',
  });
  assert.equal(JSON.parse((await shell.core('deploy no --wait --json')).out), { items: [] });
});

const summary = (name: string, state: string) => ({
  kind: 'CoreApp',
  name,
  displayName: name,
  project: 'shop',
  environment: 'production',
  state,
  message: '',
  createdAt: new Date().toISOString(),
  url: '',
  details: {},
});

spec('CLI-031 CLI-146 CLI-147 deploy without names deploys everything pending in the environment', async () => {
  server.on('POST /projects/shop/deploy', {
    json: {
      project: 'shop',
      environment: 'production',
      deployed: ['web'],
      refused: [{ kind: 'CoreApp', name: 'big', error: 'no room' }],
    },
  });
  server.on('GET /apps', {
    json: {
      items: [
        summary('draft', 'draft'),
        summary('gone', 'deleting'),
        summary('web', 'pending'),
        summary('old', 'ready'),
      ],
    },
  });
  server.on('GET /apps/web/status', ready());
  server.on('GET /apps/old/status', ready({ name: 'old' }));
  const { exit, err, out } = await shell.core('deploy --wait -p shop -e production');
  assert.is(exit, 1, err);
  assert.match(err, 'Error: big: no room\n');
  assert.equal(server.asked(), [
    'POST /projects/shop/deploy',
    'GET /apps',
    'GET /apps/web/status',
    'GET /apps/old/status',
  ]);
  assert.equal(JSON.parse(server.reached[0]?.body ?? ''), { environment: 'production' });
  assert.equal(server.reached[1]?.query, { project: 'shop', environment: 'production', limit: '500' });
  assert.equal(linesOf(out).length, 3);
});

spec('CLI-148 CLI-160 deploy without names and place is refused, and without --wait prints names', async () => {
  const { exit, err } = await shell.core('deploy -p shop');
  assert.is(exit, 2);
  assert.is(
    err,
    'Error: say what to deploy: name services, or give --project and --environment to deploy everything pending\n',
  );
  assert.equal(server.asked(), []);
  server.on('POST /apps/web/deploy', deployed);
  assert.equal(await shell.core('deploy web'), { exit: 0, out: '', err: 'web: deploying\n' });
  const told = await shell.core('deploy web --json');
  assert.equal([JSON.parse(told.out), told.err], [{ deployed: ['web'] }, 'web: deploying\n']);
  server.on('POST /projects/shop/deploy', { json: { project: 'shop', environment: 'e', deployed: [], refused: [] } });
  assert.equal(await shell.core('deploy -p shop -e e'), { exit: 0, out: '', err: 'nothing to deploy\n' });
});

spec('an invalid timeout is a usage error', async () => {
  for (const timeout of ['0', '0s', '-1s', '1e9h', '2d', '', 'soon', '1h30'])
    assert.is(
      (await shell.core(['deploy', 'web', '--wait', '--timeout', timeout])).exit,
      timeout === '' ? 2 : 2,
      timeout,
    );
  assert.equal(server.asked(), []);
});

spec('CLI-039 CLI-191 CLI-192 CLI-214 CLI-042 env set and rollback wait for the deploy like deploy', async () => {
  server.on('POST /apps/web/config/set', { json: { name: 'web', key: 'A', kind: 'config', pending: true } });
  const set = await wait([status(), ready()], 'env set web A=1 --deploy --wait');
  assert.is(set.exit, 0, set.err);
  assert.match(set.out, /^set A\nNAME +STATE/);
  assert.equal(server.asked(), [
    'POST /apps/web/config/set',
    'POST /apps/web/deploy',
    'GET /apps/web/status',
    'GET /apps/web/status',
  ]);
  server.on('POST /apps/web/rollback', deployed);
  const back = await wait([status({ state: 'failed', message: 'no' })], 'rollback web web-0 --wait');
  assert.is(back.exit, 5);
  assert.match(back.out, /^web rolled back to web-0\nNAME +STATE/);
});

const sleeping = (fields: object) => status({ scaleToZero: { idleSeconds: 300, maxReplicas: 1, ...fields } });
async function scale(answers: readonly Answer[], line = 'scale web --sleep-after 5m', options: TerminalOptions = {}) {
  server.on('PATCH /apps/web', status());
  server.on('GET /apps/web/status', ...answers);
  return shell.core(line, options);
}

spec('CLI-041 CLI-202 CLI-209 CLI-275 scale --sleep-after reports a sleep confirmed by the cluster', async () => {
  const ended = await scale([sleeping({}), sleeping({ active: true })]);
  assert.equal(ended, { exit: 0, out: 'web sleeps after 5m without requests\n', err: '' });
  assert.equal(JSON.parse(server.reached[0]?.body ?? ''), { scaleToZero: 'on', idleSeconds: 300 });
  assert.equal(shell.slept, [0, 1_000]);
});

spec('CLI-203 CLI-204 CLI-276 scale --sleep-after ends with 1 when the service cannot sleep', async () => {
  const ended = await scale([sleeping({ active: false, message: 'no public host' })]);
  assert.equal(ended, {
    exit: 1,
    out: '',
    err: 'Error: saved, but web cannot sleep when idle and stays running: no public host\n',
  });
});

spec('CLI-205 CLI-277 scale --sleep-after ends with 1 when no answer comes in ten seconds', async () => {
  const { exit, err } = await scale([sleeping({})]);
  assert.is(exit, 1);
  assert.match(err, 'within 10 seconds whether web can sleep: see resource.details.scaleToZero');
  assert.is(shell.time.ms, 10_000);
});

spec('scale --sleep-after ends with the code of a refusal when its check is refused', async () => {
  assert.is((await scale([refusal(404, 'gone')])).exit, 3);
  assert.is((await scale([refusal(403, 'no')])).exit, 4);
  assert.is((await scale([refusal(503, 'nobody leads'), sleeping({ active: true })])).exit, 0);
});

spec('CLI-206 CLI-210 scale --always-on sends one request without a check', async () => {
  assert.equal(await scale([], 'scale web --always-on'), { exit: 0, out: 'web stays running\n', err: '' });
  assert.equal(server.asked(), ['PATCH /apps/web']);
  assert.equal(JSON.parse(server.reached[0]?.body ?? ''), { scaleToZero: 'off' });
});

spec('CLI-195 CLI-196 CLI-197 CLI-258 invalid arguments of scale are refused before a request', async () => {
  const wrong = [
    'scale web',
    'scale web --sleep-after 5m --always-on',
    'scale web --sleep-after 29s',
    'scale web 2 --sleep-after 24h1s',
    'scale web --sleep-after 30.5s',
    'scale web --sleep-after 2d',
    'scale web 2.5',
    'scale web two',
  ];
  for (const line of wrong) assert.is((await shell.core(line)).exit, 2, line);
  assert.equal(server.asked(), []);
  for (const line of ['scale web --sleep-after 30s', 'scale web --sleep-after 24h', 'scale web --sleep-after 1h30m'])
    assert.is((await scale([sleeping({ active: true })], line)).exit, 0, line);
});

spec('the deployWait table contains every action that ends a wait', () => {
  const actions = new Set(tables.deployWait.rows.flatMap(({ does }) => does));
  assert.equal([...actions].toSorted(), [
    'exitFailed',
    'exitNotAllowed',
    'exitNotFound',
    'exitOtherError',
    'exitTimedOut',
    'nextService',
    'printProgress',
  ]);
});

spec.run();
