import * as assert from 'uvu/assert';
import { coreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { databaseIn, putDatabase, secretIn, textIn } from '../../../support/database.ts';
import {
  chartIn,
  chartJob,
  putDefinition,
  serverClaim,
  serverIn,
  serverPod,
  serverMessage,
} from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { type DatabaseSession, databaseSession } from './session.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';

const spec = suite('the life of a Postgres database');

const healthy = { phase: 'Cluster in healthy state', readyInstances: 1, currentPrimary: 'orders-1' };

async function withSession(
  changes: Partial<DatabaseSpec>,
  test: (session: DatabaseSession) => Promise<void>,
  operator = true,
) {
  const session = await databaseSession({ spec: { engine: 'Postgres', ...changes } }, (environment) => {
    putDatabaseEnvironment(environment);
    if (operator) putDefinition(environment);
  });
  try {
    await session.pass(1);
    await test(session);
  } finally {
    await session.end();
  }
}

const runs = (session: DatabaseSession) =>
  session.edit((environment) => {
    serverPod(environment, 'orders-1', 'ready');
    serverMessage(environment, healthy);
  });

spec(
  'DB-071 DB-073 DB-117 DB-119 DB-189 DB-192 DB-214 a Postgres database is Ready when its operator and its server are installed',
  () =>
    withSession(
      {},
      async (session) => {
        assert.is(session.message(), 'Installing Postgres operator chart');
        assert.is(chartIn(session.environment, 'core-pg-operator')?.spec.targetNamespace, 'cnpg-system');
        assert.is(serverIn(session.environment), undefined);
        const password = textIn(session.environment, 'bootstrap', 'password');
        assert.ok(password);
        await session.edit((environment) => chartJob(environment, 'core-pg-operator', 'Complete'));
        await session.edit(putDefinition);
        await session.pass(31);
        assert.is(session.message(), 'Postgres database is starting');
        assert.ok(serverIn(session.environment));
        await runs(session);
        assert.equal([session.ready(), session.message()], ['True DatabaseReady', 'Database connection is available']);
        assert.is(session.database().status?.host, 'orders-rw.shop-production.svc');
        assert.is(
          textIn(session.environment, 'connection', 'uri'),
          `postgresql://app:${password}@orders-rw.shop-production.svc:5432/orders`,
        );
      },
      false,
    ),
);

spec('nothing is installed when an operator for Postgres exists', () =>
  withSession({}, async (session) => {
    assert.is(chartIn(session.environment, 'core-pg-operator'), undefined);
    assert.ok(serverIn(session.environment));
  }),
);

spec('a phase that the operator does not leave counts as failures until the database fails', () =>
  withSession({}, async (session) => {
    await session.edit((environment) =>
      serverMessage(environment, { phase: 'Cluster is unrecoverable and needs manual intervention' }),
    );
    assert.is(session.message(), 'Service failed to start');
    await session.pass(150);
    assert.is(session.phase(), 'ProvisionFailed');
  }),
);

spec('DB-046 becoming Ready needs every instance, staying Ready the primary', () =>
  withSession({ instances: 3 }, async (session) => {
    await runs(session);
    assert.is(session.message(), 'Postgres database is starting');
    await session.edit((environment) => serverMessage(environment, { ...healthy, readyInstances: 3 }));
    assert.is(session.ready(), 'True DatabaseReady');
    await session.edit((environment) =>
      serverMessage(environment, { ...healthy, phase: 'Failing over', readyInstances: 1 }),
    );
    assert.is(session.ready(), 'True DatabaseReady');
    await session.edit((environment) => serverPod(environment, 'orders-1', 'starting'));
    assert.is(session.ready(), 'False ReconcileError');
  }),
);

spec('DB-124 LDB-040 the administrator login of a server exists while the server has a logical database', () =>
  withSession({}, async (session) => {
    const superuser = () => JSON.stringify(serverIn(session.environment)).includes('"enableSuperuserAccess":true');
    assert.not.ok(superuser());
    await session.edit(
      ({ cluster }) =>
        void cluster.put(logicalDatabases, {
          ...typeMeta(coreLogicalDatabase),
          metadata: { name: 'sales', namespace: 'core-system' },
          spec: { project: 'shop', environment: 'production', serverRef: 'orders', databaseName: 'sales' },
        }),
    );
    assert.ok(superuser());
    await session.edit(({ cluster }) => cluster.drop(logicalDatabases, 'sales'));
    assert.not.ok(superuser());
  }),
);

spec('a reserved database name fails at once, and nothing is created', () =>
  withSession({ databaseName: 'Postgres' }, async (session) => {
    assert.equal(
      [session.ready(), session.message()],
      ['False ProvisionFailed', 'databaseName Postgres is a database of the server itself'],
    );
    assert.is(serverIn(session.environment), undefined);
    await session.edit((environment) => putDatabase(environment, { databaseName: 'a;b' }));
    assert.match(session.message(), /^databaseName must begin with a letter/);
    await session.edit((environment) => putDatabase(environment, { databaseName: '_a-b' }));
    assert.ok(serverIn(session.environment));
  }),
);

spec('the version of a Postgres database can be raised but not lowered', () =>
  withSession({ version: '16' }, async (session) => {
    await runs(session);
    await session.edit((environment) => putDatabase(environment, { version: '15' }));
    assert.is(session.message(), 'the version of a database can only rise (it runs 16)');
    await session.edit((environment) => putDatabase(environment, { version: '17' }));
    assert.match(JSON.stringify(serverIn(session.environment)), /postgresql:17"/);
  }),
);

spec('DB-030 a changed databaseName is refused while the server keeps its data', () =>
  withSession({ databaseName: 'sales', deploy: { enabled: true } }, async (session) => {
    await runs(session);
    const before = JSON.stringify(serverIn(session.environment));
    await session.edit((environment) => putDatabase(environment, { databaseName: 'other' }));
    assert.equal(
      [session.ready(), session.message()],
      ['False ProvisionFailed', 'the databaseName of a database cannot change (it is sales)'],
    );
    assert.is(textIn(session.environment, 'connection', 'database'), 'sales');
    assert.is(JSON.stringify(serverIn(session.environment)), before);
    await session.edit((environment) => putDatabase(environment, { databaseName: 'sales' }));
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('a lost bootstrap Secret is restored from the connection, and no new password is drawn over a volume', () =>
  withSession({}, async (session) => {
    await runs(session);
    const password = textIn(session.environment, 'connection', 'password');
    await session.remove(owned.secrets, 'orders-bootstrap', 'shop-production');
    await session.pass(1);
    assert.is(textIn(session.environment, 'bootstrap', 'password'), password);
    const claim = {
      metadata: {
        name: 'orders-1',
        namespace: 'shop-production',
        labels: { ...serverIn(session.environment)?.metadata.labels },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Cluster', name: 'orders', uid: 'u', controller: true }],
      },
    };
    await session.edit((environment) => putDatabase(environment, {}, { 'core.platform/paused': 'true' }));
    await session.edit(({ cluster }) => {
      cluster.collects(false);
      cluster.put(owned.claims, claim);
      cluster.drop(owned.secrets, 'orders-connection', 'shop-production');
      cluster.drop(owned.secrets, 'orders-bootstrap', 'shop-production');
    });
    await session.edit((environment) => putDatabase(environment, {}, { 'core.platform/paused': null }));
    await session.pass(1);
    assert.match(session.message(), /^the password of PersistentVolumeClaim shop-production\/orders-1 is lost/);
    assert.is(secretIn(session.environment, 'bootstrap'), undefined);
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
  }),
);

spec(
  'DB-142 DB-223 DB-223a the deletion of a database waits for the volumes of its operator and names the remaining ones',
  () =>
    withSession({}, async (session) => {
      await runs(session);
      await session.edit((environment) => {
        environment.cluster.collects(false);
        serverClaim(environment, 'orders-1');
      });
      await session.remove();
      await session.pass(31);
      assert.is(session.phase(), 'Deleting');
      assert.is(session.message(), 'Database is being deleted');
      assert.is(serverIn(session.environment), undefined);
      assert.is(
        await session.explained('database'),
        'still being deleted: PersistentVolumeClaim shop-production/orders-1',
      );
      await session.edit(({ cluster }) => cluster.drop(owned.claims, 'orders-1', 'shop-production'));
      await session.pass(31);
      assert.is(databaseIn(session.environment), undefined);
    }),
);

spec('DB-223 a Postgres database is gone when all its resources are deleted', () =>
  withSession({}, async (session) => {
    await runs(session);
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
    assert.equal([serverIn(session.environment), secretIn(session.environment, 'bootstrap')], [undefined, undefined]);
  }),
);

spec.run();
