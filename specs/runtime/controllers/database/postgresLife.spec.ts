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
  serverSays,
} from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';

const spec = suite('the life of a Postgres database');

const healthy = { phase: 'Cluster in healthy state', readyInstances: 1, currentPrimary: 'orders-1' };

async function living(changes: Partial<DatabaseSpec>, test: (live: LiveDatabase) => Promise<void>, operator = true) {
  const live = await liveDatabase({ spec: { engine: 'Postgres', ...changes } }, (world) => {
    putDatabaseEnvironment(world);
    if (operator) putDefinition(world);
  });
  try {
    await live.pass(1);
    await test(live);
  } finally {
    await live.end();
  }
}

const runs = (live: LiveDatabase) =>
  live.edit((world) => {
    serverPod(world, 'orders-1', 'ready');
    serverSays(world, healthy);
  });

spec(
  'DB-071 DB-073 DB-117 DB-119 DB-189 DB-192 DB-214 the operator is installed, then the server, then it is Ready',
  () =>
    living(
      {},
      async (live) => {
        assert.is(live.message(), 'Installing Postgres operator chart');
        assert.is(chartIn(live.world, 'core-pg-operator')?.spec.targetNamespace, 'cnpg-system');
        assert.is(serverIn(live.world), undefined);
        const password = textIn(live.world, 'bootstrap', 'password');
        assert.ok(password);
        await live.edit((world) => chartJob(world, 'core-pg-operator', 'Complete'));
        await live.edit(putDefinition);
        await live.pass(31);
        assert.is(live.message(), 'Postgres database is starting');
        assert.ok(serverIn(live.world));
        await runs(live);
        assert.equal([live.ready(), live.message()], ['True DatabaseReady', 'Database connection is available']);
        assert.is(live.database().status?.host, 'orders-rw.shop-production.svc');
        assert.is(
          textIn(live.world, 'connection', 'uri'),
          `postgresql://app:${password}@orders-rw.shop-production.svc:5432/orders`,
        );
      },
      false,
    ),
);

spec('where somebody else installed the operator, nothing is installed', () =>
  living({}, async (live) => {
    assert.is(chartIn(live.world, 'core-pg-operator'), undefined);
    assert.ok(serverIn(live.world));
  }),
);

spec('a phase that the operator does not leave counts, until it is given up', () =>
  living({}, async (live) => {
    await live.edit((world) => serverSays(world, { phase: 'Cluster is unrecoverable and needs manual intervention' }));
    assert.is(live.message(), 'Service failed to start');
    await live.pass(150);
    assert.is(live.phase(), 'ProvisionFailed');
  }),
);

spec('DB-046 becoming Ready needs every instance, staying Ready the primary', () =>
  living({ instances: 3 }, async (live) => {
    await runs(live);
    assert.is(live.message(), 'Postgres database is starting');
    await live.edit((world) => serverSays(world, { ...healthy, readyInstances: 3 }));
    assert.is(live.ready(), 'True DatabaseReady');
    await live.edit((world) => serverSays(world, { ...healthy, phase: 'Failing over', readyInstances: 1 }));
    assert.is(live.ready(), 'True DatabaseReady');
    await live.edit((world) => serverPod(world, 'orders-1', 'starting'));
    assert.is(live.ready(), 'False ReconcileError');
  }),
);

spec('DB-124 LDB-040 the login of its administrator exists while a logical database is on it', () =>
  living({}, async (live) => {
    const superuser = () => JSON.stringify(serverIn(live.world)).includes('"enableSuperuserAccess":true');
    assert.not.ok(superuser());
    await live.edit(
      ({ cluster }) =>
        void cluster.put(logicalDatabases, {
          ...typeMeta(coreLogicalDatabase),
          metadata: { name: 'sales', namespace: 'core-system' },
          spec: { project: 'shop', environment: 'production', serverRef: 'orders', databaseName: 'sales' },
        }),
    );
    assert.ok(superuser());
    await live.edit(({ cluster }) => cluster.drop(logicalDatabases, 'sales'));
    assert.not.ok(superuser());
  }),
);

spec('a name that the server keeps for itself ends it, and nothing is made', () =>
  living({ databaseName: 'Postgres' }, async (live) => {
    assert.equal(
      [live.ready(), live.message()],
      ['False ProvisionFailed', 'databaseName Postgres is a database of the server itself'],
    );
    assert.is(serverIn(live.world), undefined);
    await live.edit((world) => putDatabase(world, { databaseName: 'a;b' }));
    assert.match(live.message(), /^databaseName must begin with a letter/);
    await live.edit((world) => putDatabase(world, { databaseName: '_a-b' }));
    assert.ok(serverIn(live.world));
  }),
);

spec('the version rises and does not fall', () =>
  living({ version: '16' }, async (live) => {
    await runs(live);
    await live.edit((world) => putDatabase(world, { version: '15' }));
    assert.is(live.message(), 'the version of a database can only rise (it runs 16)');
    await live.edit((world) => putDatabase(world, { version: '17' }));
    assert.match(JSON.stringify(serverIn(live.world)), /postgresql:17"/);
  }),
);

spec('DB-030 the database inside is the one that the server was made with, until a stop takes its data', () =>
  living({ databaseName: 'sales', deploy: { enabled: true } }, async (live) => {
    await runs(live);
    const before = JSON.stringify(serverIn(live.world));
    await live.edit((world) => putDatabase(world, { databaseName: 'other' }));
    assert.equal(
      [live.ready(), live.message()],
      ['False ProvisionFailed', 'the databaseName of a database cannot change (it is sales)'],
    );
    assert.is(textIn(live.world, 'connection', 'database'), 'sales');
    assert.is(JSON.stringify(serverIn(live.world)), before);
    await live.edit((world) => putDatabase(world, { databaseName: 'sales' }));
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec('a lost bootstrap is written again from the connection, and never drawn anew over a volume', () =>
  living({}, async (live) => {
    await runs(live);
    const password = textIn(live.world, 'connection', 'password');
    await live.remove(owned.secrets, 'orders-bootstrap', 'shop-production');
    await live.pass(1);
    assert.is(textIn(live.world, 'bootstrap', 'password'), password);
    const claim = {
      metadata: {
        name: 'orders-1',
        namespace: 'shop-production',
        labels: { ...serverIn(live.world)?.metadata.labels },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Cluster', name: 'orders', uid: 'u', controller: true }],
      },
    };
    await live.edit((world) => putDatabase(world, {}, { 'core.platform/paused': 'true' }));
    await live.edit(({ cluster }) => {
      cluster.collects(false);
      cluster.put(owned.claims, claim);
      cluster.drop(owned.secrets, 'orders-connection', 'shop-production');
      cluster.drop(owned.secrets, 'orders-bootstrap', 'shop-production');
    });
    await live.edit((world) => putDatabase(world, {}, { 'core.platform/paused': null }));
    await live.pass(1);
    assert.match(live.message(), /^the password of PersistentVolumeClaim shop-production\/orders-1 is lost/);
    assert.is(secretIn(live.world, 'bootstrap'), undefined);
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1);
  }),
);

spec('DB-142 DB-223 DB-223a its deletion waits for the volumes that its operator made, and tells which remain', () =>
  living({}, async (live) => {
    await runs(live);
    await live.edit((world) => {
      world.cluster.collects(false);
      serverClaim(world, 'orders-1');
    });
    await live.remove();
    await live.pass(31);
    assert.is(live.phase(), 'Deleting');
    assert.is(live.message(), 'Database is being deleted');
    assert.is(serverIn(live.world), undefined);
    assert.is(await live.explained('database'), 'still being deleted: PersistentVolumeClaim shop-production/orders-1');
    await live.edit(({ cluster }) => cluster.drop(owned.claims, 'orders-1', 'shop-production'));
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
  }),
);

spec('DB-223 deleted, it goes when nothing is left of it', () =>
  living({}, async (live) => {
    await runs(live);
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
    assert.equal([serverIn(live.world), secretIn(live.world, 'bootstrap')], [undefined, undefined]);
  }),
);

spec.run();
