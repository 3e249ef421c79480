import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import {
  databaseIn,
  putDatabase,
  putReport,
  putDatabaseEnvironment,
  secretIn,
  textIn,
  workflow,
} from '../../../support/database.ts';
import { chartIn, chartJob, releasedClaim, releasedClaims, serverPod, valuesIn } from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('the life of a database that a chart installs');

async function withSession(changes: Partial<DatabaseSpec>, test: (session: DatabaseSession) => Promise<void>) {
  const given = { spec: { deploy: { enabled: true }, ...changes }, annotations: workflow };
  const session = await databaseSession(given, putDatabaseEnvironment);
  try {
    await session.pass(1);
    await test(session);
  } finally {
    await session.end();
  }
}

const mysql = 'core-mysql-orders';
const redis = 'core-redis-db-orders';

async function readied(session: DatabaseSession, chart: string) {
  await session.edit((world) => chartJob(world, chart, 'Complete'));
  if (chart === mysql) await session.edit((world) => releasedClaim(world, '10Gi'));
  await session.edit((world) => serverPod(world, `${chart}-0`, 'ready'));
  assert.is(session.ready(), 'True DatabaseReady');
}

spec('DB-074 DB-075 DB-085 DB-117 DB-119 DB-190 DB-193 MySQL is installed, starts and is Ready', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    assert.is(session.message(), 'Installing MySQL database chart');
    assert.is(chartIn(session.world, mysql)?.spec.targetNamespace, 'shop-production');
    const password = textIn(session.world, 'bootstrap', 'password');
    assert.not.match(chartIn(session.world, mysql)?.spec.valuesContent ?? password, new RegExp(password));
    assert.equal(
      ['mysql-root-password', 'mysql-password', 'mysql-replication-password'].map((key) =>
        textIn(session.world, 'bootstrap', key),
      ),
      [password, password, password],
    );
    await session.edit((world) => {
      chartJob(world, mysql, 'Complete');
      serverPod(world, 'core-mysql-orders-0', 'starting');
    });
    assert.is(session.message(), 'Service is starting');
    await readied(session, mysql);
    assert.is(session.database().status?.host, 'core-mysql-orders.shop-production.svc');
    assert.is(
      textIn(session.world, 'connection', 'uri'),
      `mysql://app:${password}@core-mysql-orders.shop-production.svc:3306/orders`,
    );
  }),
);

spec('DB-079 DB-080 DB-013 DB-191 Redis is installed without a volume, and has a password and no user', () =>
  withSession({ engine: 'Redis' }, async (session) => {
    assert.is(session.message(), 'Installing Redis database chart');
    await readied(session, redis);
    const password = textIn(session.world, 'bootstrap', 'redis-password');
    assert.is(textIn(session.world, 'connection', 'username'), '');
    assert.is(
      textIn(session.world, 'connection', 'uri'),
      `redis://:${password}@core-redis-db-orders-master.shop-production.svc:6379`,
    );
    assert.is(session.database().metadata.annotations?.['core.platform/storage-class'], '');
    assert.match(JSON.stringify(valuesIn(session.world, redis)), /"persistence":\{"enabled":false\}/);
  }),
);

spec('DB-083 DB-048 DB-076 with high availability MySQL and Redis replicate', async () => {
  await withSession({ engine: 'MySQL', highAvailability: true }, async (session) => {
    await session.edit((world) => putReport(world, 3));
    await session.pass(31);
    assert.match(
      session.message(),
      /^This MySQL database needs about 750m CPU and 1536Mi memory\. The cluster currently has 4 CPU and 8Gi memory available$/,
    );
  });
  await withSession({ engine: 'Redis', highAvailability: false, instances: 3 }, (session) =>
    Promise.resolve(assert.is(valuesIn(session.world, redis)['architecture'], 'standalone')),
  );
});

spec('DB-195 a Job that failed, and pods that cannot start, count', () =>
  withSession({ engine: 'Redis' }, async (session) => {
    await session.edit((world) => chartJob(world, redis, 'Failed'));
    assert.is(session.message(), 'Service failed to start');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    await session.edit((world) => {
      chartJob(world, redis, 'Complete');
      serverPod(world, 'core-redis-db-orders-master-0', 'crashing');
    });
    assert.is(session.message(), 'Service failed to start');
  }),
);

spec('DB-131 a larger disk grows the claims, because the template of the chart keeps the first size', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    await session.edit((world) => putDatabase(world, { storageSize: '20Gi' }));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.equal(releasedClaims(session.world), ['20Gi']);
    assert.match(JSON.stringify(valuesIn(session.world, mysql)), /"size":"10Gi"/);
  }),
);

spec('DB-147 stopped, MySQL keeps its volume and the Secret with its password, and comes back with them', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    const password = textIn(session.world, 'bootstrap', 'password');
    await session.edit((world) => putDatabase(world, { deploy: { enabled: false } }));
    await session.pass(1);
    assert.is(session.phase(), 'Draft');
    assert.equal([chartIn(session.world, mysql), secretIn(session.world, 'connection')], [undefined, undefined]);
    assert.is(textIn(session.world, 'bootstrap', 'password'), password);
    assert.equal(releasedClaims(session.world), ['10Gi']);
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.is(textIn(session.world, 'bootstrap', 'password'), password);
    assert.ok(chartIn(session.world, mysql));
    await session.remove();
    await session.pass(90);
    assert.is(databaseIn(session.world), undefined);
    assert.equal(releasedClaims(session.world), []);
  }),
);

spec('DB-223 deleted, the claims of the chart go after it, and it goes last', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    await session.remove();
    await session.pass(90);
    assert.equal(
      [databaseIn(session.world), chartIn(session.world, mysql), secretIn(session.world, 'bootstrap')],
      [undefined, undefined, undefined],
    );
    assert.equal(releasedClaims(session.world), []);
  }),
);

spec.run();
