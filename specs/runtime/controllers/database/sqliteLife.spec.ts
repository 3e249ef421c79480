import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { isReady } from '../../../../rules/condition.ts';
import { annotation } from '../../../../crds/names.ts';
import { databases } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { Journal } from '../../../../runtime/services/journal.ts';
import {
  claimIn,
  databaseIn,
  databaseName,
  deploymentIn,
  kubelet,
  putDatabase,
  putNode,
  putReadyProject,
  putReport,
  putDatabaseEnvironment,
  serviceIn,
  standing,
  textIn,
  workflow,
} from '../../../support/database.ts';
import { putProject } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';

const spec = suite('the life of a SQLite database');

async function living(given: Parameters<typeof liveDatabase>[0], test: (live: LiveDatabase) => Promise<void>) {
  const live = await liveDatabase(given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

const draft = { annotations: { ...workflow, 'core.platform/pending-changes': 'created' } };
const all = ['Deployment orders', 'Service orders', 'PersistentVolumeClaim orders-sqlite', 'Secret orders-connection'];
const sqlite = { engine: 'SQLite', deploy: { enabled: true } } as const;
const failed =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';

/** A deployed database that is Ready. */
async function readied(live: LiveDatabase) {
  assert.is(await live.ask('draftDeploy', 'deploy'), null);
  await live.pass(1);
  await live.edit((world) => kubelet(world, 'runs'));
  assert.is(live.message(), 'Database connection is available');
}

spec('DB-213 storage of a limited class that is missing for 15 minutes is unavailable, and counts from then on', () =>
  living({ spec: sqlite, annotations: { [annotation.storageClass]: 'core-replicated' } }, async (live) => {
    await live.pass(14 * 60);
    assert.is.not(live.message(), 'Storage is unavailable');
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await live.pass(95);
    assert.is(live.message(), 'Storage is unavailable');
    assert.is(live.phase(), 'Provisioning');
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1);
  }),
);

spec('tags that its project requires later keep the logs of its pod from being shipped', () =>
  living(draft, async (live) => {
    await readied(live);
    const template = () => deploymentIn(live.world)?.spec?.template?.metadata;
    assert.is(template()?.annotations?.[annotation.logShipping], undefined);
    await live.edit((world) => putProject(world, { requiredTags: ['certified'] }));
    assert.is(template()?.annotations?.[annotation.logShipping], 'off');
  }),
);

spec('DB-206 DB-169 KND-049 a draft builds nothing and says that it waits for a deploy', () =>
  living(draft, async (live) => {
    await live.pass(60);
    assert.is(live.phase(), 'Draft');
    assert.is(live.ready(), 'False ReconcileError');
    assert.is(live.message(), 'Resource is configured and waiting for deployment');
    assert.equal(standing(live.world), []);
    assert.equal(live.moves('database'), ['(none) createdAsDraft Draft']);
  }),
);

spec('DB-141 DB-208 DB-214 DB-145 KND-050 DB-077 DB-117 deployed, it comes up and is Ready with its connection', () =>
  living(draft, async (live) => {
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.is(live.phase(), 'Provisioning');
    assert.is(live.message(), 'Starting service');
    assert.equal(standing(live.world), all.slice(0, 3), 'the connection is told once it runs');
    const { annotations = {} } = live.database().metadata;
    assert.not.ok('core.platform/pending-changes' in annotations);
    assert.equal(JSON.parse(annotations['core.platform/last-deployed'] ?? ''), live.database().spec);
    assert.is(annotations['core.platform/node-placement'], '{"region":"local"}');
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(live.message(), 'Database connection is available');
    assert.equal(standing(live.world), all);
    const { status } = live.database();
    assert.equal(
      [status?.phase, status?.host, status?.connectionSecret, status?.targetNamespace, status?.deployRevision],
      [
        'Ready',
        'orders.shop-production.svc',
        'orders-connection',
        'shop-production',
        annotations['core.platform/deploy-revision'],
      ],
    );
    assert.is(textIn(live.world, 'connection', 'uri'), 'http://orders.shop-production.svc:4001');
    assert.is(textIn(live.world, 'connection', 'username'), '', 'SQLite has no logins');
    assert.is(textIn(live.world, 'connection', 'password'), '');
    assert.equal(
      live.attempts().map(({ id, phase }) => `${id} ${phase}`),
      ['attempt-1 Succeeded'],
    );
    const version = live.database().metadata.resourceVersion;
    await live.pass(600);
    assert.is(live.database().metadata.resourceVersion, version, 'at rest nothing is written');
    const ready = live.seen.filter(isReady);
    assert.ok(ready.every((seen) => seen.status?.connectionSecret === 'orders-connection'));
    assert.ok(ready.length > 0, 'whoever reads that it is ready finds its connection in the same version');
  }),
);

spec('DB-209 KND-051 DB-144 DB-200 without room a deploy is refused in words, and nothing is saved', () =>
  living(draft, async (live) => {
    await live.edit((world) => putNode(world, '50m'));
    const version = live.database().metadata.resourceVersion;
    const refused = await live.ask('draftDeploy', 'deploy');
    assert.match(
      refused?.says ?? '',
      /^This SQLite database needs about 100m CPU and 128Mi memory\. The cluster currently has 50m CPU and 8Gi memory available$/,
    );
    assert.is(live.database().metadata.resourceVersion, version);
    assert.is(live.phase(), 'Draft');
  }),
);

spec('KND-052 KND-052d KND-054 a change waits, and what was deployed runs until it is deployed', () =>
  living(draft, async (live) => {
    await readied(live);
    const resources = { requests: { cpu: '200m', memory: '256Mi' } };
    await live.edit((world) => putDatabase(world, { resources }));
    assert.is(live.database().metadata.annotations?.['core.platform/pending-changes'], 'settings');
    assert.not.match(JSON.stringify(deploymentIn(live.world)), /256Mi/);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.match(JSON.stringify(deploymentIn(live.world)), /256Mi/);
    assert.not.ok('core.platform/pending-changes' in (live.database().metadata.annotations ?? {}));
  }),
);

spec('DB-207 KND-058 without the annotation it is provisioned as written, and edits apply at once', () =>
  living({}, async (live) => {
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True DatabaseReady');
    await live.edit((world) => putDatabase(world, { resources: { requests: { cpu: '1', memory: '1Gi' } } }));
    assert.match(JSON.stringify(deploymentIn(live.world)), /"1Gi"/);
  }),
);

spec('DB-211b DB-214a deleted and edited objects are restored', () =>
  living(draft, async (live) => {
    await readied(live);
    const password = textIn(live.world, 'connection', 'password');
    await live.remove(owned.services, 'orders', 'shop-production');
    await live.pass(1);
    assert.ok(serviceIn(live.world), 'the Service stands again');
    await live.remove(owned.secrets, 'orders-connection', 'shop-production');
    await live.pass(1);
    assert.is(textIn(live.world, 'connection', 'password'), password);
    const deployment = deploymentIn(live.world);
    await live.edit(({ cluster }) => {
      if (deployment)
        cluster.put(owned.deployments, { ...deployment, spec: { ...deployment.spec, replicas: 3 } } as never);
    });
    await live.pass(1);
    assert.match(JSON.stringify(deploymentIn(live.world)), /"replicas":1/);
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec(
  'DB-113 DB-114 DB-207 DB-216 a database that failed from the start lists all five counted errors once it is given up',
  async () => {
    const live = await liveDatabase({ spec: sqlite }, (world) => {
      putDatabaseEnvironment(world);
      putReadyProject(world, 'False');
    });
    try {
      assert.equal(live.moves('database')[0], '(none) createdOpen Provisioning');
      await live.pass(200);
      assert.is(live.phase(), 'ProvisionFailed');
      const [attempt, ...others] = live.attempts();
      assert.equal([attempt?.phase, others], ['Failed', []]);
      assert.equal(
        attempt?.errors?.map(({ message }) => message),
        Array.from({ length: 5 }, () => 'project "shop" is not ready'),
      );
    } finally {
      await live.end();
    }
  },
);

spec(
  'DB-173 DB-212 DB-216 DB-199 DB-219 DB-148 DB-149 counted failures end in ProvisionFailed, and Retry starts over',
  () =>
    living(draft, async (live) => {
      await live.edit((world) => putReadyProject(world, 'False'));
      assert.is(await live.ask('draftDeploy', 'deploy'), null);
      await live.pass(1);
      assert.is(live.message(), 'project "shop" is not ready');
      assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1, 'counted once within half a minute');
      await live.pass(150);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), failed);
      assert.is(live.phase(), 'ProvisionFailed');
      assert.equal(standing(live.world), []);
      const [attempt] = live.attempts();
      assert.is(attempt?.phase, 'Failed');
      assert.is(attempt?.errors?.length, 5);
      await live.pass(600);
      assert.is(live.phase(), 'ProvisionFailed', 'it is left only when somebody asks');
      await live.edit((world) => putReadyProject(world, 'True'));
      assert.is(live.phase(), 'ProvisionFailed');
      assert.is(await live.ask('provisionRetry', 'retry'), null);
      await live.pass(1);
      assert.equal(live.messages.slice(-3), [
        'Retrying provisioning',
        'Database is being provisioned',
        'Starting service',
      ]);
      await live.edit((world) => kubelet(world, 'runs'));
      assert.is(live.ready(), 'True DatabaseReady');
      assert.equal(
        live.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-2 Succeeded', 'attempt-1 Failed'],
      );
      const refused = await live.ask('provisionRetry', 'retry');
      assert.ok(refused instanceof Error, 'what was not given up is not retried');
    }),
);

spec('DB-211 KND-064 what only starts is waited for, and counts nothing', () =>
  living(draft, async (live) => {
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(3_600);
    assert.equal([live.phase(), live.message()], ['Provisioning', 'Starting service']);
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  }),
);

spec('DB-217 KND-062 a failure that lasts three minutes ends it, however seldom it was met', () =>
  living(draft, async (live) => {
    await live.edit((world) => putReadyProject(world, 'False'));
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    const paused =
      (value: string | null) =>
      ({ cluster }: World) =>
        void Effect.runSync(
          cluster.patch(
            databases,
            { name: databaseName },
            { metadata: { annotations: { [annotation.paused]: value } } },
          ),
        );
    await live.edit(paused('true'));
    await live.pass(181);
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1);
    await live.edit(paused(null));
    await live.pass(1);
    assert.equal([live.phase(), live.message()], ['ProvisionFailed', failed]);
    assert.is(live.moves('provisionRetry').at(-1), 'Counting timeRanOut ProvisionFailed');
    assert.is(live.moves('database').at(-1), 'Provisioning failureTimeExhausted ProvisionFailed');
  }),
);

spec('DB-220 KND-066 a changed spec starts over, and so does a deploy', () =>
  living({}, async (live) => {
    await live.edit((world) => kubelet(world, 'fails'));
    assert.is(live.message(), 'Service failed to start');
    await live.pass(150);
    assert.is(live.phase(), 'ProvisionFailed');
    await live.edit((world) => {
      kubelet(world, 'runs');
      putDatabase(world, { databaseName: 'ledger' });
    });
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(textIn(live.world, 'connection', 'database'), 'ledger');
  }),
);

spec('DB-210 KND-057 DB-146 DB-147 stopped, everything that was built is deleted, the data too', () =>
  living(draft, async (live) => {
    await readied(live);
    await live.edit((world) => putDatabase(world, { deploy: { enabled: false } }));
    await live.pass(1);
    assert.is(live.phase(), 'Draft');
    assert.is(live.moves('draftDeploy').at(-1), 'Deployed draftFound Draft');
    assert.equal(standing(live.world), []);
    assert.is(live.message(), 'Resource is configured and waiting for deployment');
    await readied(live);
    assert.equal(standing(live.world), all);
  }),
);

spec('DB-223 DB-223a DB-223b DB-138 deleted, it goes when nothing is left of it', () =>
  living(draft, async (live) => {
    await readied(live);
    assert.ok(claimIn(live.world));
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
    assert.equal(standing(live.world), []);
  }),
);

spec('DB-223 a draft and what was given up go too', async () => {
  await living(draft, async (live) => {
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
  });
  await living({ spec: { highAvailability: true } }, async (live) => {
    await live.edit((world) => putReport(world, 3));
    assert.is(live.phase(), 'ProvisionFailed');
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
  });
});

/** The end of each machine of a database that is gone, as its tombstone tells it. */
async function endsIn({ world }: LiveDatabase) {
  const { since } = await Effect.runPromise(Journal.pipe(Effect.provideContext(world.services)));
  const [tombstone] = await Effect.runPromise(since(0));
  const ends = tombstone?.history.filter(({ to }) => to === '(deleted)') ?? [];
  return ends.map(({ machine, from, by }) => `${machine} ${from} ${by}`);
}

spec('its tombstone tells the end of its machines alone, and whether somebody cut it short', async () => {
  await living(draft, async (live) => {
    await readied(live);
    await live.remove();
    await live.pass(31);
    assert.equal(await endsIn(live), ['database Deleting operator']);
  });
  await living(draft, async (live) => {
    await readied(live);
    await live.edit(({ cluster }) => {
      Effect.runSync(cluster.patch(databases, { name: databaseName }, { metadata: { finalizers: null } }));
      cluster.drop(databases, databaseName);
    });
    await live.pass(31);
    assert.equal(await endsIn(live), ['database Ready outside']);
  });
});

spec(
  'DB-026 DB-084 DB-152 DB-179 DB-218 high availability waits for its report first, then ends it, and nothing loops',
  () =>
    living({ spec: { highAvailability: true } }, async (live) => {
      assert.is(live.message(), 'High availability requires a cluster with at least three healthy nodes');
      await live.edit((world) => putReport(world, 3));
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), 'SQLite does not support high availability');
      const version = live.database().metadata.resourceVersion;
      await live.pass(600);
      assert.is(live.database().metadata.resourceVersion, version);
      assert.equal(standing(live.world), []);
    }),
);

spec('a foreign object with one of our names is never touched, and reported', () =>
  living(draft, async (live) => {
    const metadata = { name: 'orders', namespace: 'shop-production' };
    await live.edit(({ cluster }) => void cluster.put(owned.services, { metadata, spec: { ports: [] } } as never));
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.is(live.message(), 'Service shop-production/orders already exists and is not managed by Core');
    assert.equal(serviceIn(live.world)?.metadata.labels, undefined);
  }),
);

spec.run();
