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
import { type LiveDatabase, liveDatabase } from './live.ts';

const spec = suite('the life of a database that a chart installs');

async function living(changes: Partial<DatabaseSpec>, test: (live: LiveDatabase) => Promise<void>) {
  const given = { spec: { deploy: { enabled: true }, ...changes }, annotations: workflow };
  const live = await liveDatabase(given, putDatabaseEnvironment);
  try {
    await live.pass(1);
    await test(live);
  } finally {
    await live.end();
  }
}

const mysql = 'core-mysql-orders';
const redis = 'core-redis-db-orders';

async function readied(live: LiveDatabase, chart: string) {
  await live.edit((world) => chartJob(world, chart, 'Complete'));
  if (chart === mysql) await live.edit((world) => releasedClaim(world, '10Gi'));
  await live.edit((world) => serverPod(world, `${chart}-0`, 'ready'));
  assert.is(live.ready(), 'True DatabaseReady');
}

spec('DB-074 DB-075 DB-085 DB-117 DB-119 DB-190 DB-193 MySQL is installed, starts and is Ready', () =>
  living({ engine: 'MySQL' }, async (live) => {
    assert.is(live.message(), 'Installing MySQL database chart');
    assert.is(chartIn(live.world, mysql)?.spec.targetNamespace, 'shop-production');
    const password = textIn(live.world, 'bootstrap', 'password');
    assert.not.match(chartIn(live.world, mysql)?.spec.valuesContent ?? password, new RegExp(password));
    assert.equal(
      ['mysql-root-password', 'mysql-password', 'mysql-replication-password'].map((key) =>
        textIn(live.world, 'bootstrap', key),
      ),
      [password, password, password],
    );
    await live.edit((world) => {
      chartJob(world, mysql, 'Complete');
      serverPod(world, 'core-mysql-orders-0', 'starting');
    });
    assert.is(live.message(), 'Service is starting');
    await readied(live, mysql);
    assert.is(live.database().status?.host, 'core-mysql-orders.shop-production.svc');
    assert.is(
      textIn(live.world, 'connection', 'uri'),
      `mysql://app:${password}@core-mysql-orders.shop-production.svc:3306/orders`,
    );
  }),
);

spec('DB-079 DB-080 DB-013 DB-191 Redis is installed without a volume, and has a password and no user', () =>
  living({ engine: 'Redis' }, async (live) => {
    assert.is(live.message(), 'Installing Redis database chart');
    await readied(live, redis);
    const password = textIn(live.world, 'bootstrap', 'redis-password');
    assert.is(textIn(live.world, 'connection', 'username'), '');
    assert.is(
      textIn(live.world, 'connection', 'uri'),
      `redis://:${password}@core-redis-db-orders-master.shop-production.svc:6379`,
    );
    assert.is(live.database().metadata.annotations?.['core.platform/storage-class'], '');
    assert.match(JSON.stringify(valuesIn(live.world, redis)), /"persistence":\{"enabled":false\}/);
  }),
);

spec('DB-083 DB-048 DB-076 with high availability MySQL and Redis replicate', async () => {
  await living({ engine: 'MySQL', highAvailability: true }, async (live) => {
    await live.edit((world) => putReport(world, 3));
    await live.pass(31);
    assert.match(
      live.message(),
      /^This MySQL database needs about 750m CPU and 1536Mi memory\. The cluster currently has 4 CPU and 8Gi memory available$/,
    );
  });
  await living({ engine: 'Redis', highAvailability: false, instances: 3 }, (live) =>
    Promise.resolve(assert.is(valuesIn(live.world, redis)['architecture'], 'standalone')),
  );
});

spec('DB-195 a Job that failed, and pods that cannot start, count', () =>
  living({ engine: 'Redis' }, async (live) => {
    await live.edit((world) => chartJob(world, redis, 'Failed'));
    assert.is(live.message(), 'Service failed to start');
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1);
    await live.edit((world) => {
      chartJob(world, redis, 'Complete');
      serverPod(world, 'core-redis-db-orders-master-0', 'crashing');
    });
    assert.is(live.message(), 'Service failed to start');
  }),
);

spec('DB-131 a larger disk grows the claims, because the template of the chart keeps the first size', () =>
  living({ engine: 'MySQL' }, async (live) => {
    await readied(live, mysql);
    await live.edit((world) => putDatabase(world, { storageSize: '20Gi' }));
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.equal(releasedClaims(live.world), ['20Gi']);
    assert.match(JSON.stringify(valuesIn(live.world, mysql)), /"size":"10Gi"/);
  }),
);

spec('DB-147 stopped, MySQL keeps its volume and the Secret with its password, and comes back with them', () =>
  living({ engine: 'MySQL' }, async (live) => {
    await readied(live, mysql);
    const password = textIn(live.world, 'bootstrap', 'password');
    await live.edit((world) => putDatabase(world, { deploy: { enabled: false } }));
    await live.pass(1);
    assert.is(live.phase(), 'Draft');
    assert.equal([chartIn(live.world, mysql), secretIn(live.world, 'connection')], [undefined, undefined]);
    assert.is(textIn(live.world, 'bootstrap', 'password'), password);
    assert.equal(releasedClaims(live.world), ['10Gi']);
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.is(textIn(live.world, 'bootstrap', 'password'), password);
    assert.ok(chartIn(live.world, mysql));
    await live.remove();
    await live.pass(90);
    assert.is(databaseIn(live.world), undefined);
    assert.equal(releasedClaims(live.world), []);
  }),
);

spec('DB-223 deleted, the claims of the chart go after it, and it goes last', () =>
  living({ engine: 'MySQL' }, async (live) => {
    await readied(live, mysql);
    await live.remove();
    await live.pass(90);
    assert.equal(
      [databaseIn(live.world), chartIn(live.world, mysql), secretIn(live.world, 'bootstrap')],
      [undefined, undefined, undefined],
    );
    assert.equal(releasedClaims(live.world), []);
  }),
);

spec.run();
