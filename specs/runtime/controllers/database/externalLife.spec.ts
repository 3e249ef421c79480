import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { helmCharts } from '../../../../runtime/owned/addonKinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { counted } from '../../../bench/counted.ts';
import { databaseIn, putDatabase, putDatabaseEnvironment, standing, textIn } from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('the life of an external database');

const external: Partial<DatabaseSpec> = {
  engine: 'MySQL',
  placement: 'External',
  externalHost: 'db.example',
  externalPort: 3307,
  username: 'shop',
  databaseName: 'orders',
  passwordSecretRef: { name: 'orders-password', key: '' },
};

const putPassword = ({ cluster }: TestEnvironment, password: string): void =>
  void cluster.put(secrets, {
    metadata: { name: 'orders-password', namespace: 'core-system' },
    data: { password: Buffer.from(password).toString('base64') },
  });

async function withSession(changes: Partial<DatabaseSpec>, test: (session: DatabaseSession) => Promise<void>) {
  const session = await databaseSession({ spec: { ...external, ...changes } }, (environment) => {
    putDatabaseEnvironment(environment);
    putPassword(environment, 's/cret');
  });
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

spec(
  'DB-215 DB-086 DB-087 DB-017 DB-043 DB-041 an external database is Ready at once with only its connection Secret',
  () =>
    withSession({}, async (session) => {
      await session.pass(1);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(session.message(), 'External database connection is available');
      assert.equal(standing(session.environment), ['Secret orders-connection']);
      assert.is(textIn(session.environment, 'connection', 'uri'), 'mysql://shop:s%2Fcret@db.example:3307/orders');
      assert.equal(
        ['host', 'port', 'database', 'username', 'password'].map((key) =>
          textIn(session.environment, 'connection', key),
        ),
        ['db.example', '3307', 'orders', 'shop', 's/cret'],
      );
      assert.is(session.database().status?.host, 'db.example');
      assert.not.match(JSON.stringify(session.database().status), /s\/cret/);
    }),
);

spec('an external Postgres server needs no operator in the cluster', () =>
  withSession({ engine: 'Postgres' }, async (session) => {
    await session.pass(1);
    assert.is(session.ready(), 'True DatabaseReady');
    assert.equal(session.environment.cluster.all(helmCharts), []);
  }),
);

spec('DB-020 a provider is a label of the message', () =>
  withSession({ provider: 'CloudRds' }, async (session) => {
    await session.pass(1);
    assert.is(session.message(), 'CloudRds database connection is available');
  }),
);

spec('DB-214a a changed password is adopted', () =>
  withSession({}, async (session) => {
    await session.pass(1);
    await session.edit((environment) => putPassword(environment, 'other'));
    assert.is(textIn(session.environment, 'connection', 'password'), 'other');
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('DB-152 DB-086 an external database reports a missing field at once and is Ready when the field is set', () =>
  withSession({ externalHost: '', username: '' }, async (session) => {
    await session.pass(1);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.is(session.message(), 'an external database needs host, username');
    await session.edit((environment) => putDatabase(environment, { externalHost: 'db.example', username: 'shop' }));
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('DB-022 connecting to a database of ManagedDb needs no provider', () =>
  withSession({ provider: 'ManagedDb', mode: 'Connect' }, async (session) => {
    await session.pass(1);
    assert.is(session.message(), 'ManagedDb database connection is available');
    assert.equal(session.environment.provider.state.calls, []);
  }),
);

spec('a missing password counts as a failure, and the database is Ready when the password exists', () =>
  withSession({}, async (session) => {
    await session.edit((environment) => environment.cluster.drop(secrets, 'orders-password', 'core-system'));
    await session.pass(1);
    assert.is(session.message(), 'the Secret "orders-password" with the password is missing, or has no such key');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    await session.edit((environment) => putPassword(environment, 'later'));
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(textIn(session.environment, 'connection', 'password'), 'later');
  }),
);

spec('DB-223 an external database is deleted together with its Secret', () =>
  withSession({}, async (session) => {
    await session.pass(1);
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
    assert.equal(standing(session.environment), []);
  }),
);

/** What it runs on, and then what its backups consist of; each is a search of its own, and both have Secrets. */
const ofWorkload = ['clusters', 'helmcharts', 'deployments', 'services', 'persistentvolumeclaims', 'secrets'];
const ofBackups = ['cronjobs', 'jobs', 'scheduledbackups', 'backups', 'secrets'];
const looked = [...ofWorkload, ...ofBackups].map((plural) => `list ${plural}`);

/** The direct reads of a database from its deletion to its end. */
async function readsOfEnd(given: Parameters<typeof databaseSession>[0]) {
  let reads: readonly string[] = [];
  const noted = (cluster: ClusterShape) => {
    const calls = counted(cluster);
    reads = calls.reads;
    return calls.cluster;
  };
  const prepare = (environment: TestEnvironment) => {
    putDatabaseEnvironment(environment);
    putPassword(environment, 's/cret');
  };
  const session = await databaseSession(given, prepare, noted);
  await session.pass(1);
  const before = reads.length;
  await session.remove();
  await session.pass(31);
  assert.is(databaseIn(session.environment), undefined);
  await session.end();
  // A cache lists without selecting an owner.
  const own = reads.slice(before).filter((read) => read.startsWith('get ') || read.includes(label.name));
  return own.map((read) => read.split(' ').slice(0, 2).join(' '));
}

spec(
  'DB-223 the owned Secret is read directly once before its deletion, and searched once before the database is gone',
  async () => {
    assert.equal(await readsOfEnd({ spec: external }), ['get coredatabases', ...looked]);
    const draft = { spec: external, annotations: { [annotation.deployWorkflow]: 'true' } };
    assert.equal(await readsOfEnd(draft), ['get coredatabases', ...looked]);
  },
);

spec.run();
