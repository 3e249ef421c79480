import * as assert from 'uvu/assert';
import type { Created } from '../../../http/api.ts';
import { apps, connections, projects } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, image, movesOf, placed, refusalOf, serveShop } from './given.ts';

const spec = suite('creation of services over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

spec(
  'API-031 KND-023 KND-029 KND-048 CLI-222 a service is created as a draft with annotations and a first move of its caller',
  async () => {
    const { status, text } = await the.create({ displayName: 'The shop' });
    assert.is(status, 201, text);
    const { resource, ...told } = JSON.parse(text) as Created;
    assert.equal(told, { name: 'web', kind: 'CoreApp', ...placed, deployed: false, draft: true });
    assert.equal(
      [resource.state, resource.message, resource.displayName, resource.url],
      ['draft', 'Service is configured and waiting for deployment', 'The shop', ''],
    );
    assert.equal([resource.details['source'], resource.details['image']], ['image', image]);
    assert.equal(resource.details['pending'], ['created']);
    const made = the.stored();
    assert.equal(made?.spec, { ...placed, source: { image }, deploy: { enabled: false } });
    assert.is(annotationOf(made, 'deployWorkflow'), 'true');
    assert.is(annotationOf(made, 'pendingChanges'), 'created');
    assert.is(annotationOf(made, 'displayName'), 'The shop');
    assert.is(annotationOf(made, 'lastDeployed'), undefined);
    assert.equal(movesOf(made), [['(none)', 'created', 'Draft', 'admin']]);
  },
);

spec('API-031 CLI-228 KND-050 a service created with deploy is Deployed with the name of its record', async () => {
  const { status, text } = await the.create({ deploy: true, port: 3000 });
  assert.is(status, 201, text);
  const told = JSON.parse(text) as Created;
  assert.equal([told.deployed, told.draft, told.resource.state], [true, false, 'pending']);
  const made = the.stored();
  assert.equal([made?.spec.deploy.enabled, made?.spec.port], [true, 3000]);
  assert.is(annotationOf(made, 'pendingChanges'), undefined);
  assert.match(annotationOf(made, 'deployRevision') ?? '', /^web-[a-z0-9]{5}$/);
  assert.equal(JSON.parse(annotationOf(made, 'lastDeployed') ?? '{}'), made?.spec);
  assert.equal(movesOf(made), [['(none)', 'createdDeployed', 'Deployed', 'admin']]);
});

spec('KND-022 a service without a name gets a generated one', async () => {
  const { name } = (await the.create({ name: undefined })).json() as Created;
  assert.match(name, /^app-[0-9a-f]{8}$/);
  assert.ok(the.stored(name));
});

spec('CLI-217 CLI-219 CLI-221 a repository and a function get their defaults', async () => {
  await the.create({ name: 'git', image: undefined, source: 'git', repository: 'demo/shop' });
  assert.equal(the.stored('git')?.spec.source, {
    git: { repository: 'demo/shop', branch: 'main', waitForCI: false },
  });
  await the.create({ name: 'fun', image: undefined, code: 'export default 1' });
  assert.equal(the.stored('fun')?.spec.source, {
    function: { code: 'export default 1', runtime: 'bun', mode: 'http' },
  });
  await the.create({ name: 'cron', image: undefined, code: 'x', runtime: 'python', mode: 'event' });
  assert.equal(the.stored('cron')?.spec.source.function, { code: 'x', runtime: 'python', mode: 'event' });
});

spec('API-031 a service is created from a form, with and without the version in the path', async () => {
  for (const [path, name] of [
    ['/api/apps', 'one'],
    ['/api/v1/apps', 'two'],
  ]) {
    const body = new URLSearchParams({ ...placed, name: name ?? '', image, port: '3000', deploy: 'true' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, text } = await served.ask(path ?? '', { method: 'POST', headers, body });
    assert.is(status, 201, text);
    assert.equal([the.stored(name)?.spec.port, the.stored(name)?.spec.deploy.enabled], [3000, true]);
  }
});

spec('CLI-228 KND-051 a creation with deploy is refused when no node is ready, and a draft is saved', async () => {
  await the.unready();
  assert.is(
    refusalOf(await the.create({ deploy: true })),
    '409 cannot be scheduled: there is no ready node in the local region to run this service',
  );
  assert.is(the.count(), 0);
  assert.is((await the.create({ draft: true })).status, 201);
});

spec('CLI-228 KND-051 a creation with deploy is refused without saving when no node accepts another pod', async () => {
  await the.occupy();
  const full = '409 cannot be scheduled: no node in the local region takes another pod';
  assert.is(refusalOf(await the.create({ deploy: true })), full);
  assert.is(the.count(), 0);
  assert.is((await the.create({ draft: true })).status, 201);
  assert.is(refusalOf(await the.post('/apps/web/deploy')), full);
  assert.is(the.stored()?.spec.deploy.enabled, false);
});

spec('GIT-030 GIT-031 a repository is deployed only in a linked project, and saved as a draft in any', async () => {
  const git = { image: undefined, repository: 'demo/shop' };
  const unlinked = '409 project "shop" is not linked to the Git host';
  assert.is(refusalOf(await the.create({ ...git, deploy: true })), unlinked);
  assert.is(the.count(), 0);
  assert.is((await the.create({ ...git, name: 'draft' })).status, 201);
  const project = served.operator.caches.get(projects, 'shop');
  if (!project) throw new Error('no project');
  const linked = { ...project.spec, gitConnectionRef: { name: 'shop-git' } };
  served.world.cluster.put(projects, { ...project, spec: linked });
  await until(() => served.operator.caches.get(projects, 'shop')?.spec.gitConnectionRef, 'the name is cached');
  assert.is(
    refusalOf(await the.create({ ...git, deploy: true })),
    unlinked,
    'a name without a connection is not a link',
  );
  served.world.cluster.put(connections, {
    metadata: { name: 'shop-git', namespace: 'core-system' },
    spec: { mode: 'App', installationID: 1, secretRef: { name: 'shop-git-token' } },
  } as never);
  await until(() => served.operator.caches.get(connections, 'shop-git'), 'the connection is cached');
  assert.is((await the.create({ ...git, deploy: true })).status, 201);
});

const words = 'lowercase letters, digits and hyphens, begin with a letter and be no more than 36 characters';
const refusals: readonly (readonly [string, object, string])[] = [
  ['both flags', { draft: true, deploy: true }, '400 set either draft or deploy, not both'],
  ['an unknown project', { project: 'none' }, '400 there is no project "none"'],
  ['an unknown environment', { environment: 'staging' }, '400 project "shop" has no staging environment'],
  ['no project', { project: undefined }, '400 project is required'],
  ['no source', { image: undefined }, '400 set image, repository or code: a service needs a source'],
  ['an empty source', { image: '' }, '400 set image, repository or code: a service needs a source'],
  ['two sources', { repository: 'a/b' }, '400 set either image or repository: a service has one source'],
  ['another source', { source: 'git' }, '400 source is git, but image is set'],
  ['an unknown source', { source: 'zip' }, '400 source must be image, git or function'],
  ['a name with a capital', { name: 'Web' }, `400 name must be ${words}`],
  ['a name with a digit first', { name: '1web' }, `400 name must be ${words}`],
  ['a long name', { name: 'a'.repeat(37) }, `400 name must be ${words}`],
  ['an empty name', { name: '' }, `400 name must be ${words}`],
  ['port 0', { port: 0 }, '400 port must be a whole number from 1 to 65535'],
  ['a large port', { port: 65_536 }, '400 port must be a whole number from 1 to 65535'],
  ['a port as text', { port: '80' }, '400 port must be a whole number from 1 to 65535'],
  ['a broken port', { port: 80.5 }, '400 port must be a whole number from 1 to 65535'],
  ['an unknown runtime', { image: undefined, code: 'x', runtime: 'perl' }, '400 runtime must be bun, node or python'],
  ['an unknown mode', { image: undefined, code: 'x', mode: 'tcp' }, '400 mode must be http or event'],
  ['too much code', { image: undefined, code: 'é'.repeat(60_001) }, '400 code must be at most 120000 bytes'],
  ['a strange field', { spec: {} }, '400 unknown field "spec"'],
];
spec('API-010 API-035 CLI-224 an invalid service is refused with its field and not saved', async () => {
  for (const [what, fields, message] of refusals) assert.is(refusalOf(await the.create(fields)), message, what);
  assert.is(the.count(), 0);
});

spec('a service with an existing name is refused and the existing one unchanged', async () => {
  await the.create();
  const before = the.stored();
  assert.is(refusalOf(await the.create({ image: 'other' })), '409 service "web" already exists');
  assert.equal(the.stored()?.spec, before?.spec);
});

spec('a creation over 1 MiB is rejected with 413', async () => {
  const code = 'x'.repeat(100_000);
  assert.is((await the.create({ image: undefined, code })).status, 201, 'far more than 64 kB');
  assert.is((await the.create({ image: 'x'.repeat(1024 * 1024) })).status, 413);
});

spec('AUT-021 a service is not created by a project token, a viewer or an observer', async () => {
  const body = JSON.stringify({ ...placed, name: 'web', image });
  for (const [fields, message] of [
    [{ role: undefined, project: 'shop', environment: 'production' }, 'a project token cannot do this'],
    [{ role: 'viewer' }, 'your role changes nothing'],
    [{ role: 'observer' }, 'your role changes nothing'],
  ] as const) {
    const { token } = await served.makeToken({ name: message, ...fields });
    const headers = { 'content-type': 'application/json' };
    assert.is(
      refusalOf(await served.askAs(token, '/api/v1/apps', { method: 'POST', headers, body })),
      `403 ${message}`,
    );
  }
  assert.is(the.count(), 0);
});

spec('a created service is readable at once', async () => {
  await the.create();
  assert.is((await served.ask('/api/v1/apps/web')).status, 200);
  assert.ok(served.operator.caches.get(apps, 'web'));
});

spec.run();
