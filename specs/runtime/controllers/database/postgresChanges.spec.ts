import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { chartDefinition } from '../../../../rules/database/charts.ts';
import { chartDefinitions } from '../../../../runtime/controllers/database/kinds.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Unavailable, type ClusterShape, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabase, putReport, putDatabaseEnvironment, secretIn, textIn } from '../../../support/database.ts';
import { putDefinition, serverClaim, serverIn, serverPod, serverSays, writesLead } from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';
import { storageClasses } from '../../../../runtime/owned/addonKinds.ts';

const spec = suite('a Postgres database that changes under the real operator');

const healthy = (primary: string, readyInstances: number) => ({
  phase: 'Cluster in healthy state',
  readyInstances,
  currentPrimary: primary,
});

interface Given {
  readonly before?: (world: World) => void;
  readonly through?: (cluster: ClusterShape) => ClusterShape;
}

async function living(
  changes: Partial<DatabaseSpec>,
  test: (live: LiveDatabase) => Promise<void>,
  { before, through }: Given = {},
) {
  const live = await liveDatabase(
    { spec: { engine: 'Postgres', ...changes } },
    (world) => {
      putDatabaseEnvironment(world);
      putDefinition(world);
      before?.(world);
    },
    through,
  );
  try {
    await live.pass(1);
    await test(live);
  } finally {
    await live.end();
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

const runs = (live: LiveDatabase, instances = 1) =>
  live.edit((world) => {
    for (let at = 1; at <= instances; at++) serverPod(world, `orders-${at}`, 'ready');
    serverSays(world, healthy('orders-1', instances));
  });

const failures = (live: LiveDatabase) => live.database().status?.reconcileRetry?.reconcileFailures ?? 0;
const workflow = { 'core.platform/deploy-workflow': 'true' };

const putNodes = ({ cluster }: World) => {
  for (const name of ['two', 'three'])
    cluster.put(clusterNodes, {
      metadata: { name, labels: { 'core.platform/region': 'local' } },
      status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
    });
};

const report = (healthyNodes: number) => (world: World) => putReport(world, healthyNodes);

spec('DB-046 after a failover the database is Ready with its new primary, however many instances are missing', () =>
  living({ instances: 2 }, async (live) => {
    await runs(live, 2);
    assert.is(live.ready(), 'True DatabaseReady');
    await live.edit((world) => {
      serverPod(world, 'orders-1', 'starting');
      writesLead(world, false);
    });
    assert.equal([live.ready(), live.message()], ['False ReconcileError', 'Postgres database is starting']);
    const failing = { ...healthy('orders-1', 1), phase: 'Failing over', targetPrimary: 'orders-2' };
    await live.edit((world) => serverSays(world, failing));
    assert.is(live.ready(), 'False ReconcileError');
    await live.edit((world) => serverSays(world, { ...healthy('orders-2', 1), phase: 'Waiting for the instances' }));
    assert.is(live.ready(), 'True DatabaseReady');
    await live.edit((world) => writesLead(world, false));
    assert.is(live.ready(), 'False ReconcileError', 'the Service for writes leads nowhere');
  }),
);

spec('DB-025 DB-179 the readiness report gates switching high availability on, and not what runs with it', () =>
  living(
    { highAvailability: true },
    async (live) => {
      const needsNodes = 'High availability requires a cluster with at least three healthy nodes';
      assert.is(live.message(), needsNodes);
      await live.edit(putNodes);
      await live.edit(report(3));
      await runs(live, 3);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(live.database().status?.running?.highAvailability, true);
      await live.edit(report(2));
      assert.is(live.ready(), 'True DatabaseReady');
      await live.edit((world) => putDatabase(world, { highAvailability: false }));
      await runs(live, 1);
      assert.is(live.database().status?.running?.highAvailability, false);
      await live.edit((world) => putDatabase(world, { highAvailability: true }));
      assert.is(live.message(), needsNodes);
    },
    { before: report(2) },
  ),
);

spec('DB-133 DB-135 growth that the storage class does not allow is refused for good, and can be taken back', () => {
  const fixedClass = {
    metadata: { name: 'fixed', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  };
  return living(
    { storageSize: '10Gi' },
    async (live) => {
      await runs(live);
      await live.edit((world) => putDatabase(world, { storageSize: '20Gi' }));
      const message = "this cluster's storage can't be resized, so a deployed database stays at 10Gi";
      assert.equal([live.ready(), live.message()], ['False ProvisionFailed', message]);
      assert.match(JSON.stringify(serverIn(live.world)), /"size":"10Gi"/);
      assert.is(live.database().status?.running?.storageSize, '10Gi');
      await live.edit((world) => putDatabase(world, { storageSize: '10Gi' }));
      assert.is(live.ready(), 'True DatabaseReady');
    },
    { before: ({ cluster }) => void cluster.put(storageClasses, fixedClass) },
  );
});

spec('DB-045 a version counts as running once the server reports it, and may be taken back before', () =>
  living({ version: '15' }, async (live) => {
    await runs(live);
    assert.is(live.database().status?.running?.version, '15');
    await live.edit((world) => putDatabase(world, { version: '16' }));
    const image = () => /postgresql:(\d+)/.exec(JSON.stringify(serverIn(live.world)))?.[1];
    assert.is(image(), '16');
    await live.edit((world) =>
      serverSays(world, { ...healthy('orders-1', 0), pgDataImageInfo: { majorVersion: 15 }, phase: 'Upgrading' }),
    );
    assert.is(live.database().status?.running?.version, '15');
    await live.edit((world) => putDatabase(world, { version: '15' }));
    assert.equal([live.message(), image()].includes('the version of a database can only rise (it runs 16)'), false);
    assert.is(image(), '15');
  }),
);

spec('DB-045 a server that never had data is made anew for another version', () =>
  living({ version: '99' }, async (live) => {
    await live.edit((world) =>
      serverSays(world, { phase: 'Setting up primary', pgDataImageInfo: { majorVersion: 99 } }),
    );
    const first = serverIn(live.world)?.metadata.uid;
    const password = textIn(live.world, 'bootstrap', 'password');
    await live.edit((world) => putDatabase(world, { version: '15' }));
    await live.pass(1);
    assert.match(JSON.stringify(serverIn(live.world)), /postgresql:15"/);
    assert.is.not(serverIn(live.world)?.metadata.uid, first);
    assert.is(textIn(live.world, 'bootstrap', 'password'), password);
    await runs(live);
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec('DB-151 the volume of a stopped server is waited for, and nothing is counted', () =>
  living({}, async (live) => {
    await runs(live);
    await live.edit((world) => serverClaim(world, 'orders-1'));
    live.world.cluster.collects(false);
    await live.edit((world) => putDatabase(world, { deploy: { enabled: false } }, workflow));
    await live.pass(1);
    assert.is(serverIn(live.world), undefined);
    await live.edit((world) => putDatabase(world, { deploy: { enabled: true } }, workflow));
    await live.pass(240);
    assert.is(live.message(), 'the volume of the stopped server is still being removed');
    assert.is(failures(live), 0);
    assert.is(secretIn(live.world, 'bootstrap'), undefined);
    await live.edit(({ cluster }) => cluster.drop(owned.claims, 'orders-1', 'shop-production'));
    assert.ok(serverIn(live.world));
    await runs(live);
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec(
  'DB-189 without the operator and what installs it the database waits, and goes on by itself once it is there',
  () =>
    living(
      {},
      async (live) => {
        await live.edit(({ cluster }) => cluster.drop(chartDefinitions, 'clusters.postgresql.cnpg.io'));
        await live.pass(600);
        assert.equal(
          [live.phase(), live.message()],
          ['Provisioning', 'The Postgres operator is not installed in this cluster'],
        );
        assert.is(failures(live), 0);
        await live.edit(putDefinition);
        assert.ok(serverIn(live.world));
      },
      { before: ({ cluster }) => cluster.drop(chartDefinitions, chartDefinition) },
    ),
);

const denied = new Refused({
  status: 403,
  message: 'clusters is forbidden: User "core" cannot patch resource "clusters"',
});
const isAway = new Unavailable({ why: 'webhook "mcluster.cnpg.io" does not answer' });

const putBinding = ({ cluster }: World) =>
  void cluster.put(owned.roleBindings, {
    metadata: {
      name: 'core-environment',
      namespace: 'shop-production',
      labels: { 'core.platform/managed-by': 'core' },
    },
  });

spec('DB-151 a refusal for lack of rights is waited for right after the RoleBinding was made, and not later', () =>
  living(
    {},
    async (live) => {
      assert.equal(
        [live.phase(), live.message(), failures(live)],
        ['Provisioning', 'the rights in shop-production are not in force yet', 0],
      );
      await live.pass(60);
      assert.is(live.phase(), 'ProvisionFailed');
    },
    { before: putBinding, through: failing(denied) },
  ),
);

spec('DB-214 while the webhook of its operator is away, a database that serves stays Ready', () => {
  let isDown = false;
  return living(
    {},
    async (live) => {
      await runs(live);
      isDown = true;
      await live.edit((world) => putDatabase(world, { instances: 2 }));
      await live.pass(120);
      assert.equal(
        [live.phase(), live.ready(), live.message()],
        ['Ready', 'True DatabaseReady', 'Database connection is available'],
      );
      assert.match(JSON.stringify(serverIn(live.world)), /"instances":1/);
      isDown = false;
      await live.pass(40);
      assert.match(JSON.stringify(serverIn(live.world)), /"instances":2/);
    },
    { through: failing(isAway, () => isDown) },
  );
});

spec('DB-192 before it serves, the message names the webhook that is away', () =>
  living(
    {},
    async (live) => {
      await live.pass(600);
      assert.equal([live.phase(), live.message(), failures(live)], ['Provisioning', isAway.why, 0]);
    },
    { through: failing(isAway) },
  ),
);

spec.run();
