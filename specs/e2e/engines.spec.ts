import * as assert from 'uvu/assert';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('Postgres, MySQL and Redis over REST, with both operators simulated');
let product: Product;
let project = '';

const json = () => ({ origin: product.endpoints.dashboard ?? '', 'content-type': 'application/json' });
const post = async (path: string, body: object) => {
  const answer = await product.api(path, { method: 'POST', headers: json(), body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
};
const read = async (name: string) => {
  const answer = await product.api(`/api/v1/databases/${name}`);
  return answer.status === 404
    ? null
    : ((await answer.json()) as { readonly resource: { readonly state: string; readonly message: string } });
};
const isShown = (name: string, state: string) =>
  until(async () => {
    const found = (await read(name))?.resource;
    if (found?.state === state) return true;
    last = `${name}: ${found?.state ?? 'gone'}, ${found?.message ?? ''}`;
    return false;
  }, `${name} is ${state}`);
let last = '';

spec.before(async () => {
  product = await startProduct();
  const made = await post('/api/v1/projects', { displayName: 'Shop' });
  assert.is(made.status, 201, made.text);
  project = (JSON.parse(made.text) as { readonly name: string }).name;
  const listed = (await (await product.api(`/api/v1/projects/${project}`)).json()) as {
    readonly spec: { readonly environments: readonly string[] };
  };
  if (!listed.spec.environments.includes('production'))
    assert.is((await post(`/api/v1/projects/${project}/environments`, { name: 'production' })).status, 201);
});
spec.after(async () => {
  await product.end('SIGTERM');
  product.clean();
});

spec(
  'DB-071 DB-074 DB-079 DB-117 DB-214 a database of each engine becomes Ready and publishes its connection',
  async () => {
    for (const engine of ['Postgres', 'MySQL', 'Redis']) {
      const name = engine.toLowerCase();
      const asked = { project, environment: 'production', name, engine, databaseName: 'ledger', deploy: true };
      const made = await post('/api/v1/databases', asked);
      assert.is(made.status, 201, made.text);
    }
    for (const name of ['postgres', 'mysql', 'redis'])
      await isShown(name, 'ready').catch((error: unknown) => assert.unreachable(`${String(error)} ${last}`));
    const uris: string[] = [];
    for (const name of ['postgres', 'mysql', 'redis']) {
      const uri = await until(async () => {
        const told = await product.api(`/api/v1/databases/${name}/connection?reveal=true`);
        return told.status === 200 && ((await told.json()) as { readonly uri: string }).uri;
      }, `${name} tells its connection`);
      uris.push(uri.replace(/:[A-Za-z0-9]{32}@/, ':…@'));
    }
    assert.equal(uris, [
      `postgresql://app:…@postgres-rw.${project}-production.svc:5432/ledger`,
      `mysql://app:…@core-mysql-mysql.${project}-production.svc:3306/ledger`,
      `redis://:…@core-redis-db-redis-master.${project}-production.svc:6379`,
    ]);
  },
);

spec('DB-147 DB-223 a stopped database of each engine is a draft, and a deleted one is gone', async () => {
  for (const name of ['postgres', 'mysql', 'redis']) {
    const stopped = await post(`/api/v1/databases/${name}/stop`, { confirmName: name });
    assert.is(stopped.status, 200, stopped.text);
    await isShown(name, 'draft');
  }
  for (const name of ['postgres', 'mysql', 'redis']) {
    const path = `/api/v1/databases/${name}?confirmName=${name}`;
    assert.is((await product.api(path, { method: 'DELETE', headers: json() })).status, 200);
    await until(async () => (await read(name)) === null, `${name} is gone`);
  }
});

spec.run();
