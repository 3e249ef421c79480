import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { cloudConnections } from '../../../../runtime/services/cluster/kinds.ts';

import { databaseIn, putDatabase, secretIn, textIn } from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';
import { calls, counted, failed, withSession, logins, managedPhase, state } from './managed.ts';

const spec = suite('the life of a managed database');

spec(
  'DB-019 DB-088 DB-089 DB-090 DB-096 DB-097 DB-099 DB-103 DB-228 DB-231 DB-232 DB-030 a managed MySQL database is created with its size, and its connection has a branch password',
  () =>
    withSession({ clusterSize: 'S_20' }, async (session) => {
      await session.pass(31);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(session.message(), 'ManagedDb database connection is available');
      assert.equal(
        session.environment.provider.state.calls.map((call) => call.replace(/core-orders-\S+/, '<login>')),
        ['find orders', 'create orders mysql S_20', 'find orders', 'hasLogin <login>', 'issue mysql <login>'],
      );
      assert.equal(
        ['host', 'port', 'database', 'username', 'password', 'uri'].map((key) =>
          textIn(session.environment, 'connection', key),
        ),
        [
          'eu.managed.example',
          '3306',
          'orders',
          'user-1',
          'provided-1',
          'mysql://user-1:provided-1@eu.managed.example:3306/orders',
        ],
      );
      assert.is(session.database().status?.host, 'eu.managed.example');
      assert.is(session.database().status?.connectionSecret, 'orders-connection');
      assert.equal(session.moves('managedDatabase'), [
        '(none) databaseMissing Starting',
        'Starting loginUnclaimed Starting',
        'Starting loginDue LoginIssued',
        'LoginIssued loginStored Ready',
      ]);
      assert.equal([...state(session).tokens], ['id:s3cret']);
    }),
);

spec(
  'DB-089 DB-098 DB-033 DB-088 a managed Postgres database is created under its databaseName without a size, with a role',
  () =>
    withSession({ engine: 'Postgres', databaseName: 'main-orders' }, async (session) => {
      await session.pass(31);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.equal(calls(session, 'create'), ['create main-orders postgresql']);
      assert.match(calls(session, 'issue')[0] ?? '', /^issue postgresql core-orders-/);
      assert.is(textIn(session.environment, 'connection', 'port'), '5432');
      assert.is(
        textIn(session.environment, 'connection', 'uri'),
        'postgresql://user-1:provided-1@eu.managed.example:5432/postgres',
      );
    }),
);

spec('DB-227 DB-088 an existing database of the right engine is used and not created', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(2);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.equal(calls(session, 'create'), []);
    },
    (environment) =>
      void environment.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-091 DB-226 DB-197 an existing database of the other engine is refused and left unchanged', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(2);
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.is(session.message(), 'ManagedDb database "orders" already exists as postgresql, not mysql');
      const asked = state(session).calls.length;
      await session.pass(600);
      assert.is(state(session).calls.length, asked, 'nothing is asked of the provider any more');
      assert.equal([...calls(session, 'create'), ...calls(session, 'issue')], []);
      session.environment.provider.databases.delete('orders');
      assert.is(await session.ask('provisionRetry', 'retry'), null);
      await session.pass(40);
      assert.is(session.ready(), 'True DatabaseReady', 'Retry has it looked at again');
    },
    (environment) =>
      void environment.provider.databases.set('orders', { kind: 'postgresql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-014 DB-225 DB-198 an engine that the provider does not host is refused without a request', () =>
  withSession({ engine: 'Redis' }, async (session) => {
    await session.pass(2);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.is(session.message(), 'ManagedDb hosts MySQL and Postgres databases, not Redis');
    assert.equal(state(session).calls, []);
    assert.is(managedPhase(session), 'Refused');
    await session.edit((environment) => putDatabase(environment, { engine: 'Postgres' }));
    await session.pass(40);
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec(
  'DB-093 DB-094 DB-095 DB-143 DB-229 DB-230 a starting managed database is checked every 30 s and counts failures after 30 minutes',
  () =>
    withSession(
      {},
      async (session) => {
        await session.pass(29 * 60);
        assert.is(session.message(), 'ManagedDb database is starting');
        assert.is(counted(session), 0);
        const asked = calls(session, 'find').length;
        assert.ok(asked > 55 && asked < 62, `${asked} in 29 minutes`);
        await session.pass(100);
        assert.is(session.message(), 'ManagedDb database did not become ready within 30m0s');
        assert.ok(counted(session) > 0);
        await session.pass(180);
        assert.is(session.ready(), 'False ProvisionFailed');
        assert.is(managedPhase(session), 'Starting');
        const stopped = state(session).calls.length;
        await session.pass(600);
        assert.is(state(session).calls.length, stopped, 'what was given up is not asked for');
        session.environment.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] });
        await session.ask('provisionRetry', 'retry');
        await session.pass(40);
        assert.is(session.ready(), 'True DatabaseReady');
      },
      ({ provider }) => void (provider.state.readyAtOnce = false),
    ),
);

spec('DB-101 DB-234 a deleted connection gets a new login, and the old one is revoked', () =>
  withSession({}, async (session) => {
    await session.pass(31);
    const before = textIn(session.environment, 'connection', 'password');
    await session.remove(owned.secrets, 'orders-connection', 'shop-production');
    await session.pass(5);
    assert.is(session.ready(), 'True DatabaseReady');
    const after = textIn(session.environment, 'connection', 'password');
    assert.is.not(after, before);
    assert.equal(
      logins(session).map(({ password }) => password),
      [after],
    );
  }),
);

spec('a draft and a database that only connects send no requests to the provider', async () => {
  const draft = { [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'created' };
  await withSession(
    {},
    async (session) => {
      await session.pass(61);
      assert.is(session.phase(), 'Draft');
      assert.equal(state(session).calls, []);
    },
    () => {},
    { annotations: draft },
  );
  await withSession({ mode: 'Connect' }, async (session) => {
    await session.pass(61);
    assert.equal(state(session).calls, []);
  });
});

spec('DB-034 DB-090 a changed clusterSize does not resize a managed database', () =>
  withSession({ clusterSize: 'S_10' }, async (session) => {
    await session.pass(31);
    const asked = state(session).calls.length;
    await session.edit((environment) => putDatabase(environment, { clusterSize: 'S_20' }));
    await session.pass(60);
    assert.is(state(session).calls.length, asked);
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(session.environment.provider.databases.get('orders')?.size, 'S_10');
  }),
);

spec('DB-030 a managed database keeps its database at the provider while its login is in use', () =>
  withSession({ databaseName: 'sales' }, async (session) => {
    await session.pass(31);
    await session.edit((environment) => putDatabase(environment, { databaseName: 'other' }));
    await session.pass(31);
    assert.is(session.message(), 'the databaseName of a database cannot change (it is sales)');
    assert.equal([...session.environment.provider.databases.keys()], ['sales']);
    await session.edit((environment) => putDatabase(environment, { databaseName: 'sales' }));
    await session.pass(31);
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(session.environment.provider.databases.get('sales')?.logins.length, 1);
  }),
);

spec('decision 95: deleting a managed database revokes the login and leaves the database', () =>
  withSession({}, async (session) => {
    await session.pass(31);
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
    assert.equal(logins(session), []);
    assert.ok(session.environment.provider.databases.has('orders'));
    assert.is(secretIn(session.environment, 'connection'), undefined);
  }),
);

spec('a login that cannot be revoked delays the deletion until its connection is deleted', () =>
  withSession({}, async (session) => {
    await session.pass(31);
    state(session).failure = failed(503);
    await session.remove();
    await session.pass(120);
    assert.ok(databaseIn(session.environment), 'it waits');
    await session.edit(({ cluster }) => cluster.drop(cloudConnections, 'provider'));
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
  }),
);

spec('the login is revoked when a managed database is stopped, and another one is issued on the next deploy', () =>
  withSession({}, async (session) => {
    await session.pass(31);
    await session.edit((environment) =>
      putDatabase(environment, { deploy: { enabled: false } }, { [annotation.deployWorkflow]: 'true' }),
    );
    await session.pass(31);
    assert.is(session.phase(), 'Draft');
    assert.is(managedPhase(session), undefined);
    assert.equal(logins(session), []);
    assert.is(secretIn(session.environment, 'connection'), undefined);
    await session.edit((environment) => putDatabase(environment, { deploy: { enabled: true } }));
    await session.pass(31);
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(calls(session, 'create').length, 1);
    assert.is(logins(session).length, 1);
  }),
);

spec('a managed database at rest sends no requests and no writes', () =>
  withSession({}, async (session) => {
    await session.pass(31);
    const { resourceVersion } = session.database().metadata;
    const asked = state(session).calls.length;
    await session.pass(600);
    assert.is(session.database().metadata.resourceVersion, resourceVersion);
    assert.is(state(session).calls.length, asked);
  }),
);

spec.run();
