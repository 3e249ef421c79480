import * as assert from 'uvu/assert';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import type { Dependent } from '../../../http/api.ts';
import { apps, databases, logicalDatabases, objectStores } from '../../../runtime/services/cluster/kinds.ts';
import { inSystem } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { serve, type Served } from '../served.ts';
import { reading, resting } from './given.ts';

const spec = suite('dependents of databases and buckets');
let served: Served;
spec.before(async () => {
  served = await serve();
});
spec.after(() => served.stop());

/** Of an object that no pass looks at. */
const paused = (name: string) => ({ ...inSystem(name), annotations: { [annotation.paused]: 'true' } });
const place = { project: 'demo', environment: 'production' };
const refTo = (kind: 'CoreDatabase' | 'CoreLogicalDatabase' | 'CoreObjectStore', name: string) => ({
  connectionRefs: [{ kind, name, variable: 'URL', key: 'uri' }] as NonNullable<CoreApp['spec']['connectionRefs']>,
});
const dependents = async (path: string, token?: string) => {
  const { token: given } = token === undefined ? await served.makeToken() : { token };
  const { items } = await reading((at) => served.askAs(given, at)).page<Dependent>(`${path}/dependents`);
  return items.map(({ kind, name, by }) => `${kind} ${name} ${by}`);
};

spec('dependents are listed by connection, build logs and server as far as the caller may read', async () => {
  const { cluster } = served.world;
  const { caches } = served.operator;
  const database = { ...typeMeta(coreDatabase), metadata: paused('main') };
  cluster.put(databases, { ...database, spec: { ...place, engine: 'Postgres', placement: 'InCluster' } } as never);
  const logical = { ...typeMeta(coreLogicalDatabase), metadata: paused('recipes') };
  cluster.put(logicalDatabases, {
    ...logical,
    spec: { ...place, serverRef: 'main', databaseName: 'recipes' },
  });
  const store = (name: string, of: object) => {
    const object = { ...typeMeta(coreObjectStore), metadata: paused(name) };
    cluster.put(objectStores, { ...object, spec: { ...place, ...of } } as never);
  };
  store('disk', { mode: 'Server' });
  store('files', { mode: 'Bucket', serverRef: { name: 'disk' } });
  cluster.put(apps, resting('web', refTo('CoreDatabase', 'main')));
  cluster.put(apps, resting('other', refTo('CoreLogicalDatabase', 'main')));
  const running = { ...resting('old').spec, deploy: { enabled: true }, ...refTo('CoreDatabase', 'main') };
  const saved = { deploy: { enabled: true } };
  const deployed = {
    [annotation.deployWorkflow]: 'true',
    [annotation.pendingChanges]: 'settings',
    [annotation.lastDeployed]: JSON.stringify(running),
  };
  cluster.put(apps, resting('old', saved, deployed));
  cluster.put(apps, resting('reader', refTo('CoreLogicalDatabase', 'recipes')));
  cluster.put(
    apps,
    resting('site', { ...refTo('CoreObjectStore', 'files'), build: { cache: true, logStoreRef: { name: 'files' } } }),
  );
  await until(() => caches.get(apps, 'site') && caches.get(objectStores, 'files'), 'everything is cached');

  const ofDatabase = ['CoreApp old connection', 'CoreApp web connection', 'CoreLogicalDatabase recipes server'];
  assert.equal(await dependents('/databases/main'), ofDatabase);
  assert.equal(await dependents('/logical-databases/recipes'), ['CoreApp reader connection']);
  assert.equal(await dependents('/object-stores/files'), ['CoreApp site connection', 'CoreApp site logs']);
  assert.equal(await dependents('/object-stores/disk'), ['CoreObjectStore files server']);

  const { token: observer } = await served.makeToken({ role: 'observer' });
  assert.equal(await dependents('/databases/main', observer), ofDatabase);
  const { token: viewer } = await served.makeToken({ role: 'viewer' });
  assert.equal(await dependents('/databases/main', viewer), ['CoreLogicalDatabase recipes server']);
  assert.equal(await dependents('/object-stores/files', viewer), []);

  const list = reading((path) => served.ask(path));
  assert.equal(await list.pages('/databases/main/dependents?limit=2'), [['old', 'web'], ['recipes']]);
  assert.match(await list.refusal('/databases/none/dependents'), /^404 /);
});

spec('a reference removed from the settings is no longer listed as a dependent', async () => {
  served.world.cluster.put(apps, resting('web'));
  await until(() => served.operator.caches.get(apps, 'web')?.spec.connectionRefs === undefined, 'it is cached');
  assert.equal(await dependents('/databases/main'), ['CoreApp old connection', 'CoreLogicalDatabase recipes server']);
});

spec.run();
