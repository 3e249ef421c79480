import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { chartDefinition } from '../../../../rules/database/charts.ts';
import { chartDefinitions } from '../../../../runtime/controllers/database/kinds.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Unavailable, type ClusterShape, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabase, putReport, putDatabaseEnvironment, secretIn, textIn } from '../../../support/database.ts';
import {
  putDefinition,
  serverClaim,
  serverIn,
  serverPod,
  serverMessage,
  writesLead,
} from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { type DatabaseSession, databaseSession } from './session.ts';
import { storageClasses } from '../../../../runtime/owned/addonKinds.ts';

const spec = suite('changes of a Postgres database under the real operator');

const healthy = (primary: string, readyInstances: number) => ({
  phase: 'Cluster in healthy state',
  readyInstances,
  currentPrimary: primary,
});

interface PostgresOptions {
  readonly before?: (environment: TestEnvironment) => void;
  readonly through?: (cluster: ClusterShape) => ClusterShape;
}

async function withSession(
  changes: Partial<DatabaseSpec>,
  test: (session: DatabaseSession) => Promise<void>,
  { before, through }: PostgresOptions = {},
) {
  const session = await databaseSession(
    { spec: { engine: 'Postgres', ...changes } },
    (environment) => {
      putDatabaseEnvironment(environment);
      putDefinition(environment);
      before?.(environment);
    },
    through,
  );
  try {
    await session.pass(1);
    await test(session);
  } finally {
    await session.end();
  }
}

/** Fails the applies of servers while it holds. */
const failing =
  (failure: Unavailable | Refused, holds = () => true) =>
  (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    apply: (resource, ...given) =>
      holds() && resource.plural === 'clusters' ? Effect.fail(failure) : cluster.apply(resource, ...given),
  });

const runs = (session: DatabaseSession, instances = 1) =>
  session.edit((environment) => {
    for (let at = 1; at <= instances; at++) serverPod(environment, `orders-${at}`, 'ready');
    serverMessage(environment, healthy('orders-1', instances));
  });

const failures = (session: DatabaseSession) => session.database().status?.reconcileRetry?.reconcileFailures ?? 0;
const workflow = { 'core.platform/deploy-workflow': 'true' };

const putNodes = ({ cluster }: TestEnvironment) => {
  for (const name of ['two', 'three'])
    cluster.put(clusterNodes, {
      metadata: { name, labels: { 'core.platform/region': 'local' } },
      status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
    });
};

const report = (healthyNodes: number) => (environment: TestEnvironment) => putReport(environment, healthyNodes);

spec('DB-046 a database is Ready after a failover with its new primary, however many instances are missing', () =>
  withSession({ instances: 2 }, async (session) => {
    await runs(session, 2);
    assert.is(session.ready(), 'True DatabaseReady');
    await session.edit((environment) => {
      serverPod(environment, 'orders-1', 'starting');
      writesLead(environment, false);
    });
    assert.equal([session.ready(), session.message()], ['False ReconcileError', 'Postgres database is starting']);
    const failing = { ...healthy('orders-1', 1), phase: 'Failing over', targetPrimary: 'orders-2' };
    await session.edit((environment) => serverMessage(environment, failing));
    assert.is(session.ready(), 'False ReconcileError');
    await session.edit((environment) =>
      serverMessage(environment, { ...healthy('orders-2', 1), phase: 'Waiting for the instances' }),
    );
    assert.is(session.ready(), 'True DatabaseReady');
    await session.edit((environment) => writesLead(environment, false));
    assert.is(session.ready(), 'False ReconcileError', 'the Service for writes leads nowhere');
  }),
);

spec('DB-025 DB-179 the readiness report gates enabling high availability, and not a database that runs with it', () =>
  withSession(
    { highAvailability: true },
    async (session) => {
      const needsNodes = 'High availability requires a cluster with at least three healthy nodes';
      assert.is(session.message(), needsNodes);
      await session.edit(putNodes);
      await session.edit(report(3));
      await runs(session, 3);
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(session.database().status?.running?.highAvailability, true);
      await session.edit(report(2));
      assert.is(session.ready(), 'True DatabaseReady');
      await session.edit((environment) => putDatabase(environment, { highAvailability: false }));
      await runs(session, 1);
      assert.is(session.database().status?.running?.highAvailability, false);
      await session.edit((environment) => putDatabase(environment, { highAvailability: true }));
      assert.is(session.message(), needsNodes);
    },
    { before: report(2) },
  ),
);

spec('DB-133 DB-135 more storage than the storage class allows fails a database until it is reverted', () => {
  const fixedClass = {
    metadata: { name: 'fixed', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  };
  return withSession(
    { storageSize: '10Gi' },
    async (session) => {
      await runs(session);
      await session.edit((environment) => putDatabase(environment, { storageSize: '20Gi' }));
      const message = "this cluster's storage can't be resized, so a deployed database stays at 10Gi";
      assert.equal([session.ready(), session.message()], ['False ProvisionFailed', message]);
      assert.match(JSON.stringify(serverIn(session.environment)), /"size":"10Gi"/);
      assert.is(session.database().status?.running?.storageSize, '10Gi');
      await session.edit((environment) => putDatabase(environment, { storageSize: '10Gi' }));
      assert.is(session.ready(), 'True DatabaseReady');
    },
    { before: ({ cluster }) => void cluster.put(storageClasses, fixedClass) },
  );
});

spec('DB-045 a version counts as running when the server reports it, and may be reverted before', () =>
  withSession({ version: '15' }, async (session) => {
    await runs(session);
    assert.is(session.database().status?.running?.version, '15');
    await session.edit((environment) => putDatabase(environment, { version: '16' }));
    const image = () => /postgresql:(\d+)/.exec(JSON.stringify(serverIn(session.environment)))?.[1];
    assert.is(image(), '16');
    await session.edit((environment) =>
      serverMessage(environment, {
        ...healthy('orders-1', 0),
        pgDataImageInfo: { majorVersion: 15 },
        phase: 'Upgrading',
      }),
    );
    assert.is(session.database().status?.running?.version, '15');
    await session.edit((environment) => putDatabase(environment, { version: '15' }));
    assert.equal([session.message(), image()].includes('the version of a database can only rise (it runs 16)'), false);
    assert.is(image(), '15');
  }),
);

spec('DB-045 a server without data is recreated for another version', () =>
  withSession({ version: '99' }, async (session) => {
    await session.edit((environment) =>
      serverMessage(environment, { phase: 'Setting up primary', pgDataImageInfo: { majorVersion: 99 } }),
    );
    const first = serverIn(session.environment)?.metadata.uid;
    const password = textIn(session.environment, 'bootstrap', 'password');
    await session.edit((environment) => putDatabase(environment, { version: '15' }));
    await session.pass(1);
    assert.match(JSON.stringify(serverIn(session.environment)), /postgresql:15"/);
    assert.is.not(serverIn(session.environment)?.metadata.uid, first);
    assert.is(textIn(session.environment, 'bootstrap', 'password'), password);
    await runs(session);
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('DB-151 a redeploy waits for the deletion of the old volume without counting failures', () =>
  withSession({}, async (session) => {
    await runs(session);
    await session.edit((environment) => serverClaim(environment, 'orders-1'));
    session.environment.cluster.collects(false);
    await session.edit((environment) => putDatabase(environment, { deploy: { enabled: false } }, workflow));
    await session.pass(1);
    assert.is(serverIn(session.environment), undefined);
    await session.edit((environment) => putDatabase(environment, { deploy: { enabled: true } }, workflow));
    await session.pass(240);
    assert.is(session.message(), 'the volume of the stopped server is still being removed');
    assert.is(failures(session), 0);
    assert.is(secretIn(session.environment, 'bootstrap'), undefined);
    await session.edit(({ cluster }) => cluster.drop(owned.claims, 'orders-1', 'shop-production'));
    assert.ok(serverIn(session.environment));
    await runs(session);
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec(
  'DB-189 a database waits without the operator and its installer, and continues when the operator is installed',
  () =>
    withSession(
      {},
      async (session) => {
        await session.edit(({ cluster }) => cluster.drop(chartDefinitions, 'clusters.postgresql.cnpg.io'));
        await session.pass(600);
        assert.equal(
          [session.phase(), session.message()],
          ['Provisioning', 'The Postgres operator is not installed in this cluster'],
        );
        assert.is(failures(session), 0);
        await session.edit(putDefinition);
        assert.ok(serverIn(session.environment));
      },
      { before: ({ cluster }) => cluster.drop(chartDefinitions, chartDefinition) },
    ),
);

const denied = new Refused({
  status: 403,
  message: 'clusters is forbidden: User "core" cannot patch resource "clusters"',
});
const isAway = new Unavailable({ message: 'webhook "mcluster.cnpg.io" does not answer' });

const putBinding = ({ cluster }: TestEnvironment) =>
  void cluster.put(owned.roleBindings, {
    metadata: {
      name: 'core-environment',
      namespace: 'shop-production',
      labels: { 'core.platform/managed-by': 'core' },
    },
  });

spec('DB-151 missing rights are waited for right after the RoleBinding was created, and fail the database later', () =>
  withSession(
    {},
    async (session) => {
      assert.equal(
        [session.phase(), session.message(), failures(session)],
        ['Provisioning', 'the rights in shop-production are not in force yet', 0],
      );
      await session.pass(60);
      assert.is(session.phase(), 'ProvisionFailed');
    },
    { before: putBinding, through: failing(denied) },
  ),
);

spec('DB-214 a working database stays Ready while the webhook of its operator is unavailable', () => {
  let isDown = false;
  return withSession(
    {},
    async (session) => {
      await runs(session);
      isDown = true;
      await session.edit((environment) => putDatabase(environment, { instances: 2 }));
      await session.pass(120);
      assert.equal(
        [session.phase(), session.ready(), session.message()],
        ['Ready', 'True DatabaseReady', 'Database connection is available'],
      );
      assert.match(JSON.stringify(serverIn(session.environment)), /"instances":1/);
      isDown = false;
      await session.pass(40);
      assert.match(JSON.stringify(serverIn(session.environment)), /"instances":2/);
    },
    { through: failing(isAway, () => isDown) },
  );
});

spec('DB-192 the message of a starting server names its unavailable webhook', () =>
  withSession(
    {},
    async (session) => {
      await session.pass(600);
      assert.equal([session.phase(), session.message(), failures(session)], ['Provisioning', isAway.message, 0]);
    },
    { through: failing(isAway) },
  ),
);

spec.run();
