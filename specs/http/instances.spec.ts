import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import type {
  BuildExplanation,
  Explanation,
  Instance,
  InstanceRead,
  Items,
  Machine,
  Traces,
  Transitions,
} from '../../http/api.ts';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { coreProject, type CoreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { databaseIn, databaseName, putDatabase, putDatabaseEnvironment, workflow } from '../support/database.ts';
import { inSystem } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { listenTo } from './listener.ts';
import { passwordHash, serveEverything, type Served } from './served.ts';

const instances = suite('instances of every machine');
const id = `coredatabases:${databaseName}`;
/** A database and a project of the same name, which two kinds may have. */
const twin = `coreprojects:${databaseName}`;
/** No provider creates it, so it is no instance of that machine. */
const machinesOfIt = ['draftDeploy', 'provisionRetry', 'database', 'databaseBackup'];
let served: Served;

instances.before.each(async () => {
  served = await serveEverything({ viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
  putDatabaseEnvironment(served.world);
  served.world.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem(databaseName),
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  });
  putDatabase(served.world, {}, workflow);
  await until(() => databaseIn(served.world)?.status?.phase === 'Draft', 'the draft is processed');
  await until(() => served.operator.caches.get(projects, databaseName)?.status?.phase, 'so is its namesake');
});
instances.after.each(() => served.stop());

const path = (machine: string, of: string, part = '') => `/api/v1/machines/${machine}/instances/${of}${part}`;
/** Removes what changes with time between two reads. */
const withoutTimes = ({ facts = {}, ...told }: Partial<Explanation>) => ({
  ...told,
  now: '',
  observedAt: '',
  nextLook: '',
  facts: Object.keys(facts),
});

async function read<T>(from: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const { status, text, json } = await served.ask(from, { headers });
  assert.is(status, 200, `${from}: ${text}`);
  return json() as T;
}

instances('a machine of several kinds is listed once with the instances of all of them', async () => {
  const { items } = await read<Items<Machine>>('/api/v1/machines');
  assert.is(new Set(items.map(({ name }) => name)).size, items.length);
  assert.equal(
    items.filter(({ kinds }) => kinds.length > 1).map(({ name, kinds }) => [name, ...kinds]),
    [
      ['draftDeploy', 'CoreApp', 'CoreObjectStore', 'CoreDatabase'],
      ['provisionRetry', 'CoreApp', 'CoreObjectStore', 'CoreProject', 'CoreDatabase', 'CoreLogicalDatabase'],
    ],
  );
  const retries = items.find(({ name }) => name === 'provisionRetry');
  const counted = Object.values(retries?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  assert.is(counted, 3);
  assert.equal(await read('/api/v1/machines/provisionRetry'), retries);
});

instances('a project and a database of one name are two instances in lists, traces and by id', async () => {
  const listed = await read<Items<Instance>>('/api/v1/machines/provisionRetry/instances');
  assert.equal(
    listed.items.map((one) => [one.id, one.kind, one.name]),
    [
      [id, 'CoreDatabase', databaseName],
      [twin, 'CoreProject', databaseName],
      ['coreprojects:shop', 'CoreProject', 'shop'],
    ],
  );
  const traces = await read<Traces>('/api/v1/machines/provisionRetry/transitions');
  assert.equal(
    traces.items.map((one) => one.id),
    listed.items.map((one) => one.id),
  );
  for (const of of [id, twin]) {
    const { others, ...one } = await read<InstanceRead>(path('provisionRetry', of));
    assert.is(one.id, of);
    assert.equal(
      others.map(({ machine }) => machine),
      of === id ? ['draftDeploy', 'database', 'databaseBackup'] : ['projectReady'],
    );
  }
});

instances('an instance shows its state, the reason and its moves, in any of its machines', async () => {
  const one = await read<InstanceRead>(path('database', id));
  assert.equal([one.state, one.shown, one.project, one.environment], ['Draft', 'Draft', 'shop', 'production']);
  assert.equal(one.columns, { engine: 'SQLite' }, 'the columns of its kind and of no other');
  assert.equal(
    one.others.map(({ machine, state }) => [machine, state]),
    [
      ['draftDeploy', 'Draft'],
      ['provisionRetry', 'Clean'],
      ['databaseBackup', 'NoBackup'],
    ],
  );
  const { state, restsUntil, tried, facts, machine } = await read<Explanation>(path('database', id, '/explain'));
  assert.equal([machine, state], ['database', 'Draft']);
  assert.ok(restsUntil);
  assert.ok(tried.length > 0 && 'gate' in facts);
  const { items } = await read<Transitions>(path('database', id, '/transitions'));
  assert.equal(
    items.map(({ machine, from, to, row }) => [machine, from, to, row]),
    [['database', '(none)', 'Draft', 'DB-206']],
  );
});

instances('a build is explained equally under its machine and its own path', async () => {
  const build = await served.addApp('shop');
  await until(() => served.operator.caches.get(databases, databaseName), 'it is cached');
  const [ownPath, genericPath] = [`/api/v1/builds/${build}`, path('build', `corebuilds:${build}`)];
  await until(() => served.world.build(build)?.status?.phase === 'Running', 'the build runs');
  for (const part of ['/transitions', '/explain']) {
    // The own path of a build answers with its causes too, and with the explanation as a list.
    const reads = async (from: string) => {
      const told = withoutTimes(await read<Partial<BuildExplanation>>(`${from}${part}`));
      return part === '/explain' ? { ...told, causes: undefined, chain: undefined, items: undefined } : told;
    };
    const [own, generic] = await until(async () => {
      const [before, between, after] = [await reads(ownPath), await reads(genericPath), await reads(ownPath)];
      return isDeepStrictEqual(before, after) ? [before, between] : null;
    }, 'the build does not move while it is read');
    assert.equal(generic, own);
  }
});

instances('the path of a database explains all its machines in the order that they step', async () => {
  const own = (part: string) => `/api/v1/databases/${databaseName}${part}`;
  const { items } = await read<Items<Explanation>>(own('/explain'));
  assert.equal(
    items.map(({ machine }) => machine),
    machinesOfIt,
  );
  for (const explanation of items)
    assert.equal(
      withoutTimes(explanation),
      withoutTimes(await read<Explanation>(path(explanation.machine, id, '/explain'))),
    );
  const { items: moves } = await read<Transitions>(own('/transitions'));
  assert.equal(
    moves.map(({ machine, to, row }) => [machine, to, row]),
    [
      ['draftDeploy', 'Draft', moves[0]?.row],
      ['database', 'Draft', 'DB-206'],
    ],
  );
  // `look` is the same under its earlier name.
  for (const route of ['/reconcile', '/look']) {
    const reconciled = await served.post(own(route), {});
    assert.equal(reconciled.json(), { name: databaseName, state: 'Draft', note: 'It is being checked now.' });
  }
  for (const part of ['/explain', '/transitions']) {
    const { status, json } = await served.ask(`/api/v1/databases/none${part}`);
    assert.equal([status, json()], [404, { error: 'database "none" was not found' }]);
  }
});

instances('a deleted instance shows its last state and its moves and has no passes', async () => {
  const moved = (await read<Transitions>(path('database', id, '/transitions'))).items;
  served.world.cluster.drop(databases, databaseName);
  const gone = await until(async () => {
    const one = await read<InstanceRead>(path('database', id));
    return one.deletedAt === undefined ? null : one;
  }, 'the deletion is announced');
  assert.equal([gone.id, gone.state, gone.since, gone.others], [id, '(deleted)', gone.deletedAt, []]);
  const { items } = await read<Transitions>(path('database', id, '/transitions'));
  assert.equal(items.slice(0, moved.length), moved);
  assert.is((await served.ask(path('database', id, '/explain'))).status, 404);
  assert.is((await served.post(path('database', id, '/reconcile'), {})).status, 404);
  const again = await served.ask(path('database', `coredatabases:${databaseName}:0`));
  assert.is(again.status, 404, 'it has no items');
});

instances('a missing instance answers 404 with a text', async () => {
  const missing = (of: string) => `instance "${of}" of the machine database was not found`;
  for (const of of ['coredatabases:none', twin, databaseName, 'coredatabases', ':', 'secrets:core-auth'])
    for (const part of ['', '/explain', '/transitions']) {
      const { status, json } = await served.ask(path('database', of, part));
      assert.equal([status, json()], [404, { error: missing(of) }], `${of}${part}`);
    }
  assert.equal((await served.post(path('database', twin, '/reconcile'), {})).json(), { error: missing(twin) });
  const { status, json } = await served.ask(path('tokens', id));
  assert.equal([status, json()], [404, { error: 'machine "tokens" was not found' }]);
});

instances('an admin requests a pass over an instance in any of its machines', async () => {
  const { status, json } = await served.post(path('draftDeploy', id, '/reconcile'), {});
  assert.equal([status, json()], [200, { name: databaseName, state: 'Draft', note: 'It is being checked now.' }]);
  assert.ok(databaseIn(served.world)?.metadata.annotations?.[annotation.lookAt]);
});

instances('AUT-031 AUT-063 a hidden instance answers a viewer like a missing one', async () => {
  const database = databaseIn(served.world);
  const history = database?.status?.history?.map((move) => ({ ...move, text: 'it is at hush.example' })) ?? [];
  served.world.cluster.put(databases, { ...database, status: { ...database?.status, history } } as CoreDatabase);
  const cookie = served.cookieOf({ username: 'viewer', role: 'viewer' });
  const hush = async (headers: Readonly<Record<string, string>>) =>
    Promise.all(
      machinesOfIt.flatMap((machine) =>
        ['', '/explain', '/transitions'].map(async (part) =>
          JSON.stringify(await read(path(machine, id, part), headers)),
        ),
      ),
    );
  await until(
    () => JSON.stringify(served.operator.caches.get(databases, databaseName)).includes('hush.example'),
    'the host is cached',
  );
  assert.match((await hush({})).join(''), 'hush.example');
  assert.not.match((await hush({ cookie })).join(''), /hush|SQLite/);
  assert.is((await served.post(path('database', id, '/reconcile'), {}, { cookie })).status, 403);
});

instances('the stream names the kind of moved and deleted instances', async () => {
  const stream = await listenTo(`${served.url}/api/v1/events`, { cookie: served.cookieOf() });
  const pause = { 'core.platform/paused': 'true' };
  const project = served.world.cluster.all(projects).find(({ metadata }) => metadata.name === databaseName);
  served.world.cluster.put(projects, {
    ...project,
    metadata: { ...project?.metadata, annotations: pause },
  } as CoreProject);
  const paused = await stream.until(({ event, data }) => event === 'instance' && data['paused'] === true, 'the pause');
  assert.equal([paused.data['id'], paused.data['kind']], [twin, 'CoreProject']);
  served.world.cluster.drop(databases, databaseName);
  await until(
    () => stream.of('deleted').length === machinesOfIt.length,
    'every machine of the database announces the deletion',
  );
  const gone = stream.heard.filter(({ event }) => event === 'deleted');
  assert.equal(
    gone.map(({ data }) => [data['id'], data['kind'], data['machine']]),
    machinesOfIt.map((machine) => [id, 'CoreDatabase', machine]),
  );
  const ended = stream.of('move').find(({ data }) => data['to'] === '(deleted)');
  assert.equal([ended?.data['id'], ended?.data['machine']], [id, 'database']);
  assert.is(new Set(gone.map((one) => one.id)).size, machinesOfIt.length, 'none is dropped for the id of another');
  stream.close();
});

instances('an absent or deleted state is counted, listed and filtered by its own name', async () => {
  served.world.cluster.put(databases, {
    ...databaseIn(served.world),
    metadata: { name: 'unborn', namespace: 'core-system', annotations: { 'core.platform/paused': 'true' } },
    status: {},
  } as CoreDatabase);
  await until(() => served.operator.caches.get(databases, 'unborn'), 'it is cached');
  const { counts } = await read<Machine>('/api/v1/machines/database');
  assert.equal(counts, { Draft: 1, '(none)': 1 });
  const { items } = await read<Items<Instance>>('/api/v1/machines/database/instances?state=(none)');
  assert.equal(
    items.map(({ name, state }) => [name, state]),
    [['unborn', '(none)']],
  );
  const { next } = await read<Explanation>(path('database', 'coredatabases:unborn', '/explain'));
  assert.equal(
    next.map(({ row }) => row),
    ['DB-206', 'DB-207'],
  );
});

instances.run();
