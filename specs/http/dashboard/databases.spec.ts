import * as assert from 'uvu/assert';
import type { Explanation, Read, Summary } from '../../../http/api.ts';
import { storageNotes } from '../../../http/dashboard/pages/database/model.ts';
import {
  databaseGoes,
  databaseStays,
  keptAfter,
  lastBackupOf,
  namesBy,
  stopGoes,
  stopStays,
  usersOf,
} from '../../../http/dashboard/pages/database/text.ts';
import { discardsAt } from '../../../http/dashboard/model/databaseDiscard.ts';
import {
  databaseAtOnce,
  databaseBody,
  databaseOnDeploy,
  frozenOf,
  isStopped,
} from '../../../http/dashboard/model/databaseSettings.ts';
import { endpointOf } from '../../../http/dashboard/model/endpoint.ts';
import { logicalGoes, logicalStays } from '../../../http/dashboard/pages/logicalDatabase/model.ts';
import {
  clusterEntries,
  emptyResource,
  externalEntries,
  logicalMade,
  newResourceBody,
  type ResourceEntry,
  resourceProblem,
  serverEntries,
} from '../../../http/dashboard/pages/addResource/model.ts';
import { resourceSummary } from '../../../http/dashboard/model/resource.ts';
import { kindOf, kindsIn } from '../../../http/dashboard/model/resourceFilter.ts';
import { valuesOf } from '../../../http/dashboard/model/settings.ts';
import { readinessOf, sharedServerBody, emptyServer } from '../../../http/dashboard/pages/sharedServers/model.ts';
import { endWord } from '../../../http/dashboard/pages/database/sql/text.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const databases = suite('database pages');

const place = { project: 'shop', environment: 'production' };
const database = (engine: string, over: Partial<Summary> = {}, details: object = {}): Summary =>
  summary('orders', { kind: 'CoreDatabase', details: { engine, placement: 'InCluster', ...details }, ...over });
const read = (resource: Summary, spec: object = {}, status: object = {}): Read => ({
  resource,
  spec: { ...spec },
  status: { ...status },
});
function entryOf(key: string): ResourceEntry {
  const entry = [...clusterEntries, ...externalEntries].find((one) => one.key === key);
  if (!entry) throw new Error(`there is no entry ${key}`);
  return entry;
}
const bodyOf = (key: string, typed = emptyResource) => newResourceBody(entryOf(key), typed, place, 'draft');

databases('a stopped database has no endpoint although its status keeps the host', () => {
  const runs = database('SQLite', { state: 'ready' }, { host: 'orders.shop.svc' });
  const stopped = { ...runs, state: 'draft' } as const;
  assert.equal([endpointOf(runs), endpointOf(stopped)], ['orders.shop.svc', '']);
  assert.equal(
    [runs, stopped, database('SQLite', { state: 'draft' })].map((resource) => isStopped({ resource })),
    [false, true, false],
  );
});

databases(
  'UI-009 UI-010 UI-012 UI-013 a new database is an in-cluster draft with default resources, disk and backups',
  () => {
    const expected = {
      ...place,
      placement: 'InCluster',
      resources: { requests: { cpu: '250m', memory: '512Mi' } },
      storageSize: '10Gi',
      backup: { enabled: true, retentionDays: 7 },
      draft: true,
    };
    assert.equal(bodyOf('Postgres'), { ...expected, engine: 'Postgres' });
    assert.equal(bodyOf('MySQL'), { ...expected, engine: 'MySQL' });
    const { storageSize: _, backup: __, ...without } = expected;
    assert.equal(bodyOf('Redis'), { ...without, engine: 'Redis' });
  },
);

databases('UI-011 a new SQLite database has smaller default resources and disk, with backups', () => {
  const body = bodyOf('SQLite');
  assert.equal(body['resources'], { requests: { cpu: '100m', memory: '128Mi' } });
  assert.is(body['storageSize'], '1Gi');
  assert.equal(body['backup'], { enabled: true, retentionDays: 7 });
});

databases('UI-014 a new external database sends its placement and only the fields entered', () => {
  for (const engine of ['Postgres', 'MySQL', 'SQLite', 'Redis'])
    assert.equal(bodyOf(`external-${engine}`), { ...place, engine, placement: 'External', draft: true });
  const typed = { ...emptyResource, name: 'crm', host: ' db.example.com ', port: '5433', passwordSecret: 'crm-login' };
  assert.equal(bodyOf('external-Postgres', typed), {
    ...place,
    name: 'crm',
    engine: 'Postgres',
    placement: 'External',
    externalHost: 'db.example.com',
    externalPort: 5433,
    passwordSecretRef: { name: 'crm-login', key: '' },
    draft: true,
  });
  assert.match(String(resourceProblem({ ...emptyResource, name: 'Orders' })), /lowercase/);
  assert.match(String(resourceProblem({ ...emptyResource, port: '0' })), /65535/);
  assert.is(resourceProblem(emptyResource), null);
});

const shared = (over: Partial<Summary> = {}, details: object = {}) =>
  database('Postgres', { name: 'common', displayName: 'common', project: '', environment: '', ...over }, details);
const offered = (servers: readonly Summary[], region = 'eu') =>
  serverEntries(servers, place, region).map(({ label, refused }) => [label, refused]);

databases('LDB-090 a logical database is not offered without a server, and the entry gives the reason', () => {
  assert.equal(offered([]), [['Logical database', 'Create a database server first']]);
  const others = [
    database('Redis'),
    database('SQLite'),
    database('Postgres', { environment: 'staging' }),
    database('Postgres', {}, { placement: 'External' }),
  ];
  assert.equal(offered(others), [['Logical database', 'Create a database server first']]);
});

databases(
  'UI-016 UI-017 a logical database is offered on ready servers of the environment and shared servers of the region',
  () => {
    assert.equal(offered([database('MySQL'), shared()]), [
      ['Logical database on orders', null],
      ['Shared server common', null],
    ]);
    assert.is(offered([shared({}, { region: 'eu' })]).length, 1);
    assert.is(offered([shared({}, { region: 'eu' })])[0]?.[1], null);
    assert.equal(offered([shared({}, { region: 'us' })]), [['Logical database', 'Create a database server first']]);
    assert.equal(offered([shared({ state: 'pending' })]), [
      ['Shared server common', 'The server is pending: it has to be ready first.'],
    ]);
  },
);

databases(
  'UI-015 UI-018 a new logical database is named app, uses the chosen server and is announced to start at once',
  () => {
    const [entry] = serverEntries([shared()], place, '');
    assert.ok(entry);
    assert.equal(newResourceBody(entry, emptyResource, place, 'draft'), {
      ...place,
      server: 'common',
      databaseName: 'app',
    });
    assert.is(logicalMade, 'Saved as a draft. Core starts creating it at once.');
  },
);

databases('UI-020 UI-021 UI-022 a new shared server has no project, deploys at once and may have a region', () => {
  const body = sharedServerBody({ ...emptyServer, region: 'eu', highAvailability: true });
  assert.equal(body, {
    engine: 'Postgres',
    placement: 'InCluster',
    storageSize: '10Gi',
    serverRegion: 'eu',
    highAvailability: true,
    instances: 3,
    deploy: true,
  });
  const single = sharedServerBody(emptyServer);
  assert.is(single.highAvailability, false);
  assert.not.ok('instances' in single);
  assert.not.ok('serverRegion' in single);
});

databases('a readiness report is shown unchanged, with defaults before the first check', () => {
  assert.equal(readinessOf(null), { healthyNodes: 0, ready: false, checkedAt: null });
  assert.equal(readinessOf({ healthyNodes: 3, ready: true, checkedAt: '2026-11-23T06:00:00.000Z' }), {
    healthyNodes: 3,
    ready: true,
    checkedAt: '2026-11-23T06:00:00.000Z',
  });
});

const fresh = read(database('Postgres', { state: 'draft' }), { version: '16' });
const running = read(
  database('Postgres'),
  { version: '16', storageSize: '10Gi', resources: { requests: { cpu: '200m', memory: '512Mi' } } },
  { targetNamespace: 'shop-production' },
);
const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);

databases(
  'UI-023 UI-024 UI-025 UI-026 version, resources and storage are saved at their fields and wait for a deploy',
  () => {
    const fields = databaseOnDeploy(running);
    assert.equal(names(fields), ['version', 'cpu', 'memory', 'storageSize']);
    const before = valuesOf(fields, running);
    const body = (change: Readonly<Record<string, string>>) => databaseBody(fields, before, { ...before, ...change });
    assert.equal(body({}), {});
    assert.equal(body({ version: '17' }), { version: '17' });
    assert.equal(body({ cpu: '500m' }), { resources: { requests: { cpu: '500m', memory: '512Mi' } } });
    assert.equal(body({ storageSize: '20Gi' }), { storageSize: '20Gi' });
    const optionsOf = (name: string) =>
      (fields.find((field) => field.name === name)?.options ?? []).map((one) =>
        typeof one === 'string' ? one : one.label,
      );
    assert.equal(optionsOf('cpu'), ['0.1 CPU', '0.25 CPU', '0.5 CPU', '1 CPU', '2 CPU', '200m']);
    assert.equal(optionsOf('memory'), ['128 MB', '256 MB', '512 MB', '1 GB', '2 GB', '4 GB']);
  },
);

databases(
  'UI-027 the node tags of a database are a setting before the first deploy and a fixed fact afterwards',
  () => {
    assert.ok(names(databaseOnDeploy(fresh)).includes('runOn'));
    assert.equal(names(frozenOf(fresh)), ['Engine']);
    assert.not.ok(names(databaseOnDeploy(running)).includes('runOn'));
    assert.equal(names(frozenOf(running)), ['Engine', 'Run on']);
    const fields = databaseOnDeploy(fresh);
    const before = valuesOf(fields, fresh);
    assert.equal(databaseBody(fields, before, { ...before, runOn: 'ssd, eu' }), { runOn: { tags: ['ssd', 'eu'] } });
  },
);

databases('UI-028 backup settings apply at once, only for a database with backups', () => {
  const fields = databaseAtOnce(running);
  const before = valuesOf(fields, running);
  assert.equal(databaseBody(fields, before, { ...before, enabled: 'on' }), {
    backup: { enabled: true, retentionDays: 7 },
  });
  assert.equal(databaseAtOnce(read(database('Redis'))), []);
  assert.equal(databaseAtOnce(read(database('Postgres', {}, { placement: 'External' }))), []);
  assert.equal(databaseAtOnce(read(shared())), [], 'a shared server has no place for backups');
});

databases('a discard restores all reversible settings with one request', () => {
  const change = (path: string, deployed: unknown) => ({ path, kind: 'settings', deployed, saved: 'x' }) as const;
  assert.equal(
    discardsAt({ kind: 'CoreDatabase', name: 'orders' }, [
      change('spec.version', '16'),
      change('spec.resources.requests.cpu', '250m'),
      change('spec.runOn', null),
    ]),
    [
      {
        method: 'PATCH',
        path: '/api/v1/databases/orders',
        body: { version: '16', resources: { requests: { cpu: '250m' } } },
      },
    ],
  );
  assert.equal(discardsAt({ kind: 'CoreDatabase', name: 'orders' }, [change('spec.runOn', null)]), []);
});

databases('a stop and a deletion list what is lost, and the disk of MySQL survives only a stop', () => {
  const lost = 'all its data, on every disk';
  assert.ok(stopGoes(database('Postgres')).includes(lost));
  assert.ok(stopGoes(database('SQLite')).includes(lost));
  assert.not.ok(stopGoes(database('MySQL')).includes(lost));
  assert.ok(stopStays(database('MySQL')).includes('its disk, and the data on it'));
  const none = { logical: [], services: [] };
  for (const engine of ['Postgres', 'MySQL', 'SQLite'])
    assert.ok(databaseGoes(database(engine), none).includes(lost), engine);
  const external = database('Postgres', {}, { placement: 'External' });
  assert.equal(databaseGoes(external, none), ['its connection Secret']);
  assert.ok(databaseStays(external).includes('the database itself, which runs elsewhere'));
  assert.equal(logicalGoes(true)[0], 'the database with all its data, and its login');
  assert.ok(logicalStays(false).includes('the database and its data on the server'), 'LDB-057');
});

databases('BAK-018 BAK-019 a deletion shows the final backup, its longest wait and the retention', () => {
  const saved = database('Postgres', {}, { backup: { state: 'Protected', archive: 'orders-01234567' } });
  assert.is(
    databaseStays(saved)[0],
    'its backups, for 7 days; a last one is taken first, which the deletion waits for up to ten minutes',
  );
  assert.ok(stopStays(saved).includes('its backups, for 7 days'));
  const now = Date.parse('2026-11-24T03:00:00Z');
  assert.equal(keptAfter(saved, now), { keptUntil: '2026-12-01T03:00:00.000Z' });
  for (const backup of [null, { state: 'NeedsStorage' }]) {
    const unsaved = database('Postgres', {}, { backup });
    assert.not.match([...databaseStays(unsaved), ...stopStays(unsaved)].join(), 'backup');
    assert.equal(keptAfter(unsaved, now), {});
  }
});

databases('services that use a connection are named before the logical databases', () => {
  const of = (by: 'connection' | 'server', name: string) => ({ kind: '', name, project: '', environment: '', by });
  const services = namesBy('connection', [of('connection', 'web'), of('server', 'app')]);
  assert.equal(services, ['web']);
  assert.equal(usersOf({ services, logical: ['app'] }), ['service web', 'logical database app']);
  assert.is(lastBackupOf(database('Redis', {}, { backup: null })), undefined);
  assert.is(lastBackupOf(database('MySQL', {}, { backup: { state: 'Starting' } })), null);
  const at = '2026-11-23T02:11:00Z';
  assert.is(lastBackupOf(database('MySQL', {}, { backup: { state: 'Protected', lastBackupTime: at } })), at);
});

const explanation = (over: Partial<Explanation>): Explanation => ({
  name: 'orders',
  machine: 'database',
  state: 'Provisioning',
  shown: 'Provisioning',
  since: '2026-11-23T06:00:00.000Z',
  now: '2026-11-23T06:01:00.000Z',
  paused: false,
  text: 'the storage class is missing',
  decision: { is: 'rests' },
  restsUntil: null,
  tried: [],
  facts: {},
  notes: [],
  next: [],
  ...over,
});

databases('a database summary shows its sentence, start, failures and the deadline of its storage', () => {
  const waiting = read(
    database('Postgres', { state: 'pending', message: 'Storage is starting' }),
    {},
    {
      reconcileRetry: { reconcileFailures: 3 },
      provision: {
        provisionAttempts: [{ id: 'a', startedAt: '2026-11-23T06:00:00.000Z', phase: 'Running', errors: [] }],
      },
    },
  );
  const next = '2026-11-23T06:01:21.000Z';
  assert.equal(resourceSummary(waiting, 'database', [explanation({ nextCheckAt: next })]), {
    sentence: 'Storage is starting',
    since: '2026-11-23T06:00:00.000Z',
    nextCheck: { at: next, everyMs: undefined },
    notes: ['counted failures 3 of 5'],
  });
  assert.equal(storageNotes(waiting), [
    { text: 'The storage class is missing; failures are counted in', until: '2026-11-23T06:15:00.000Z' },
  ]);
  assert.equal(storageNotes(running), []);
});

databases('a statement ends with its number of lines, time and a failed exit code', () => {
  const ended = { output: 'a\nb\n', truncated: false, exitCode: 0 };
  assert.is(endWord(ended, 120), '2 lines in 0.1 s');
  assert.is(endWord({ ...ended, truncated: true }, 2_000), '2 lines in 2.0 s, cut off at 1 MiB');
  assert.is(endWord({ ...ended, exitCode: 3 }, 0), 'exit code 3 in 0.0 s');
});

databases('a list distinguishes the kinds of resources, and a hidden engine is no kind of its own', () => {
  const all = [database('Postgres'), summary('web', { details: { source: 'image' } }), database('')];
  assert.equal(kindsIn(all), ['Postgres', 'database', 'image']);
  assert.is(kindOf(summary('x', { kind: 'CoreLogicalDatabase' })), 'logical');
});

databases.run();
