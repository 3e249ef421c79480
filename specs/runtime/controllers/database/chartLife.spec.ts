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

const spec = suite('the life of a database installed by a chart');

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
  await session.edit((environment) => chartJob(environment, chart, 'Complete'));
  if (chart === mysql) await session.edit((environment) => releasedClaim(environment, '10Gi'));
  await session.edit((environment) => serverPod(environment, `${chart}-0`, 'ready'));
  assert.is(session.ready(), 'True DatabaseReady');
}

spec('DB-074 DB-075 DB-085 DB-117 DB-119 DB-190 DB-193 MySQL is installed, starts and is Ready', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    assert.is(session.message(), 'Installing MySQL database chart');
    assert.is(chartIn(session.environment, mysql)?.spec.targetNamespace, 'shop-production');
    const password = textIn(session.environment, 'bootstrap', 'password');
    assert.not.match(chartIn(session.environment, mysql)?.spec.valuesContent ?? password, new RegExp(password));
    assert.equal(
      ['mysql-root-password', 'mysql-password', 'mysql-replication-password'].map((key) =>
        textIn(session.environment, 'bootstrap', key),
      ),
      [password, password, password],
    );
    await session.edit((environment) => {
      chartJob(environment, mysql, 'Complete');
      serverPod(environment, 'core-mysql-orders-0', 'starting');
    });
    assert.is(session.message(), 'Service is starting');
    await readied(session, mysql);
    assert.is(session.database().status?.host, 'core-mysql-orders.shop-production.svc');
    assert.is(
      textIn(session.environment, 'connection', 'uri'),
      `mysql://app:${password}@core-mysql-orders.shop-production.svc:3306/orders`,
    );
  }),
);

spec('DB-079 DB-080 DB-013 DB-191 Redis is installed without a volume, and has a password and no user', () =>
  withSession({ engine: 'Redis' }, async (session) => {
    assert.is(session.message(), 'Installing Redis database chart');
    await readied(session, redis);
    const password = textIn(session.environment, 'bootstrap', 'redis-password');
    assert.is(textIn(session.environment, 'connection', 'username'), '');
    assert.is(
      textIn(session.environment, 'connection', 'uri'),
      `redis://:${password}@core-redis-db-orders-master.shop-production.svc:6379`,
    );
    assert.is(session.database().metadata.annotations?.['core.platform/storage-class'], '');
    assert.match(JSON.stringify(valuesIn(session.environment, redis)), /"persistence":\{"enabled":false\}/);
  }),
);

spec('DB-083 DB-048 DB-076 MySQL and Redis replicate when high availability is enabled', async () => {
  await withSession({ engine: 'MySQL', highAvailability: true }, async (session) => {
    await session.edit((environment) => putReport(environment, 3));
    await session.pass(31);
    assert.match(
      session.message(),
      /^This MySQL database needs about 750m CPU and 1536Mi memory\. The cluster currently has 4 CPU and 8Gi memory available$/,
    );
  });
  await withSession({ engine: 'Redis', highAvailability: false, instances: 3 }, (session) =>
    Promise.resolve(assert.is(valuesIn(session.environment, redis)['architecture'], 'standalone')),
  );
});

spec('DB-195 a failed chart Job or a crashing pod counts as a failure', () =>
  withSession({ engine: 'Redis' }, async (session) => {
    await session.edit((environment) => chartJob(environment, redis, 'Failed'));
    assert.is(session.message(), 'Service failed to start');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    await session.edit((environment) => {
      chartJob(environment, redis, 'Complete');
      serverPod(environment, 'core-redis-db-orders-master-0', 'crashing');
    });
    assert.is(session.message(), 'Service failed to start');
  }),
);

spec('DB-131 a larger disk grows the claims, because the template of the chart keeps the first size', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    await session.edit((environment) => putDatabase(environment, { storageSize: '20Gi' }));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.equal(releasedClaims(session.environment), ['20Gi']);
    assert.match(JSON.stringify(valuesIn(session.environment, mysql)), /"size":"10Gi"/);
  }),
);

spec('DB-147 a stopped MySQL keeps its volume and password, and uses them when it is deployed', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    const password = textIn(session.environment, 'bootstrap', 'password');
    await session.edit((environment) => putDatabase(environment, { deploy: { enabled: false } }));
    await session.pass(1);
    assert.is(session.phase(), 'Draft');
    assert.equal(
      [chartIn(session.environment, mysql), secretIn(session.environment, 'connection')],
      [undefined, undefined],
    );
    assert.is(textIn(session.environment, 'bootstrap', 'password'), password);
    assert.equal(releasedClaims(session.environment), ['10Gi']);
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.is(textIn(session.environment, 'bootstrap', 'password'), password);
    assert.ok(chartIn(session.environment, mysql));
    await session.remove();
    await session.pass(90);
    assert.is(databaseIn(session.environment), undefined);
    assert.equal(releasedClaims(session.environment), []);
  }),
);

spec('DB-223 a deleted MySQL database is gone after its chart and the claims of the chart', () =>
  withSession({ engine: 'MySQL' }, async (session) => {
    await readied(session, mysql);
    await session.remove();
    await session.pass(90);
    assert.equal(
      [
        databaseIn(session.environment),
        chartIn(session.environment, mysql),
        secretIn(session.environment, 'bootstrap'),
      ],
      [undefined, undefined, undefined],
    );
    assert.equal(releasedClaims(session.environment), []);
  }),
);

spec.run();
