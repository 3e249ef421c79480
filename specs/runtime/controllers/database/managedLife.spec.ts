import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { cloudConnections } from '../../../../runtime/services/cluster/kinds.ts';

import { databaseIn, putDatabase, secretIn, textIn } from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';
import { calls, counted, failed, living, logins, managedPhase, state } from './managed.ts';

const spec = suite('the life of a managed database');

spec(
  'DB-019 DB-088 DB-089 DB-090 DB-096 DB-097 DB-099 DB-103 DB-228 DB-231 DB-232 DB-030 of MySQL: created with its size, and a password of the main branch in the connection',
  () =>
    living({ clusterSize: 'S_20' }, async (live) => {
      await live.pass(31);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(live.message(), 'ManagedDb database connection is available');
      assert.equal(
        live.world.provider.state.calls.map((call) => call.replace(/core-orders-\S+/, '<login>')),
        ['find orders', 'create orders mysql S_20', 'find orders', 'hasLogin <login>', 'issue mysql <login>'],
      );
      assert.equal(
        ['host', 'port', 'database', 'username', 'password', 'uri'].map((key) => textIn(live.world, 'connection', key)),
        [
          'eu.managed.example',
          '3306',
          'orders',
          'user-1',
          'provided-1',
          'mysql://user-1:provided-1@eu.managed.example:3306/orders',
        ],
      );
      assert.is(live.database().status?.host, 'eu.managed.example');
      assert.is(live.database().status?.connectionSecret, 'orders-connection');
      assert.equal(live.moves('managedDatabase'), [
        '(none) databaseMissing Starting',
        'Starting loginUnclaimed Starting',
        'Starting loginDue LoginIssued',
        'LoginIssued loginStored Ready',
      ]);
      assert.equal([...state(live).tokens], ['id:s3cret']);
    }),
);

spec('DB-089 DB-098 DB-033 DB-088 of Postgres: the name of the spec, no size, and a role', () =>
  living({ engine: 'Postgres', databaseName: 'main-orders' }, async (live) => {
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.equal(calls(live, 'create'), ['create main-orders postgresql']);
    assert.match(calls(live, 'issue')[0] ?? '', /^issue postgresql core-orders-/);
    assert.is(textIn(live.world, 'connection', 'port'), '5432');
    assert.is(
      textIn(live.world, 'connection', 'uri'),
      'postgresql://user-1:provided-1@eu.managed.example:5432/postgres',
    );
  }),
);

spec('DB-227 DB-088 a database of the right kind is used, and not created again', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.equal(calls(live, 'create'), []);
    },
    (world) => void world.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-091 DB-226 DB-197 one of the other kind is refused for good, and not touched', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), 'ManagedDb database "orders" already exists as postgresql, not mysql');
      const asked = state(live).calls.length;
      await live.pass(600);
      assert.is(state(live).calls.length, asked, 'nothing is asked of the provider any more');
      assert.equal([...calls(live, 'create'), ...calls(live, 'issue')], []);
      live.world.provider.databases.delete('orders');
      assert.is(await live.ask('provisionRetry', 'retry'), null);
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady', 'Retry has it looked at again');
    },
    (world) => void world.provider.databases.set('orders', { kind: 'postgresql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-014 DB-225 DB-198 another engine is refused without asking anybody', () =>
  living({ engine: 'Redis' }, async (live) => {
    await live.pass(2);
    assert.is(live.ready(), 'False ProvisionFailed');
    assert.is(live.message(), 'ManagedDb hosts MySQL and Postgres databases, not Redis');
    assert.equal(state(live).calls, []);
    assert.is(managedPhase(live), 'Refused');
    await live.edit((world) => putDatabase(world, { engine: 'Postgres' }));
    await live.pass(40);
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec(
  'DB-093 DB-094 DB-095 DB-143 DB-229 DB-230 starting is waited for 30 minutes, asked every 30 s, and counts then',
  () =>
    living(
      {},
      async (live) => {
        await live.pass(29 * 60);
        assert.is(live.message(), 'ManagedDb database is starting');
        assert.is(counted(live), 0);
        const asked = calls(live, 'find').length;
        assert.ok(asked > 55 && asked < 62, `${asked} in 29 minutes`);
        await live.pass(100);
        assert.is(live.message(), 'ManagedDb database did not become ready within 30m0s');
        assert.ok(counted(live) > 0);
        await live.pass(180);
        assert.is(live.ready(), 'False ProvisionFailed');
        assert.is(managedPhase(live), 'Starting');
        const stopped = state(live).calls.length;
        await live.pass(600);
        assert.is(state(live).calls.length, stopped, 'what was given up is not asked for');
        live.world.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] });
        await live.ask('provisionRetry', 'retry');
        await live.pass(40);
        assert.is(live.ready(), 'True DatabaseReady');
      },
      ({ provider }) => void (provider.state.readyAtOnce = false),
    ),
);

spec('DB-101 DB-234 a deleted connection gets a new login, and the old one is revoked', () =>
  living({}, async (live) => {
    await live.pass(31);
    const before = textIn(live.world, 'connection', 'password');
    await live.remove(owned.secrets, 'orders-connection', 'shop-production');
    await live.pass(5);
    assert.is(live.ready(), 'True DatabaseReady');
    const after = textIn(live.world, 'connection', 'password');
    assert.is.not(after, before);
    assert.equal(
      logins(live).map(({ password }) => password),
      [after],
    );
  }),
);

spec('neither a draft nor a database that only connects asks the provider anything', async () => {
  const draft = { [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'created' };
  await living(
    {},
    async (live) => {
      await live.pass(61);
      assert.is(live.phase(), 'Draft');
      assert.equal(state(live).calls, []);
    },
    () => {},
    { annotations: draft },
  );
  await living({ mode: 'Connect' }, async (live) => {
    await live.pass(61);
    assert.equal(state(live).calls, []);
  });
});

spec('DB-034 DB-090 a changed size resizes nothing', () =>
  living({ clusterSize: 'S_10' }, async (live) => {
    await live.pass(31);
    const asked = state(live).calls.length;
    await live.edit((world) => putDatabase(world, { clusterSize: 'S_20' }));
    await live.pass(60);
    assert.is(state(live).calls.length, asked);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(live.world.provider.databases.get('orders')?.size, 'S_10');
  }),
);

spec('DB-030 it stays the database that was made at the provider, whose login is in use', () =>
  living({ databaseName: 'sales' }, async (live) => {
    await live.pass(31);
    await live.edit((world) => putDatabase(world, { databaseName: 'other' }));
    await live.pass(31);
    assert.is(live.message(), 'the databaseName of a database cannot change (it is sales)');
    assert.equal([...live.world.provider.databases.keys()], ['sales']);
    await live.edit((world) => putDatabase(world, { databaseName: 'sales' }));
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(live.world.provider.databases.get('sales')?.logins.length, 1);
  }),
);

spec('decision 95: deleting it takes back the login and leaves the database', () =>
  living({}, async (live) => {
    await live.pass(31);
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
    assert.equal(logins(live), []);
    assert.ok(live.world.provider.databases.has('orders'));
    assert.is(secretIn(live.world, 'connection'), undefined);
  }),
);

spec('a login that cannot be revoked holds the deletion back, until the connection to the provider goes', () =>
  living({}, async (live) => {
    await live.pass(31);
    state(live).failure = failed(503);
    await live.remove();
    await live.pass(120);
    assert.ok(databaseIn(live.world), 'it waits');
    await live.edit(({ cluster }) => cluster.drop(cloudConnections, 'provider'));
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
  }),
);

spec('stopped, the login goes; deployed again, the same database gets another', () =>
  living({}, async (live) => {
    await live.pass(31);
    await live.edit((world) =>
      putDatabase(world, { deploy: { enabled: false } }, { [annotation.deployWorkflow]: 'true' }),
    );
    await live.pass(31);
    assert.is(live.phase(), 'Draft');
    assert.is(managedPhase(live), undefined);
    assert.equal(logins(live), []);
    assert.is(secretIn(live.world, 'connection'), undefined);
    await live.edit((world) => putDatabase(world, { deploy: { enabled: true } }));
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(calls(live, 'create').length, 1);
    assert.is(logins(live).length, 1);
  }),
);

spec('at rest it asks nothing and writes nothing', () =>
  living({}, async (live) => {
    await live.pass(31);
    const { resourceVersion } = live.database().metadata;
    const asked = state(live).calls.length;
    await live.pass(600);
    assert.is(live.database().metadata.resourceVersion, resourceVersion);
    assert.is(state(live).calls.length, asked);
  }),
);

spec.run();
