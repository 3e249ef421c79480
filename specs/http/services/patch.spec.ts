import * as assert from 'uvu/assert';
import type { Change, Items, Read, StatusItem } from '../../../http/api.ts';
import { clusters } from '../../../runtime/services/cluster/kinds.ts';
import { installKeda } from '../../support/keda/fake.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, image, movesOf, refusalOf, savedOf, serveShop } from './given.ts';

const spec = suite('settings of services over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

const changes = async (name = 'web') => (await the.read<Items<Change>>(`/apps/${name}/changes`)).items;
const refused = async (fields: object, name = 'web') => {
  const before = savedOf(the.stored(name));
  const said = refusalOf(await the.patch(fields, name));
  assert.is(savedOf(the.stored(name)), before, said);
  return said;
};

spec('KND-026 KND-027 KND-052 a pending setting is saved, marked, counted and listed as a change', async () => {
  await the.deployed();
  const { status, text } = await the.patch({ port: 3000 });
  assert.is(status, 200, text);
  const told = JSON.parse(text) as StatusItem;
  assert.equal([told.name, told.pendingChanges, told.state], ['web', true, 'pending']);
  assert.is((await the.patch({ image: 'registry.local/shop/web:2', displayName: 'Shop' })).status, 200);
  const app = the.stored();
  assert.equal([app?.spec.port, app?.spec.source.image], [3000, 'registry.local/shop/web:2']);
  assert.equal([annotationOf(app, 'pendingChanges'), annotationOf(app, 'pendingUpdates')], ['settings', '2']);
  assert.is(annotationOf(app, 'displayName'), 'Shop');
  assert.equal(await changes(), [
    { path: 'spec.port', kind: 'settings', deployed: null, saved: 3000 },
    { path: 'spec.source.image', kind: 'settings', deployed: image, saved: 'registry.local/shop/web:2' },
  ]);
  await the.post('/apps/web/deploy');
  assert.equal(await changes(), []);
});

spec('decision 75 a setting changed back leaves nothing waiting', async () => {
  await the.deployed();
  await the.patch({ port: 3000 });
  assert.is(((await the.patch({ port: null })).json() as StatusItem).pendingChanges, false);
  assert.equal(movesOf(the.stored()).at(-1), ['PendingChanges', 'changeReverted', 'Deployed', 'admin']);
});

spec('KND-034 KND-035 KND-036 KND-053 copies, autoscaling, host, TLS and sleep apply at once', async () => {
  await the.deployed();
  const atOnce = {
    replicas: 3,
    autoscaling: { enabled: true, min: 1, max: 4 },
    host: 'Shop.Example.com',
    tls: false,
    scaleToZero: 'on',
    idleSeconds: 300,
  };
  assert.is((await the.patch(atOnce)).status, 200);
  const { replicas, autoscaling, networking, scaleToZero } = the.stored()?.spec ?? {};
  assert.equal([replicas, autoscaling], [3, { enabled: true, min: 1, max: 4 }]);
  assert.equal(networking, { host: 'shop.example.com', tls: false });
  assert.equal(scaleToZero, { enabled: true, idleSeconds: 300 });
  assert.is(annotationOf(the.stored(), 'pendingChanges'), undefined);
  assert.equal(movesOf(the.stored()).at(-1), ['Deployed', 'atOnceSaved', 'Deployed', 'admin']);
});

spec('every setting is saved in the spec and removed by an empty value', async () => {
  const image = undefined;
  await the.create({ name: 'git', image, repository: 'demo/shop' });
  const settings = {
    branch: 'next',
    commit: 'a'.repeat(40),
    context: 'app',
    buildfile: 'Recipe',
    waitForCI: true,
    watchPaths: ['src/**'],
    registry: 'registry.local/apps',
    cache: true,
    logStore: 'logs',
    resources: { requests: { cpu: '100m' } },
    sharedVariableRefs: ['LEVEL'],
    connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'DB', key: 'uri' }],
    maxReplicas: 3,
  };
  const saved = await the.patch(settings, 'git');
  assert.is(saved.status, 200, saved.text);
  const { branch, commit, context, buildfile, waitForCI, watchPaths } = settings;
  const { source, build, resources, sharedVariableRefs, connectionRefs, scaleToZero } = the.stored('git')?.spec ?? {};
  const git = { repository: 'demo/shop', branch, commit, context, buildfile, waitForCI, watchPaths };
  assert.equal(source, { git });
  assert.equal(build, { registry: { repository: 'registry.local/apps' }, cache: true, logStoreRef: { name: 'logs' } });
  assert.equal([resources, sharedVariableRefs], [settings.resources, ['LEVEL']]);
  assert.equal([connectionRefs, scaleToZero], [settings.connectionRefs, { enabled: false, maxReplicas: 3 }]);
  const gone = { commit: '', context: '', buildfile: '', registry: '', logStore: '', resources: null };
  const taken = await the.patch(gone, 'git');
  assert.is(taken.status, 200, taken.text);
  const after = the.stored('git')?.spec;
  assert.equal(after?.source.git, { repository: 'demo/shop', branch, waitForCI, watchPaths });
  assert.equal([after?.build?.logStoreRef, after?.resources], [undefined, undefined]);
  await the.create({ name: 'fun', image, code: 'x' });
  assert.is((await the.patch({ code: 'y', runtime: 'node', handler: 'main' }, 'fun')).status, 200);
  const { function: written } = the.stored('fun')?.spec.source ?? {};
  assert.equal(written, { code: 'y', runtime: 'node', mode: 'http', handler: 'main' });
});

spec('settings are changed by a form with and without the version in the path', async () => {
  await the.deployed();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'port=3000&replicas=2&tls=false&scaleToZero=on';
  for (const prefix of ['/api', '/api/v1'])
    assert.is((await served.ask(`${prefix}/apps/web`, { method: 'PATCH', headers, body })).status, 200);
  const { port, replicas, networking, scaleToZero } = the.stored()?.spec ?? {};
  assert.equal([port, replicas, networking, scaleToZero], [3000, 2, { tls: false }, { enabled: true }]);
});

spec(
  'CLI-140 CLI-199 CLI-200 CLI-201 CLI-203 sleep settings are saved when the service cannot sleep, and the answer gives the reason',
  async () => {
    await the.deployed();
    const asked = async (fields: object) => {
      const { scaleToZero } = (await the.patch(fields)).json() as StatusItem;
      return scaleToZero && [scaleToZero.active, scaleToZero.message];
    };
    const off = [false, 'the serverless add-on is off in the cluster settings'];
    assert.equal(await asked({ scaleToZero: 'on', idleSeconds: 300 }), off);
    assert.equal(the.stored()?.spec.scaleToZero, { enabled: true, idleSeconds: 300 });
    const { resource } = await the.read<Read>('/apps/web');
    const told = { idleSeconds: 300, maxReplicas: null, active: off[0], message: off[1] };
    assert.equal(resource.details['scaleToZero'], told);
    const cluster = served.operator.caches.get(clusters, 'local');
    if (!cluster) throw new Error('no cluster');
    served.world.cluster.put(clusters, { ...cluster, spec: { ...cluster.spec, addons: { serverless: true } } });
    await until(() => served.operator.caches.get(clusters, 'local')?.spec.addons?.serverless, 'the add-on is on');
    const missing = 'the serverless add-on is switched on, not there yet';
    assert.equal(await asked({ idleSeconds: 60 }), [false, missing]);
    installKeda(served.world);
    const said = () => the.stored()?.status?.scaleToZero?.message;
    await until(() => said() === 'the service has no public host', 'the add-on is detected');
    assert.equal(await asked({ idleSeconds: 90 }), [false, 'the service has no public host']);
    const autoscaling = { enabled: true, max: 4 };
    assert.equal(await asked({ host: 'shop.example.com', autoscaling }), [false, 'CPU autoscaling is on']);
    assert.equal(await asked({ autoscaling: null }), [undefined, undefined], 'the answer of the cluster is pending');
    assert.is(await asked({ scaleToZero: 'off' }), null);
  },
);

const idle = '400 idleSeconds must be a whole number from 30 to 86400';
const refusals: readonly (readonly [object, string])[] = [
  [{ idleSeconds: 29 }, idle],
  [{ idleSeconds: 86_401 }, idle],
  [{ idleSeconds: 30.5 }, idle],
  [{ idleSeconds: 'long' }, idle],
  [{ scaleToZero: 'maybe' }, '400 scaleToZero must be on or off'],
  [{ port: 0 }, '400 port must be a whole number from 1 to 65535 or null'],
  [{ replicas: 1001 }, '400 replicas must be a whole number from 0 to 1000'],
  [{ branch: 'main' }, '400 branch is no setting of a service with the source image'],
  [{ code: 'x' }, '400 code is no setting of a service with the source image'],
  [{ autoscaling: { enabled: 'yes' } }, '400 autoscaling.enabled must be true or false'],
  [{ autoscaling: { enabled: true, on: true } }, '400 unknown field "autoscaling.on"'],
  [{ connectionRefs: [{ kind: 'CoreApp' }] }, '400 connectionRefs.0.name is required'],
  [{ host: 'nothing' }, '400 host must be a host name such as shop.example.com, without a port'],
  [{ host: 'shop.example.com:8080' }, '400 host must be a host name such as shop.example.com, without a port'],
  ...[
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '127.0.0.1.',
    '1.2.3.0x4',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '.',
  ].map((host) => [{ host }, '400 host must be a host name such as shop.example.com, without a port'] as const),
  [{ watchPaths: ['docs/**', '../x'] }, '400 watchPaths.1 must be a text such as apps/web/**'],
  [{ watchPaths: [''] }, '400 watchPaths.0 must be a text such as apps/web/**'],
  [{ host: '*.example.com' }, '400 host must be a host name such as shop.example.com, without a port'],
  [{ host: `${'a'.repeat(64)}.example.com` }, '400 host must be a host name such as shop.example.com, without a port'],
  [{ spec: {} }, '400 unknown field "spec"'],
];
spec('API-035 an invalid setting is refused with its field and not saved', async () => {
  await the.deployed();
  for (const [fields, message] of refusals) assert.is(await refused(fields), message, JSON.stringify(fields));
  assert.is(refusalOf(await the.patch({ replicas: 1 }, 'none')), '404 service "none" was not found');
});

spec('code over 120000 bytes is refused, and a body over 1 MiB is rejected with 413', async () => {
  await the.create({ image: undefined, code: 'x' });
  const code = 'x'.repeat(120_001);
  assert.is(await refused({ code }), '400 code must be at most 120000 bytes');
  assert.is((await the.patch({ code: 'x'.repeat(120_000) })).status, 200, 'far more than 64 kB');
  assert.is((await the.patch({ code: 'x'.repeat(1024 * 1024) })).status, 413);
});

spec('API-029 AUT-020 AUT-023 a project token may change only the sleep settings of its services', async () => {
  await the.deployed();
  const own = { name: 'own', role: undefined, project: 'shop', environment: 'production' };
  const { token } = await served.makeToken(own);
  const elsewhere = (await served.makeToken({ ...own, name: 'other', environment: 'testing' })).token;
  const patch = (with_: string, fields: object) =>
    served.askAs(with_, '/api/v1/apps/web', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
  assert.is((await patch(token, { scaleToZero: 'on', idleSeconds: 300 })).status, 200);
  assert.equal(the.stored()?.spec.scaleToZero, { enabled: true, idleSeconds: 300 });
  const before = savedOf(the.stored());
  for (const fields of [{ replicas: 2 }, { scaleToZero: 'off', replicas: 2 }, { displayName: 'x' }])
    assert.is(refusalOf(await patch(token, fields)), '403 a project token changes no settings');
  assert.is(refusalOf(await patch(elsewhere, { scaleToZero: 'off' })), '404 service "web" was not found');
  assert.is(savedOf(the.stored()), before);
});

spec('AUT-032 AUT-033 a role reads pending changes as far as it may read the spec', async () => {
  await the.deployed();
  await the.patch({ port: 3000, image: 'registry.local/hush:2' });
  await the.post('/apps/web/config/set', { key: 'MODE', value: 'fast' });
  await the.post('/apps/web/secrets/set', { key: 'TOKEN', value: 'hush' });
  const told = async (role: string) => {
    const { token } = await served.makeToken({ name: role, role });
    const { items } = (await served.askAs(token, '/api/v1/apps/web/changes')).json() as Items<Change>;
    return items.map(({ path, kind, saved }) => [path, kind, saved]);
  };
  const settings = [
    ['spec.port', 'settings', 3000],
    ['spec.source.image', 'settings', null],
  ];
  assert.equal(await told('observer'), [
    ['spec.config.MODE', 'variables', 'fast'],
    settings[0],
    ['spec.secretVariables.TOKEN', 'variables', null],
    settings[1],
  ]);
  assert.equal(await told('viewer'), [
    ['spec.config', 'variables', null],
    settings[0],
    ['spec.secretVariables', 'variables', null],
    settings[1],
  ]);
});

spec.run();
