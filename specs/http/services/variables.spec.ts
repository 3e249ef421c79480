import * as assert from 'uvu/assert';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { systemNamespace } from '../../../crds/names.ts';
import type { Items, Read, Variable, VariableRemoved, VariableWritten } from '../../../http/api.ts';
import { apps, projects } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, decoded, refusalOf, savedOf, serveShop } from './given.ts';

const spec = suite('variables of services over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

const set = async (kind: 'config' | 'secrets', key: string, value: string) =>
  (await the.post(`/apps/web/${kind}/set`, { key, value })).json() as VariableWritten;
const unset = async (kind: 'config' | 'secrets', key: string) =>
  (await the.post(`/apps/web/${kind}/delete`, { key })).json() as VariableRemoved;
const listed = async () => (await the.read<Items<Variable>>('/apps/web/variables')).items;
const named = async (name: string) => (await listed()).find((one) => one.name === name);
const configMap = () =>
  (
    served.world.cluster.all(owned.configMaps).find(({ metadata }) => metadata.name === 'web-config') as
      { readonly data?: Readonly<Record<string, string>> } | undefined
  )?.data;
const secretOf = (namespace: string) =>
  served.world.cluster
    .all(secrets)
    .find(({ metadata }) => metadata.name === 'web-variables' && metadata.namespace === namespace)?.data;
/** Writes fields of the spec as a person does with kubectl. */
async function edit(fields: Partial<CoreApp['spec']>): Promise<void> {
  const app = the.stored();
  if (!app) throw new Error('no service');
  const written = served.world.cluster.put(apps, { ...app, spec: { ...app.spec, ...fields } });
  const version = Number(written.metadata.resourceVersion);
  await until(
    () => Number(served.operator.caches.get(apps, 'web')?.metadata.resourceVersion) >= version,
    'the edit is cached',
  );
}

spec('API-024 API-026 CLI-188 KND-052 a plain variable is saved, waits for a deploy and is removed', async () => {
  await the.deployed();
  assert.equal(await set('config', 'MODE', 'fast'), {
    name: 'web',
    key: 'MODE',
    kind: 'config',
    pending: true,
    appliesAtOnce: false,
  });
  assert.equal(the.stored()?.spec.config, { MODE: 'fast' });
  assert.is(annotationOf(the.stored(), 'pendingChanges'), 'variables');
  assert.is(configMap(), undefined, 'nothing reaches the pods');
  await the.post('/apps/web/deploy');
  await until(() => configMap()?.['MODE'] === 'fast', 'the deploy applies the variable');
  assert.equal(await unset('config', 'MODE'), {
    name: 'web',
    key: 'MODE',
    removed: true,
    pending: true,
    appliesAtOnce: false,
  });
  assert.equal(await unset('config', 'MODE'), {
    name: 'web',
    key: 'MODE',
    removed: false,
    pending: true,
    appliesAtOnce: false,
  });
  assert.equal(await unset('config', 'OTHER'), {
    name: 'web',
    key: 'OTHER',
    removed: false,
    pending: true,
    appliesAtOnce: false,
  });
});

spec('a variable is set and removed from its stored value when the cache is older', async () => {
  await the.deployed();
  const { cluster } = served.world;
  cluster.lag(apps, true);
  const app = the.stored();
  if (!app) throw new Error('no service');
  cluster.put(apps, { ...app, spec: { ...app.spec, config: { MODE: 'fast' }, secretVariables: { TOKEN: '1-0a' } } });
  assert.equal(await unset('config', 'MODE'), {
    name: 'web',
    key: 'MODE',
    removed: true,
    pending: true,
    appliesAtOnce: false,
  });
  await set('config', 'TOKEN', 'plain');
  assert.equal([the.stored()?.spec.config, the.stored()?.spec.secretVariables], [{ TOKEN: 'plain' }, {}]);
  cluster.lag(apps, false);
});

spec('decision 75 a variable changed back leaves nothing waiting', async () => {
  await the.deployed();
  await set('config', 'MODE', 'fast');
  assert.equal(await unset('config', 'MODE'), {
    name: 'web',
    key: 'MODE',
    removed: true,
    pending: false,
    appliesAtOnce: false,
  });
  assert.is(annotationOf(the.stored(), 'pendingChanges'), undefined);
});

spec(
  'API-025 API-027 SEC-015 SEC-020 a secret value is stored in a Secret, and the spec contains only its version',
  async () => {
    await the.deployed();
    assert.equal(await set('secrets', 'TOKEN', 'hush'), {
      name: 'web',
      key: 'TOKEN',
      kind: 'secret',
      pending: true,
      appliesAtOnce: false,
    });
    const version = the.stored()?.spec.secretVariables?.['TOKEN'] ?? '';
    assert.match(version, /^[0-9a-z]+-[0-9a-f]{8}$/);
    assert.is(decoded(secretOf(systemNamespace)?.[`TOKEN.${version}`]), 'hush');
    assert.not.match(JSON.stringify(the.stored()), 'hush');
    await the.post('/apps/web/deploy');
    await until(() => decoded(secretOf('shop-production')?.['TOKEN']) === 'hush', 'the deploy applies the secret');
    await set('secrets', 'TOKEN', 'changed');
    assert.is(decoded(secretOf('shop-production')?.['TOKEN']), 'hush', 'the deployed value is unchanged');
    await the.post('/apps/web/deploy');
    await until(
      () => decoded(secretOf('shop-production')?.['TOKEN']) === 'changed',
      'the next deploy applies the secret',
    );
    assert.equal(await unset('secrets', 'TOKEN'), {
      name: 'web',
      key: 'TOKEN',
      removed: true,
      pending: true,
      appliesAtOnce: false,
    });
    await the.post('/apps/web/deploy');
    await until(() => secretOf('shop-production') === undefined, 'the Secret is deleted');
  },
);

spec('SEC-016 no response or log line contains a secret value', async () => {
  await the.deployed();
  await set('secrets', 'TOKEN', 'hush');
  await the.post('/apps/web/deploy');
  const paths = ['', '/status', '/variables', '/changes', '/deployments', '/transitions', '/explain'];
  for (const path of [...paths.map((one) => `/apps/web${one}`), '/apps', '/bootstrap'])
    for (const prefix of ['/api', '/api/v1'])
      assert.not.match((await served.ask(`${prefix}${path}`)).text, 'hush', `${prefix}${path}`);
  assert.equal((await the.read<Read>('/apps/web')).resource.name, 'web');
  assert.not.match(JSON.stringify(served.lines), 'hush', 'nor is it logged');
});

spec('a variable set as the other kind replaces the earlier one', async () => {
  await the.create();
  await set('config', 'TOKEN', 'plain');
  await set('secrets', 'TOKEN', 'hush');
  assert.equal(Object.keys(the.stored()?.spec.config ?? {}), []);
  assert.is((await named('TOKEN'))?.kind, 'secret');
  await set('config', 'TOKEN', 'plain');
  assert.equal(Object.keys(the.stored()?.spec.secretVariables ?? {}), []);
  assert.is((await named('TOKEN'))?.value, 'plain');
  await edit({ secretData: { TOKEN: 'by hand' } });
  await set('config', 'TOKEN', 'again');
  assert.equal([the.stored()?.spec.config, the.stored()?.spec.secretData], [{ TOKEN: 'again' }, {}]);
});

spec('a secret set to its current value keeps its version and leaves nothing waiting', async () => {
  await the.deployed();
  await set('secrets', 'TOKEN', 'hush');
  const version = the.stored()?.spec.secretVariables?.['TOKEN'];
  await the.post('/apps/web/deploy');
  assert.is((await set('secrets', 'TOKEN', 'hush')).pending, false);
  assert.is(the.stored()?.spec.secretVariables?.['TOKEN'], version);
});

spec('an empty value is saved, and variables are accepted as forms', async () => {
  await the.create();
  await set('config', 'EMPTY', '');
  await set('secrets', 'NOTHING', '');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = (path: string, body: string) => served.ask(path, { method: 'POST', headers, body });
  assert.is((await form('/api/apps/web/config/set', 'key=A&value=1%202')).status, 200);
  assert.is((await form('/api/v1/apps/web/config/set', 'key=B&value=')).status, 200);
  assert.equal(the.stored()?.spec.config, { EMPTY: '', A: '1 2', B: '' });
  assert.is((await form('/api/v1/apps/web/config/delete', 'key=A')).status, 200);
  assert.equal(the.stored()?.spec.config, { EMPTY: '', B: '' });
  assert.is((await named('NOTHING'))?.kind, 'secret');
});

spec('a variable may have the name of an Object.prototype member', async () => {
  await the.deployed();
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  for (const name of names) {
    await served.post('/api/v1/apps/web/config/set', JSON.parse(`{"key":"${name}","value":"x"}`) as object);
    assert.is((await named(name))?.value, 'x');
  }
  await the.post('/apps/web/deploy');
  await until(() => Object.keys(configMap() ?? {}).length === 4, 'they reach the ConfigMap');
  assert.equal(Object.keys(configMap() ?? {}).toSorted(), names.toSorted());
  for (const name of names) assert.is((await unset('config', name)).removed, true, name);
  assert.equal(Object.keys(the.stored()?.spec.config ?? {}), []);
  for (const name of names) await set('secrets', name, 'x');
  await the.post('/apps/web/deploy');
  await until(() => Object.keys(secretOf('shop-production') ?? {}).length === 4, 'they reach the Secret');
  await until(() => configMap() === undefined, 'and leave the ConfigMap');
});

spec('CLI-189 injected variables are listed with their source and can be neither set nor removed', async () => {
  const project = served.operator.caches.get(projects, 'shop');
  if (!project) throw new Error('no project');
  const sharedVariables = [
    { name: 'LEVEL', environment: 'production', value: 'info' },
    { name: 'KEY', environment: 'production', value: '', secretRef: { name: 'x', key: 'k' } },
    { name: 'LEVEL', environment: 'staging', value: 'debug' },
  ];
  served.world.cluster.put(projects, { ...project, spec: { ...project.spec, sharedVariables } });
  served.world.cluster.put(secrets, {
    metadata: { name: 'whole', namespace: systemNamespace },
    data: { API: 'aHVzaA==', OWN: 'aHVzaA==' },
  });
  await until(() => served.operator.caches.get(secrets, 'whole'), 'the Secret is cached');
  await until(() => served.operator.caches.get(projects, 'shop')?.spec.sharedVariables, 'the variables are cached');
  await the.create();
  await set('secrets', 'OWN', 'mine');
  await set('config', 'DB', 'hidden by the database');
  await edit({
    sharedVariableRefs: ['LEVEL', 'KEY'],
    secretRefs: [{ name: 'whole' }],
    connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'DB', key: 'uri' }],
  });
  const secret = (name: string, from: string) => ({ name, kind: 'secret', injected: true, from });
  assert.equal(await listed(), [
    secret('API', 'Secret whole'),
    secret('DB', 'CoreDatabase orders'),
    secret('KEY', 'shared variable of production'),
    { name: 'LEVEL', kind: 'literal', injected: true, from: 'shared variable of production', value: 'info' },
    { name: 'OWN', kind: 'secret', injected: false, from: '' },
    { name: 'PORT', kind: 'literal', injected: true, from: 'the port of the service', value: '8080' },
  ]);
  for (const key of ['API', 'KEY', 'LEVEL', 'PORT'])
    for (const kind of ['config', 'secrets']) {
      const before = the.stored();
      const asked = (verb: string, body: object) => the.post(`/apps/web/${kind}/${verb}`, body);
      assert.is(refusalOf(await asked('set', { key, value: 'x' })), `400 ${key} is injected and cannot be set`);
      assert.is(refusalOf(await asked('delete', { key })), `400 ${key} is injected and cannot be removed`);
      assert.is(savedOf(the.stored()), savedOf(before), key);
    }
  assert.is((await unset('config', 'DB')).removed, true, 'one of its own that another hides can be removed');
  assert.is(
    refusalOf(await the.post('/apps/web/config/delete', { key: 'DB' })),
    '400 DB is injected and cannot be removed',
  );
  assert.is((await unset('secrets', 'OWN')).removed, true);
});

const key = '400 key must be letters, digits and underscores, and not begin with a digit';
const refusals: readonly (readonly [object, string])[] = [
  [{ key: '1A', value: '' }, key],
  [{ key: 'A-B', value: '' }, key],
  [{ key: 'A.B', value: '' }, key],
  [{ key: 'Ä', value: '' }, key],
  [{ key: ' A', value: '' }, key],
  [{ key: '', value: '' }, '400 key must be a text that is not empty'],
  [{ value: '' }, '400 key is required'],
  [{ key: 'A' }, '400 value is required'],
  [{ key: 'A', value: 7 }, '400 value must be a text'],
  [{ key: 'A', value: '', secret: true }, '400 unknown field "secret"'],
  [{ key: 'A'.repeat(201), value: '' }, '400 key must be at most 200 characters'],
  ...[`a${String.fromCharCode(0)}`, 'a\uD800', '\uDC00\uD83D'].map(
    (value) => [{ key: 'A', value }, '400 value holds a character that no variable can have'] as const,
  ),
  [{ key: 'A', value: 'x'.repeat(1024 * 1024 + 1) }, '400 value must be at most 1048576 bytes'],
];
spec('API-035 an invalid service variable is refused and not saved', async () => {
  await the.create();
  const before = savedOf(the.stored());
  for (const kind of ['config', 'secrets'])
    for (const [body, message] of refusals)
      assert.is(refusalOf(await the.post(`/apps/web/${kind}/set`, body)), message, JSON.stringify(body).slice(0, 80));
  for (const path of ['config/set', 'secrets/set'])
    assert.is(
      refusalOf(await the.post(`/apps/none/${path}`, { key: 'A', value: '' })),
      '404 service "none" was not found',
    );
  for (const path of ['config/delete', 'secrets/delete'])
    assert.is(refusalOf(await the.post(`/apps/none/${path}`, { key: 'A' })), '404 service "none" was not found');
  assert.is(refusalOf(await served.ask('/api/v1/apps/none/variables')), '404 service "none" was not found');
  assert.is(savedOf(the.stored()), before);
});

spec('a body is limited to 2 MiB, a secret to 1 MiB and plain variables by the snapshot', async () => {
  await the.create();
  const large = 'x'.repeat(1024 * 1024);
  assert.is((await the.post('/apps/web/secrets/set', { key: 'A', value: large })).status, 200);
  assert.is((await the.post('/apps/web/secrets/set', { key: 'A', value: large + large })).status, 413);
  assert.is(
    refusalOf(await the.post('/apps/web/config/set', { key: 'A', value: 'x'.repeat(240 * 1024) })),
    '400 the settings and plain variables of a service must be at most 245760 bytes in all',
  );
  assert.is((await the.post('/apps/web/config/set', { key: 'B', value: 'x'.repeat(200 * 1024) })).status, 200);
});

spec('API-023 AUT-037 AUT-078 AUT-079 variables are read and changed only by the permitted roles', async () => {
  await the.create();
  await set('config', 'MODE', 'fast');
  await set('secrets', 'TOKEN', 'hush');
  const own = { role: undefined, project: 'shop', environment: 'production' };
  const elsewhere = { ...own, environment: 'testing' };
  const tokenOf = async (fields: object) => (await served.makeToken({ name: 't', ...fields })).token;
  const variables = async (token: string) => served.askAs(token, '/api/v1/apps/web/variables');
  assert.is(refusalOf(await variables(await tokenOf({ role: 'viewer' }))), '403 your role reads no variables');
  for (const fields of [{ role: 'observer' }, own]) {
    const { items } = (await variables(await tokenOf(fields))).json() as Items<Variable>;
    assert.equal(
      items.map(({ name, value }) => [name, value]),
      [
        ['MODE', 'fast'],
        ['PORT', '8080'],
        ['TOKEN', undefined],
      ],
    );
  }
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'MODE', value: 'slow' }),
  };
  const write = async (fields: object) => served.askAs(await tokenOf(fields), '/api/v1/apps/web/config/set', asked);
  assert.is(refusalOf(await write({ role: 'observer' })), '403 your role changes nothing');
  assert.is(refusalOf(await write(elsewhere)), '404 service "web" was not found');
  assert.is(the.stored()?.spec.config?.['MODE'], 'fast');
  assert.is((await write(own)).status, 200);
  assert.is(the.stored()?.spec.config?.['MODE'], 'slow');
});

spec.run();
