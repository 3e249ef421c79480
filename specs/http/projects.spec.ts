import * as assert from 'uvu/assert';
import type { Created, Explanation, Items, Read, SharedVariableItem, Summary } from '../../http/api.ts';
import type { CoreProject } from '../../crds/coreProject.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { clusters, databases, platformConfigs, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { pieceIn, putCluster, putProject } from '../support/project.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('projects over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
});
spec.after.each(() => served.stop());

const base = '/api/v1/projects';
const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, body?: object) =>
  served.ask(`${base}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
  });
const said = async (method: string, path: string, body?: object) => {
  const { status, text } = await send(method, path, body);
  const { error = '' } = JSON.parse(text) as { readonly error?: string };
  return `${status} ${error}`.trim();
};
const stored = (name = 'shop'): CoreProject | undefined =>
  served.world.cluster.all(projects).find(({ metadata }) => metadata.name === name);
const cached = (name = 'shop') => served.operator.caches.get(projects, name);

/** A project on a cluster, both known to the caches. */
async function given(fields: Parameters<typeof putProject>[1] = {}) {
  putCluster(served.world);
  putProject(served.world, fields);
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
}
async function putClusters(...names: readonly string[]) {
  for (const name of names) putCluster(served.world, name);
  await until(() => names.every((name) => served.operator.caches.get(clusters, name)), 'the clusters are cached');
}

spec('API-006 projects are listed by name, and one is read with its spec and status', async () => {
  await given({ environments: ['production', 'staging'], region: 'local', requiredTags: ['pci'] });
  const { items } = (await send('GET', '')).json() as Items<Summary>;
  assert.is(items.length, 1);
  const { createdAt: _, ...told } = items[0] ?? ({} as Summary);
  assert.equal(told, {
    kind: 'CoreProject',
    name: 'shop',
    displayName: 'shop',
    project: '',
    environment: '',
    state: 'ready',
    message: 'Project environments are ready',
    url: '',
    details: {
      environments: ['production', 'staging'],
      deleting: [],
      region: 'local',
      requiredTags: ['pci'],
      cluster: 'local',
      reason: 'ProjectReady',
    },
    cause: null,
  });
  const read = (await send('GET', '/shop')).json() as Read;
  assert.equal(read.resource, items[0]);
  assert.is(read.status['phase'], 'ProjectReady');
  assert.equal(((await send('GET', '?project=shop')).json() as Items<Summary>).items.length, 1);
  assert.equal(((await send('GET', '?project=other')).json() as Items<Summary>).items, []);
  assert.is(await said('GET', '/other'), '404 project "other" was not found');
});

spec('AUT-064 a viewer and an observer read a project without what is hidden from them', async () => {
  await given({
    sharedVariables: [{ name: 'LEVEL', environment: 'production', value: 'a-plain-value' }],
    gitConnectionRef: { name: 'shop-git' },
    webhooks: [{ id: '0a1b2c3d', url: 'https://receiver.example/hook', disabled: false }],
    backupStorage: { connectionRef: { name: 'cloud' }, bucket: 'the-bucket' },
  });
  const hiddenFromBoth = ['shop-git', 'receiver.example', 'the-bucket'];
  const whole = (await send('GET', '/shop')).text;
  for (const text of [...hiddenFromBoth, 'a-plain-value']) assert.match(whole, text);
  const observer = (await served.makeToken({ role: 'observer' })).token;
  const observed = (await served.askAs(observer, `${base}/shop`)).text;
  for (const text of hiddenFromBoth) assert.not.match(observed, text);
  assert.match(observed, 'a-plain-value');
  const cookie = served.cookieOf({ username: 'viewer', role: 'viewer' });
  const viewed = (await served.ask(`${base}/shop`, { headers: { cookie } })).text;
  for (const text of [...hiddenFromBoth, 'a-plain-value', 'LEVEL']) assert.not.match(viewed, text);
});

spec('PRJ-004 PRJ-005 PRJ-007 a project is created with an id, a slug and one environment', async () => {
  await putClusters('local');
  const { status, text } = await send('POST', '', {});
  assert.is(status, 201, text);
  const { resource, ...told } = JSON.parse(text) as Created;
  assert.match(told.name, /^proj-[0-9a-f]{8}$/);
  assert.equal(told, {
    name: told.name,
    kind: 'CoreProject',
    project: told.name,
    environment: 'production',
    deployed: true,
    draft: false,
  });
  assert.match(resource.displayName, /^[a-z]+-[a-z]+-\d+$/);
  const made = stored(told.name);
  assert.equal([made?.metadata.name, resource.name], [told.name, told.name]);
  assert.equal(made?.spec, {
    displayName: resource.displayName,
    clusterRef: { name: 'local' },
    environments: ['production'],
  });
  await until(() => cached(told.name)?.status?.phase === 'ProjectReady', 'it is set up');
});

spec('PRJ-007 a given name is stored as a slug beside the requested region', async () => {
  await putClusters('local');
  const created = (await send('POST', '', { displayName: ' Mein Café, Nr. 2! ', region: 'eu' })).json() as Created;
  assert.equal([stored(created.name)?.spec.displayName, stored(created.name)?.spec.region], ['mein-cafe-nr-2', 'eu']);
  assert.is(await said('POST', '', { displayName: '…' }), '400 displayName must have a letter or a digit');
  assert.match(await said('POST', '', { region: 'No' }), /^400 region must be/);
  assert.is(await said('POST', '', { cluster: 'none' }), '400 there is no cluster "none"');
  assert.is(await said('POST', '', { name: 'mine' }), '400 unknown field "name"');
});

spec('PLC-023 PLC-044 a project is created in the named cluster, else the default or the only one', async () => {
  assert.is(await said('POST', '', {}), '409 there is no cluster that the project could run on');
  await putClusters('one', 'two');
  assert.is(await said('POST', '', {}), '409 there are several clusters and none is the default: name one');
  const named = (await send('POST', '', { cluster: 'one' })).json() as Created;
  assert.equal(stored(named.name)?.spec.clusterRef, { name: 'one' });
  const byDefault = async (name: string) => {
    const written = served.world.cluster.put(platformConfigs, {
      metadata: { name: 'platform', namespace: systemNamespace },
      spec: { dashboardExposure: 'ingress', defaultClusterRef: { name } },
    });
    const version = written.metadata.resourceVersion;
    await until(
      () => served.operator.caches.get(platformConfigs, 'platform')?.metadata.resourceVersion === version,
      'the default is cached',
    );
  };
  await byDefault('two');
  const taken = (await send('POST', '', {})).json() as Created;
  assert.equal(stored(taken.name)?.spec.clusterRef, { name: 'two' });
  await byDefault('three');
  assert.is(await said('POST', '', {}), '409 the default cluster "three" does not exist: name another one');
});

spec('KND-047 the settings of a project change at once without a deploy', async () => {
  await given();
  const network = { isolation: 'Project', allowFromProjects: ['api'] };
  const { status, text } = await send('PATCH', '/shop', { displayName: 'The Shop', region: 'eu', network });
  assert.is(status, 200, text);
  assert.is((JSON.parse(text) as Read).resource.displayName, 'the-shop');
  const { displayName, region, network: saved } = stored()?.spec ?? {};
  assert.equal([displayName, region, saved], ['the-shop', 'eu', network]);
  await until(
    () => JSON.stringify(pieceIn(served.world, owned.networkPolicies, 'core-project-isolation')).includes('"api"'),
    'the policy follows',
  );
  assert.is((await send('PATCH', '/shop', { region: '' })).status, 200);
  assert.is(stored()?.spec.region, undefined);
  assert.is((await send('PATCH', '/shop', { network: { isolation: 'None' } })).status, 200);
  assert.equal(stored()?.spec.network, { isolation: 'None', allowFromProjects: ['api'] });
  const before = stored()?.metadata.resourceVersion;
  assert.is((await send('PATCH', '/shop', {})).status, 200);
  assert.is(stored()?.metadata.generation, cached()?.metadata.generation);
  assert.ok(before);
  const refusals: readonly (readonly [object, string])[] = [
    [{ displayName: '' }, 'displayName must be'],
    [{ displayName: '!' }, 'displayName must have a letter or a digit'],
    [{ network: { isolation: 'Some' } }, 'network.isolation must be Project or None'],
    [
      { network: { allowFromProjects: ['a', 'a'] } },
      'network.allowFromProjects must be a list of at most 20, none twice',
    ],
    [{ environments: ['a'] }, 'unknown field "environments"'],
  ];
  for (const [fields, sentence] of refusals) assert.match(await said('PATCH', '/shop', fields), `400 ${sentence}`);
  assert.is(await said('PATCH', '/other', {}), '404 project "other" was not found');
});

spec('PRJ-035 PRJ-036 the region cannot change while a database of the project is in the cluster', async () => {
  await given({ region: 'eu' });
  served.world.cluster.put(databases, databaseOf({ project: 'shop', placement: 'External' }));
  await until(() => served.operator.caches.get(databases, 'orders'), 'the external one is cached');
  assert.is((await send('PATCH', '/shop', { region: 'us' })).status, 200);
  served.world.cluster.put(databases, {
    ...databaseOf({ project: 'shop' }),
    metadata: { name: 'users', namespace: systemNamespace },
  });
  await until(() => served.operator.caches.get(databases, 'users'), 'the other one is cached');
  const refused = '409 the region cannot change while the project has databases in the cluster: users';
  assert.is(await said('PATCH', '/shop', { region: 'eu' }), refused);
  assert.is(stored()?.spec.region, 'us');
  assert.is((await send('PATCH', '/shop', { region: 'us', displayName: 'b' })).status, 200, 'the same region is none');
  putProject(served.world, { region: 'eu' });
  await until(() => cached()?.spec.region === 'eu', 'an edit in the cluster is accepted');
});

spec('PRJ-022 PRJ-033 PRJ-034 an environment is added and configured', async () => {
  await given();
  const { status, text } = await send('POST', '/shop/environments', { name: 'staging' });
  assert.is(status, 201, text);
  assert.equal((JSON.parse(text) as Read).resource.details['environments'], ['production', 'staging']);
  await until(() => pieceIn(served.world, owned.roleBindings, 'core-environment', 'shop-staging'), 'it is set up');
  const add = (name: string) => said('POST', '/shop/environments', { name });
  assert.is(await add('staging'), '409 Project environments must be unique');
  assert.is(await add('Staging'), '400 invalid environment "Staging"');
  assert.is(await add(''), '400 invalid environment ""');
  const long = 'x'.repeat(59);
  assert.is(await add(long), `400 project/environment namespace "shop-${long}" is invalid`);
  assert.is(await said('POST', '/other/environments', { name: 'a' }), '404 project "other" was not found');
  const many = Array.from({ length: 100 }, (_, at) => `e${at}`);
  putProject(served.world, { environments: many });
  assert.is(await add('more'), '409 a project has at most 100 environments');
});

const variables = async (query = '') =>
  ((await send('GET', `/shop/variables${query}`)).json() as Items<SharedVariableItem>).items;
const setVariable = (fields: object) =>
  send('POST', '/shop/variables/set', { environment: 'production', name: 'TOKEN', ...fields });
const deleteVariable = (fields: object = {}) =>
  send('POST', '/shop/variables/delete', { environment: 'production', name: 'TOKEN', ...fields });
const sharedSecret = () =>
  served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === 'shop-shared-secrets')?.data;
const encoded = (text: string) => Buffer.from(text).toString('base64');

spec('PRJ-052 PRJ-054 PRJ-056 a plain variable is set, replaced and removed', async () => {
  await given({ environments: ['production', 'staging'] });
  const first = await setVariable({ name: 'LEVEL', value: 'debug' });
  assert.equal(first.json(), { name: 'shop', key: 'LEVEL', kind: 'config', pending: false });
  await setVariable({ name: 'LEVEL', value: 'info', environment: 'staging' });
  await setVariable({ name: 'LEVEL', value: 'warn' });
  assert.equal(stored()?.spec.sharedVariables, [
    { name: 'LEVEL', environment: 'production', value: 'warn' },
    { name: 'LEVEL', environment: 'staging', value: 'info' },
  ]);
  await until(
    () => JSON.stringify(pieceIn(served.world, owned.configMaps, 'core-shared-variables')).includes('warn'),
    'the services read it',
  );
  assert.equal(await variables('?environment=production'), [
    { name: 'LEVEL', environment: 'production', kind: 'config', value: 'warn' },
  ]);
  const removed = { name: 'shop', key: 'LEVEL', removed: true, pending: false };
  assert.equal((await deleteVariable({ name: 'LEVEL' })).json(), removed);
  assert.equal((await deleteVariable({ name: 'LEVEL' })).json(), { ...removed, removed: false });
  assert.equal((await variables()).length, 1);
});

spec('PRJ-069 AUT-071 a secret variable is stored only in the Secret and cannot be read', async () => {
  await given();
  const { text } = await setVariable({ value: 'hidden-1', secret: true });
  assert.equal(JSON.parse(text), { name: 'shop', key: 'TOKEN', kind: 'secret', pending: false });
  assert.equal(sharedSecret(), { production__TOKEN: encoded('hidden-1') });
  const secretRef = { name: 'shop-shared-secrets', key: 'production__TOKEN' };
  assert.equal(stored()?.spec.sharedVariables, [{ name: 'TOKEN', environment: 'production', value: '', secretRef }]);
  const inHome = () => pieceIn(served.world, owned.secrets, 'core-shared-secrets')?.data?.['TOKEN'];
  await until(() => inHome() === encoded('hidden-1'), 'the services read it');
  await setVariable({ value: 'hidden-2', secret: true });
  await until(() => inHome() === encoded('hidden-2'), 'and the next value');
  assert.equal(await variables(), [{ name: 'TOKEN', environment: 'production', kind: 'secret' }]);
  assert.not.match(JSON.stringify(served.world.cluster.all(projects)), 'hidden');
  assert.equal((await deleteVariable()).json(), { name: 'shop', key: 'TOKEN', removed: true, pending: false });
  assert.equal([sharedSecret(), stored()?.spec.sharedVariables], [{}, []]);
});

spec('PRJ-059 a variable changes its kind and leaves no value of the other kind', async () => {
  await given();
  await setVariable({ value: 'plain' });
  await setVariable({ value: 'hidden', secret: true });
  assert.not.match(JSON.stringify(stored()?.spec), 'plain');
  assert.equal(sharedSecret(), { production__TOKEN: encoded('hidden') });
  await setVariable({ value: 'plain again' });
  assert.equal(stored()?.spec.sharedVariables, [{ name: 'TOKEN', environment: 'production', value: 'plain again' }]);
  assert.equal(sharedSecret(), {});
});

spec('a variable with a character that no environment holds is refused, plain or secret', async () => {
  await given();
  for (const secret of [false, true])
    for (const value of [`a${String.fromCharCode(0)}`, '\uD800', '\uDC00\uD83D']) {
      const { status, text } = await setVariable({ value, secret });
      assert.is(`${status} ${text}`, '400 {"error":"value holds a character that no variable can have"}');
    }
  assert.is((await setVariable({ value: '😀' })).status, 200);
});

spec('a variable of 1 MiB is set, plain or secret; a larger one is refused, and so is a body of 2 MiB', async () => {
  await given();
  const large = 'x'.repeat(1024 * 1024);
  for (const secret of [false, true]) assert.is((await setVariable({ value: large, secret })).status, 200);
  const { status, text } = await setVariable({ value: `${large}x` });
  assert.is(`${status} ${text}`, '400 {"error":"value must be at most 1048576 bytes"}');
  assert.is((await setVariable({ value: large + large })).status, 413);
  assert.equal(sharedSecret(), { production__TOKEN: encoded(large) });
});

spec('PRJ-053 an invalid variable is refused and not saved', async () => {
  await given();
  const sentence = async (fields: object) => {
    const { status, text } = await setVariable({ value: 'hidden', secret: true, ...fields });
    return `${status} ${(JSON.parse(text) as { readonly error: string }).error}`;
  };
  const wrongName = '400 name must be capitals, digits and underscores, and not begin with a digit';
  for (const name of ['lower', '1ST', 'WITH-HYPHEN', '']) assert.is(await sentence({ name }), wrongName);
  assert.is(await sentence({ environment: 'staging' }), '400 project "shop" has no staging environment');
  assert.is(await sentence({ value: 1 }), '400 value must be a text');
  assert.is(sharedSecret(), undefined);
  assert.is(stored()?.spec.sharedVariables, undefined);
  assert.is(await said('GET', '/other/variables'), '404 project "other" was not found');
});

spec('AUT-071 an observer reads plain values and names; a viewer and a project token read none', async () => {
  await given();
  await setVariable({ name: 'LEVEL', value: 'debug' });
  await setVariable({ value: 'hidden', secret: true });
  const ask = async (fields: object) => {
    const { token } = await served.makeToken(fields);
    const { status, text } = await served.askAs(token, `${base}/shop/variables`);
    return [status, JSON.parse(text) as object];
  };
  assert.equal(await ask({ role: 'observer' }), [
    200,
    {
      items: [
        { name: 'LEVEL', environment: 'production', kind: 'config', value: 'debug' },
        { name: 'TOKEN', environment: 'production', kind: 'secret' },
      ],
    },
  ]);
  assert.equal(await ask({ role: 'viewer' }), [403, { error: 'your role reads no variables' }]);
  const ofProject = { role: undefined, project: 'shop', environment: 'production' };
  assert.equal(await ask(ofProject), [403, { error: 'a project token cannot do this' }]);
});

spec('a project is explained by each of its machines, lists its moves and is reconciled on request', async () => {
  await given();
  const { items } = (await send('GET', '/shop/explain')).json() as Items<Explanation>;
  assert.equal(
    items.map(({ machine, state }) => `${machine} ${state}`),
    ['provisionRetry Clean', 'projectReady ProjectReady'],
  );
  const moves = (await send('GET', '/shop/transitions')).json() as Items<{ readonly event: string }>;
  assert.ok(moves.items.some(({ event }) => event === 'provisioned'));
  assert.is((await send('POST', '/shop/reconcile')).status, 200);
  await until(() => stored()?.metadata.annotations?.[annotation.lookAt], 'it is asked for');
  for (const part of ['explain', 'transitions'])
    assert.is(await said('GET', `/other/${part}`), '404 project "other" was not found');
});

spec('a project cannot be changed while it is being deleted', async () => {
  await given();
  const project = stored();
  if (!project) throw new Error('no project');
  served.world.cluster.put(projects, {
    ...project,
    metadata: { ...project.metadata, deletionTimestamp: new Date().toISOString(), finalizers: ['a/b'] },
  });
  await until(() => cached()?.metadata.deletionTimestamp, 'it is cached');
  const refused = '409 "shop" is being deleted';
  assert.is(await said('PATCH', '/shop', { region: 'eu' }), refused);
  assert.is(await said('POST', '/shop/environments', { name: 'staging' }), refused);
  const variable = { environment: 'production', name: 'A' };
  assert.is(await said('POST', '/shop/variables/set', { ...variable, value: '', secret: true }), refused);
  assert.is(await said('POST', '/shop/variables/delete', variable), refused);
});

spec.run();
