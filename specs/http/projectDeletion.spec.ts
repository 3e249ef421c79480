import * as assert from 'uvu/assert';
import type { Items, Read, Summary } from '../../http/api.ts';
import { tokenSecret } from '../../http/auth/tokens/records.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { apps, projects } from '../../runtime/services/cluster/kinds.ts';
import { namespaces, secrets } from '../../runtime/services/cluster/resources.ts';
import { namespaceIn, putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { app, serve, type Served } from './served.ts';

const spec = suite('deletion of projects over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world, { environments: ['production', 'staging'] });
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
});
spec.after.each(() => served.stop());

const base = '/api/v1/projects';
const cached = () => served.operator.caches.get(projects, 'shop');
const stored = () => served.world.cluster.all(projects).find(({ metadata }) => metadata.name === 'shop');
const said = async (method: string, path: string) => {
  const { status, text } = await served.ask(`${base}${path}`, { method });
  const { error = text } = JSON.parse(text) as { readonly error?: string };
  return `${status} ${error}`;
};
const putApp = async (environment: string) => {
  const name = `hello-${environment}`;
  const source = { image: 'registry.local/ready-made' };
  served.world.cluster.put(apps, app(name, { project: 'shop', environment, source, deploy: { enabled: false } }));
  await until(() => served.operator.caches.get(apps, name), 'the service is cached');
};
const tokens = () =>
  Object.keys(served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === tokenSecret)?.data ?? {});

spec('PRJ-105 a project is deleted only when the request repeats its name', async () => {
  const unconfirmed = '400 confirmName must be the name of the project';
  for (const query of ['', '?confirmName=', '?confirmName=Shop'])
    assert.is(await said('DELETE', `/shop${query}`), unconfirmed);
  assert.is(stored()?.metadata.deletionTimestamp, undefined);
  assert.is(stored()?.metadata.annotations?.[annotation.deletion], undefined);
  assert.is(await said('DELETE', '/other?confirmName=other'), '404 project "other" was not found');
});

spec(
  'PRJ-106 PRJ-109 a project is deleted with its services and tokens, and its state shows the deletion',
  async () => {
    await putApp('production');
    const ofProject = await served.makeToken({ role: undefined, project: 'shop', environment: 'production' });
    const ofWorkspace = await served.makeToken();
    const { status, text } = await served.ask(`${base}/shop?confirmName=shop`, { method: 'DELETE' });
    assert.is(status, 200, text);
    assert.equal(JSON.parse(text), { name: 'shop', kind: 'CoreProject', deleted: true });
    const { items } = (await served.ask(base)).json() as Items<Summary>;
    if (items[0]) assert.is(items[0].state, 'deleting');
    await until(() => stored() === undefined, 'the project is deleted');
    assert.equal(served.world.cluster.all(apps), []);
    assert.equal(tokens(), [ofWorkspace.id]);
    assert.is((await served.askAs(ofProject.token, '/api/v1/me')).status, 401);
    assert.is(namespaceIn(served.world), undefined);
  },
);

/** Deletes while no watch reports Secrets; returns the statuses that tokens get right after the answer. */
async function deletedUnseen(
  tokensAsked: readonly string[],
  meanwhile = () => {},
  path = '/shop?confirmName=shop',
): Promise<readonly number[]> {
  served.world.cluster.lag(secrets, true);
  try {
    meanwhile();
    const answer = await said('DELETE', path);
    assert.match(answer, /^200/, answer);
    const answers = await Promise.all(tokensAsked.map((token) => served.askAs(token, '/api/v1/me')));
    return answers.map(({ status }) => status);
  } finally {
    served.world.cluster.lag(secrets, false);
  }
}

spec('PRJ-109 AUT-096 the tokens of a project are refused once the deletion is answered', async () => {
  const project = { role: undefined, project: 'shop' };
  const production = await served.makeToken({ ...project, environment: 'production' });
  const staging = await served.makeToken({ ...project, environment: 'staging' });
  const workspace = await served.makeToken();
  assert.equal(await deletedUnseen([production.token, staging.token, workspace.token]), [401, 401, 200]);
  assert.equal(tokens(), [workspace.id]);
  await until(() => stored() === undefined, 'the project is deleted');
  const revoked = served.lines.filter(({ message }) => message === 'revoked API token');
  assert.is(revoked.length, 2, 'each revocation is logged once');
});

spec('PRJ-109 AUT-096 tokens revoked by another replica are refused once the deletion is answered', async () => {
  const { token } = await served.makeToken({ role: undefined, project: 'shop', environment: 'production' });
  const withoutTokens = { metadata: { name: tokenSecret, namespace: systemNamespace }, data: {} };
  assert.equal(await deletedUnseen([token], () => served.world.cluster.put(secrets, withoutTokens)), [401]);
});

spec('AUT-096b the tokens of an environment are refused once the deletion is answered', async () => {
  const project = { role: undefined, project: 'shop' };
  const staging = await served.makeToken({ ...project, environment: 'staging' });
  const production = await served.makeToken({ ...project, environment: 'production' });
  const asked = [staging.token, production.token];
  assert.equal(await deletedUnseen(asked, () => {}, '/shop/environments/staging?confirmName=staging'), [401, 200]);
  assert.equal(tokens(), [production.id]);
  await until(() => stored()?.spec.environments.length === 1, 'the environment is deleted');
  const revoked = served.lines.filter(({ message }) => message === 'revoked API token');
  assert.equal(
    revoked.map(({ fields }) => fields),
    [
      {
        tokenId: staging.id,
        name: 'a script',
        project: 'shop',
        environment: 'staging',
        by: 'the deletion of its environment',
      },
    ],
  );
  const refused = '409 a project keeps at least one environment';
  assert.is(await said('DELETE', '/shop/environments/production?confirmName=production'), refused);
  assert.equal(tokens(), [production.id], 'a refused deletion revokes no token');
});

spec(
  'PRJ-110 PRJ-111 an environment is deleted when the request repeats its name, and the last one is kept',
  async () => {
    await putApp('staging');
    await putApp('production');
    const remove = (name: string, query = `?confirmName=${name}`) =>
      said('DELETE', `/shop/environments/${name}${query}`);
    assert.is(await remove('staging', ''), '400 confirmName must be the name of the environment');
    assert.is(await remove('other'), '404 environment "other" was not found');
    assert.is(await said('DELETE', '/other/environments/a?confirmName=a'), '404 project "other" was not found');
    assert.is(await remove('staging'), '200 {"name":"staging","kind":"Environment","deleted":true}');
    assert.match(await remove('production'), /^409 a project keeps at least one environment$/);
    await until(() => stored()?.spec.environments.length === 1, 'the environment is deleted');
    assert.equal(
      served.world.cluster.all(apps).map(({ metadata }) => metadata.name),
      ['hello-production'],
    );
    assert.equal(
      served.world.cluster.all(namespaces).filter(({ metadata }) => metadata.name.startsWith('shop-')).length,
      1,
    );
  },
);

spec('a new resource in an environment under deletion is refused, and the project shows the deletion', async () => {
  const held = app('kept', { project: 'shop', environment: 'staging', deploy: { enabled: false } });
  served.world.cluster.put(apps, { ...held, metadata: { ...held.metadata, finalizers: ['a/b'] } });
  await until(() => served.operator.caches.get(apps, 'kept'), 'the service is cached');
  assert.match(await said('DELETE', '/shop/environments/staging?confirmName=staging'), /^200/);
  assert.match(await said('DELETE', '/shop/environments/staging?confirmName=staging'), /^200/);
  const database = { project: 'shop', environment: 'staging', engine: 'SQLite' };
  const { status, text } = await served.post('/api/v1/databases', database);
  assert.equal([status, text], [400, '{"error":"project \\"shop\\" has no staging environment"}']);
  const variable = { environment: 'staging', name: 'A', value: '' };
  assert.is((await served.post(`${base}/shop/variables/set`, variable)).status, 400);
  const again = await served.post(`${base}/shop/environments`, { name: 'staging' });
  assert.equal([again.status, again.text], [409, '{"error":"the environment \\"staging\\" is being deleted"}']);
  const message = async () => ((await served.ask(`${base}/shop`)).json() as Read).resource.message;
  await until(async () => (await message()).includes('left of it is: CoreApp kept'), 'the message names what is left');
  const { resource } = (await served.ask(`${base}/shop`)).json() as Read;
  assert.equal(
    [resource.state, resource.details['environments'], resource.details['deleting']],
    ['ready', ['production', 'staging'], ['staging']],
  );
});

spec.run();
