import * as assert from 'uvu/assert';
import type { FunctionAnswer, Items, Trigger, Variable } from '../../http/api.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { cronJobName } from '../../rules/function/names.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { apps, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { FunctionFailed } from '../../runtime/services/functions.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { pieceIn } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('functions over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putDatabaseEnvironment(served.world);
  await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
  await until(() => served.operator.caches.get(clusterNodes, 'one'), 'the node is cached');
});
spec.after.each(() => served.stop());

const placed = { project: 'shop', environment: 'production' };
const code = 'export const handler = () => "hello";';
const create = async (name: string, fields: object = {}) => {
  const { status, text } = await served.post('/api/v1/apps', { ...placed, name, code, runtime: 'node', ...fields });
  assert.is(status, 201, text);
};
const stored = (name: string): CoreApp | undefined =>
  served.world.cluster.all(apps).find(({ metadata }) => metadata.name === name);
const refusal = async (path: string, fields: object) => {
  const { status, text } = await served.post(`/api/v1${path}`, fields);
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const remove = (path: string) => served.ask(`/api/v1${path}`, { method: 'DELETE' });
const triggersOf = async (name: string) =>
  ((await served.ask(`/api/v1/apps/${name}/triggers`)).json() as Items<Trigger>).items;

/** Lets the function run: its Deployment has a copy that is ready. */
async function runs(name: string) {
  const { world, operator } = served;
  const deployment = await until(() => pieceIn(world, owned.deployments, name), 'the Deployment is applied');
  world.cluster.put(owned.deployments, { ...deployment, status: { readyReplicas: 1 } } as typeof deployment);
  await until(
    () =>
      JSON.stringify(operator.caches.get(owned.deployments, name, 'shop-production') ?? {}).includes('readyReplicas'),
    'the copy is cached',
  );
}

spec('a trigger added by another replica is kept when the cache does not contain it yet', async () => {
  await create('greet', { deploy: true });
  const { cluster } = served.world;
  cluster.lag(apps, true);
  const app = stored('greet');
  const source = app?.spec.source.function;
  if (!app || !source) throw new Error('no function');
  const theirs = { ...source, schedules: [{ name: 'theirs', cron: '0 3 * * *' }] };
  cluster.put(apps, { ...app, spec: { ...app.spec, source: { function: theirs } } });
  const add = (name: string) => served.post('/api/v1/apps/greet/triggers', { name, cron: '0 4 * * *' });
  const added = await Promise.all([add('a'), add('b')]);
  assert.equal(
    added.map(({ status }) => status),
    [201, 201],
  );
  const names = () =>
    stored('greet')
      ?.spec.source.function?.schedules?.map(({ name }) => name)
      .toSorted();
  assert.equal(names(), ['a', 'b', 'theirs']);
  cluster.lag(apps, true);
  assert.is(
    await refusal('/apps/greet/triggers', { name: 'theirs', cron: '0 5 * * *' }),
    '409 trigger "theirs" already exists',
  );
  assert.is((await remove('/apps/greet/triggers/theirs')).status, 200);
  assert.equal(names(), ['a', 'b']);
  cluster.lag(apps, false);
});

spec('a call is forwarded to the running function and returns its answer', async () => {
  await create('greet', { deploy: true });
  await runs('greet');
  const { functions } = served.world;
  functions.answer = { status: 503, headers: { 'x-own': 'yes' }, body: 'busy', durationMs: 12 };
  const asked = { method: 'PUT', path: '/a?b=1', headers: { 'X-Sent': 'yes' }, body: '{"a":1}' };
  const { status, text } = await served.post('/api/v1/apps/greet/call', asked);
  assert.is(status, 200, text);
  assert.equal(JSON.parse(text) as FunctionAnswer, functions.answer);
  assert.equal(functions.calls, [
    {
      url: 'http://greet.shop-production.svc/a?b=1',
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-sent': 'yes' },
      body: '{"a":1}',
      timeoutMs: 30_000,
    },
  ]);
  assert.is((await served.post('/api/v1/apps/greet/call', {})).status, 200);
  const [, plain] = functions.calls;
  assert.equal([plain?.method, plain?.url, plain?.body], ['POST', 'http://greet.shop-production.svc/', null]);
});

spec('SEC-021 a call of an event function carries its token, which is generated once', async () => {
  await create('greet', { deploy: true, mode: 'event' });
  await runs('greet');
  const token = () => secretText(pieceIn(served.world, owned.secrets, 'greet-trigger'), 'CORE_TRIGGER_TOKEN');
  const first = token();
  assert.match(first, /^password-\d+$/);
  await until(() => served.operator.caches.get(owned.secrets, 'greet-trigger', 'shop-production'), 'it is cached');
  await served.post('/api/v1/apps/greet/call', { body: '{}' });
  assert.is(served.world.functions.calls[0]?.headers['x-core-trigger-token'], first);
  const template = () => JSON.stringify(pieceIn(served.world, owned.deployments, 'greet'));
  const before = template();
  await served.post('/api/v1/apps/greet/deploy', {});
  await until(() => template() !== before, 'the deploy is applied');
  assert.is(token(), first);
});

spec('an invalid call is refused without a request to the function', async () => {
  await create('greet', { deploy: true });
  assert.is(await refusal('/apps/greet/call', {}), '409 service "greet" is not running');
  await create('page', { code: undefined, runtime: undefined, image: 'nginx' });
  assert.is(await refusal('/apps/page/call', {}), '409 service "page" is no function');
  assert.is(await refusal('/apps/nobody/call', {}), '404 service "nobody" was not found');
  await runs('greet');
  for (const path of ['', 'a', '//a b', '/a#b', 'http://elsewhere/'])
    assert.is(await refusal('/apps/greet/call', { path }), '400 path must be a path, such as /', path);
  for (const name of ['Host', 'content-length', 'X-Core-Trigger-Token', 'transfer-encoding'])
    assert.is(
      await refusal('/apps/greet/call', { headers: { [name]: 'x' } }),
      `400 header "${name.toLowerCase()}" cannot be set`,
    );
  assert.is(await refusal('/apps/greet/call', { headers: { 'x-a': 'b\r\nc: d' } }), '400 header "x-a" is malformed');
  assert.match(await refusal('/apps/greet/call', { method: 'TRACE' }), /^400 method /);
  assert.equal(served.world.functions.calls, []);
});

spec('a call answers 502 when the function is unreachable and 504 when it times out', async () => {
  await create('greet', { deploy: true });
  await runs('greet');
  const { functions } = served.world;
  assert.is(await refusal('/apps/greet/call', {}), '502 service "greet" cannot be reached: nothing listens');
  functions.answer = new FunctionFailed({ message: 'timeout', late: true });
  assert.is(await refusal('/apps/greet/call', {}), '504 service "greet" did not answer within 30 s');
});

spec('CLI-249 a trigger is saved and waits for a deploy, which creates its CronJob', async () => {
  await create('greet', { deploy: true });
  await runs('greet');
  const added = await served.post('/api/v1/apps/greet/triggers', { name: 'nightly', cron: '0 3 * * *' });
  assert.is(added.status, 201, added.text);
  assert.equal(added.json(), { name: 'nightly', cron: '0 3 * * *', lastAt: null, nextAt: null });
  assert.is(stored('greet')?.metadata.annotations?.['core.platform/pending-changes'], 'settings');
  const cronJob = () => pieceIn(served.world, owned.cronJobs, cronJobName('greet', 'nightly'));
  assert.is(cronJob(), undefined);
  assert.is((await served.post('/api/v1/apps/greet/deploy', {})).status, 200);
  const made = await until(cronJob, 'the CronJob is applied');
  const lastAt = '2026-11-20T03:00:00Z';
  served.world.cluster.put(owned.cronJobs, { ...made, status: { lastScheduleTime: lastAt } });
  const told = await until(
    async () => (await triggersOf('greet')).find((one) => one.lastAt !== null),
    'its last call is recorded',
  );
  const tomorrow = new Date(served.now());
  tomorrow.setUTCHours(3, 0, 0, 0);
  if (tomorrow.getTime() <= served.now()) tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
  assert.equal([told.lastAt, Date.parse(told.nextAt ?? '')], [lastAt, tomorrow.getTime()]);

  const gone = await remove('/apps/greet/triggers/nightly');
  assert.equal(
    [gone.status, gone.json()],
    [200, { name: 'greet', trigger: 'nightly', removed: true, pending: true, appliesAtOnce: false }],
  );
  assert.equal(await triggersOf('greet'), []);
  assert.ok(cronJob(), 'the running schedule is the deployed one');
  await served.post('/api/v1/apps/greet/deploy', {});
  await until(() => cronJob() === undefined, 'the CronJob is deleted');
});

spec('an invalid trigger is refused and not saved', async () => {
  await create('greet', { draft: true });
  const cron = '0 3 * * *';
  const add = (fields: object) => refusal('/apps/greet/triggers', { name: 'nightly', cron, ...fields });
  const before = stored('greet')?.metadata.generation;
  const five = '400 cron must be a cron expression of five fields, such as 0 3 * * 1';
  for (const wrong of ['0 0 3 * * *', '0 3 * *', '@daily', '', '99 3 * * *'])
    assert.is(await add({ cron: wrong }), five, wrong);
  for (const never of ['0 0 31 2 *', '0 0 30,31 2 *', '0 0 31 4,jun *'])
    assert.is(await add({ cron: never }), '400 cron must be due at some time: no month has that day', never);
  const shape = '400 name must be lowercase letters, digits and hyphens, and be no more than 46 characters';
  for (const name of ['Nightly', '-a', 'a-', '', 'a_b', 'a'.repeat(47)]) assert.is(await add({ name }), shape, name);
  await create('page', { code: undefined, runtime: undefined, image: 'nginx' });
  const noFunction = '409 service "page" is no function';
  assert.is(await refusal('/apps/page/triggers', { name: 'nightly', cron }), noFunction);
  assert.is((await served.ask('/api/v1/apps/page/triggers')).status, 409);
  assert.is((await remove('/apps/greet/triggers/nightly')).status, 404);
  assert.is(stored('greet')?.metadata.generation, before);
  assert.match(await add({ name: 'a'.repeat(46) }), /^201/);
  assert.match(await add({}), /^201/);
  assert.is(await add({ cron: '0 4 * * *' }), '409 trigger "nightly" already exists');
  assert.equal(
    (await triggersOf('greet')).map(({ name }) => name),
    ['a'.repeat(46), 'nightly'],
  );
});

spec('CORE_TRIGGER_TOKEN is listed as an injected secret that cannot be set or removed', async () => {
  await create('greet', { draft: true });
  const variables = async (name: string) =>
    ((await served.ask(`/api/v1/apps/${name}/variables`)).json() as Items<Variable>).items.filter(
      (one) => one.name === 'CORE_TRIGGER_TOKEN',
    );
  assert.equal(await variables('greet'), []);
  await served.post('/api/v1/apps/greet/triggers', { name: 'nightly', cron: '0 3 * * *' });
  assert.equal(await variables('greet'), [
    { name: 'CORE_TRIGGER_TOKEN', kind: 'secret', injected: true, from: 'Secret greet-trigger' },
  ]);
  const field = { key: 'CORE_TRIGGER_TOKEN', value: 'mine' };
  assert.is(await refusal('/apps/greet/secrets/set', field), '400 CORE_TRIGGER_TOKEN is injected and cannot be set');
});

spec('code of 120000 bytes is saved, and longer code is refused on create and change', async () => {
  const longest = 'ä'.repeat(60_000);
  await create('greet', { code: longest });
  const sentence = '400 code must be at most 120000 bytes';
  const created = { ...placed, name: 'other', code: `${longest}.` };
  assert.is(await refusal('/apps', created), sentence);
  assert.is(stored('other'), undefined);
  const before = stored('greet')?.metadata.resourceVersion;
  const changed = await served.ask('/api/v1/apps/greet', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: `${longest}.` }),
  });
  assert.equal([changed.status, changed.json()], [400, { error: sentence.slice(4) }]);
  assert.is(stored('greet')?.metadata.resourceVersion, before);
});

spec('DEP-072 DEP-075 a rollback of a function is refused', async () => {
  await create('greet', { deploy: true });
  assert.is(
    await refusal('/apps/greet/rollback', { revision: 'greet-aaaaa' }),
    '409 functions cannot be rolled back; restore the earlier code and deploy again',
  );
});

spec.run();
