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
import type { TestEnvironment } from '../../../support/environment.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('the life of a SQLite database');

async function withSession(
  given: Parameters<typeof databaseSession>[0],
  test: (session: DatabaseSession) => Promise<void>,
) {
  const session = await databaseSession(given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

const draft = { annotations: { ...workflow, 'core.platform/pending-changes': 'created' } };
const all = ['Deployment orders', 'Service orders', 'PersistentVolumeClaim orders-sqlite', 'Secret orders-connection'];
const sqlite = { engine: 'SQLite', deploy: { enabled: true } } as const;
const failed =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';

/** A deployed database that is Ready. */
async function readied(session: DatabaseSession) {
  assert.is(await session.ask('draftDeploy', 'deploy'), null);
  await session.pass(1);
  await session.edit((environment) => kubelet(environment, 'runs'));
  assert.is(session.message(), 'Database connection is available');
}

spec('DB-213 storage of a limited class that is missing for 15 minutes is unavailable, and counts from then on', () =>
  withSession({ spec: sqlite, annotations: { [annotation.storageClass]: 'core-replicated' } }, async (session) => {
    await session.pass(14 * 60);
    assert.is.not(session.message(), 'Storage is unavailable');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await session.pass(95);
    assert.is(session.message(), 'Storage is unavailable');
    assert.is(session.phase(), 'Provisioning');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
  }),
);

spec('tags required later stop the shipping of logs of a database', () =>
  withSession(draft, async (session) => {
    await readied(session);
    const template = () => deploymentIn(session.environment)?.spec?.template?.metadata;
    assert.is(template()?.annotations?.[annotation.logShipping], undefined);
    await session.edit((environment) => putProject(environment, { requiredTags: ['certified'] }));
    assert.is(template()?.annotations?.[annotation.logShipping], 'off');
  }),
);

spec('DB-206 DB-169 KND-049 a draft of a database creates nothing and reports that it waits for a deploy', () =>
  withSession(draft, async (session) => {
    await session.pass(60);
    assert.is(session.phase(), 'Draft');
    assert.is(session.ready(), 'False ReconcileError');
    assert.is(session.message(), 'Resource is configured and waiting for deployment');
    assert.equal(standing(session.environment), []);
    assert.equal(session.moves('database'), ['(none) createdAsDraft Draft']);
  }),
);

spec(
  'DB-141 DB-208 DB-214 DB-145 KND-050 DB-077 DB-117 a deployed SQLite database becomes Ready with its connection',
  () =>
    withSession(draft, async (session) => {
      assert.is(await session.ask('draftDeploy', 'deploy'), null);
      await session.pass(1);
      assert.is(session.phase(), 'Provisioning');
      assert.is(session.message(), 'Starting service');
      assert.equal(standing(session.environment), all.slice(0, 3), 'the connection exists once the server runs');
      const { annotations = {} } = session.database().metadata;
      assert.not.ok('core.platform/pending-changes' in annotations);
      assert.equal(JSON.parse(annotations['core.platform/last-deployed'] ?? ''), session.database().spec);
      assert.is(annotations['core.platform/node-placement'], '{"region":"local"}');
      await session.edit((environment) => kubelet(environment, 'runs'));
      assert.is(session.ready(), 'True DatabaseReady');
      assert.is(session.message(), 'Database connection is available');
      assert.equal(standing(session.environment), all);
      const { status } = session.database();
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
      assert.is(textIn(session.environment, 'connection', 'uri'), 'http://orders.shop-production.svc:4001');
      assert.is(textIn(session.environment, 'connection', 'username'), '', 'SQLite has no logins');
      assert.is(textIn(session.environment, 'connection', 'password'), '');
      assert.equal(
        session.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-1 Succeeded'],
      );
      const version = session.database().metadata.resourceVersion;
      await session.pass(600);
      assert.is(session.database().metadata.resourceVersion, version, 'at rest nothing is written');
      const ready = session.seen.filter(isReady);
      assert.ok(ready.every((seen) => seen.status?.connectionSecret === 'orders-connection'));
      assert.ok(ready.length > 0, 'whoever reads that it is ready finds its connection in the same version');
    }),
);

spec('DB-209 KND-051 DB-144 DB-200 a deploy of a database is refused and saves nothing when no node has room', () =>
  withSession(draft, async (session) => {
    await session.edit((environment) => putNode(environment, '50m'));
    const version = session.database().metadata.resourceVersion;
    const refused = await session.ask('draftDeploy', 'deploy');
    assert.match(
      refused?.says ?? '',
      /^This SQLite database needs about 100m CPU and 128Mi memory\. The cluster currently has 50m CPU and 8Gi memory available$/,
    );
    assert.is(session.database().metadata.resourceVersion, version);
    assert.is(session.phase(), 'Draft');
  }),
);

spec('KND-052 KND-052d KND-054 a changed database runs as deployed until the next deploy', () =>
  withSession(draft, async (session) => {
    await readied(session);
    const resources = { requests: { cpu: '200m', memory: '256Mi' } };
    await session.edit((environment) => putDatabase(environment, { resources }));
    assert.is(session.database().metadata.annotations?.['core.platform/pending-changes'], 'settings');
    assert.not.match(JSON.stringify(deploymentIn(session.environment)), /256Mi/);
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.match(JSON.stringify(deploymentIn(session.environment)), /256Mi/);
    assert.not.ok('core.platform/pending-changes' in (session.database().metadata.annotations ?? {}));
  }),
);

spec('DB-207 KND-058 a database without the annotation is provisioned as written, and edits apply at once', () =>
  withSession({}, async (session) => {
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True DatabaseReady');
    await session.edit((environment) =>
      putDatabase(environment, { resources: { requests: { cpu: '1', memory: '1Gi' } } }),
    );
    assert.match(JSON.stringify(deploymentIn(session.environment)), /"1Gi"/);
  }),
);

spec('DB-211b DB-214a deleted and edited objects are restored', () =>
  withSession(draft, async (session) => {
    await readied(session);
    const password = textIn(session.environment, 'connection', 'password');
    await session.remove(owned.services, 'orders', 'shop-production');
    await session.pass(1);
    assert.ok(serviceIn(session.environment), 'the Service stands again');
    await session.remove(owned.secrets, 'orders-connection', 'shop-production');
    await session.pass(1);
    assert.is(textIn(session.environment, 'connection', 'password'), password);
    const deployment = deploymentIn(session.environment);
    await session.edit(({ cluster }) => {
      if (deployment)
        cluster.put(owned.deployments, { ...deployment, spec: { ...deployment.spec, replicas: 3 } } as never);
    });
    await session.pass(1);
    assert.match(JSON.stringify(deploymentIn(session.environment)), /"replicas":1/);
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('DB-113 DB-114 DB-207 DB-216 a database that failed from the start lists all five counted errors', async () => {
  const session = await databaseSession({ spec: sqlite }, (environment) => {
    putDatabaseEnvironment(environment);
    putReadyProject(environment, 'False');
  });
  try {
    assert.equal(session.moves('database')[0], '(none) createdOpen Provisioning');
    await session.pass(200);
    assert.is(session.phase(), 'ProvisionFailed');
    const [attempt, ...others] = session.attempts();
    assert.equal([attempt?.phase, others], ['Failed', []]);
    assert.equal(
      attempt?.errors?.map(({ message }) => message),
      Array.from({ length: 5 }, () => 'project "shop" is not ready'),
    );
  } finally {
    await session.end();
  }
});

spec(
  'DB-173 DB-212 DB-216 DB-199 DB-219 DB-148 DB-149 counted failures end in ProvisionFailed, and Retry starts over',
  () =>
    withSession(draft, async (session) => {
      await session.edit((environment) => putReadyProject(environment, 'False'));
      assert.is(await session.ask('draftDeploy', 'deploy'), null);
      await session.pass(1);
      assert.is(session.message(), 'project "shop" is not ready');
      assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1, 'counted once within half a minute');
      await session.pass(150);
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.is(session.message(), failed);
      assert.is(session.phase(), 'ProvisionFailed');
      assert.equal(standing(session.environment), []);
      const [attempt] = session.attempts();
      assert.is(attempt?.phase, 'Failed');
      assert.is(attempt?.errors?.length, 5);
      await session.pass(600);
      assert.is(session.phase(), 'ProvisionFailed', 'it is left only when somebody asks');
      await session.edit((environment) => putReadyProject(environment, 'True'));
      assert.is(session.phase(), 'ProvisionFailed');
      assert.is(await session.ask('provisionRetry', 'retry'), null);
      await session.pass(1);
      assert.equal(session.messages.slice(-3), [
        'Retrying provisioning',
        'Database is being provisioned',
        'Starting service',
      ]);
      await session.edit((environment) => kubelet(environment, 'runs'));
      assert.is(session.ready(), 'True DatabaseReady');
      assert.equal(
        session.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-2 Succeeded', 'attempt-1 Failed'],
      );
      const refused = await session.ask('provisionRetry', 'retry');
      assert.ok(refused instanceof Error, 'what was not given up is not retried');
    }),
);

spec('DB-211 KND-064 a starting database is waited for without counting failures', () =>
  withSession(draft, async (session) => {
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(3_600);
    assert.equal([session.phase(), session.message()], ['Provisioning', 'Starting service']);
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  }),
);

spec('DB-217 KND-062 a database fails when a failure lasts three minutes, at any number of occurrences', () =>
  withSession(draft, async (session) => {
    await session.edit((environment) => putReadyProject(environment, 'False'));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    const paused =
      (value: string | null) =>
      ({ cluster }: TestEnvironment) =>
        void Effect.runSync(
          cluster.patch(
            databases,
            { name: databaseName },
            { metadata: { annotations: { [annotation.paused]: value } } },
          ),
        );
    await session.edit(paused('true'));
    await session.pass(181);
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    await session.edit(paused(null));
    await session.pass(1);
    assert.equal([session.phase(), session.message()], ['ProvisionFailed', failed]);
    assert.is(session.moves('provisionRetry').at(-1), 'Counting timeRanOut ProvisionFailed');
    assert.is(session.moves('database').at(-1), 'Provisioning failureTimeExhausted ProvisionFailed');
  }),
);

spec('DB-220 KND-066 a changed spec and a deploy each start another attempt of a failed database', () =>
  withSession({}, async (session) => {
    await session.edit((environment) => kubelet(environment, 'fails'));
    assert.is(session.message(), 'Service failed to start');
    await session.pass(150);
    assert.is(session.phase(), 'ProvisionFailed');
    await session.edit((environment) => {
      kubelet(environment, 'runs');
      putDatabase(environment, { databaseName: 'ledger' });
    });
    assert.is(session.ready(), 'True DatabaseReady');
    assert.is(textIn(session.environment, 'connection', 'database'), 'ledger');
  }),
);

spec('DB-210 KND-057 DB-146 DB-147 a stopped database has no resources and no data', () =>
  withSession(draft, async (session) => {
    await readied(session);
    await session.edit((environment) => putDatabase(environment, { deploy: { enabled: false } }));
    await session.pass(1);
    assert.is(session.phase(), 'Draft');
    assert.is(session.moves('draftDeploy').at(-1), 'Deployed draftFound Draft');
    assert.equal(standing(session.environment), []);
    assert.is(session.message(), 'Resource is configured and waiting for deployment');
    await readied(session);
    assert.equal(standing(session.environment), all);
  }),
);

spec('DB-223 DB-223a DB-223b DB-138 a deleted database is gone when its resources are deleted', () =>
  withSession(draft, async (session) => {
    await readied(session);
    assert.ok(claimIn(session.environment));
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
    assert.equal(standing(session.environment), []);
  }),
);

spec('DB-223 a draft and a database that is ProvisionFailed can be deleted', async () => {
  await withSession(draft, async (session) => {
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
  });
  await withSession({ spec: { highAvailability: true } }, async (session) => {
    await session.edit((environment) => putReport(environment, 3));
    assert.is(session.phase(), 'ProvisionFailed');
    await session.remove();
    await session.pass(31);
    assert.is(databaseIn(session.environment), undefined);
  });
});

/** The end of each machine of a database that is gone, as its tombstone tells it. */
async function endsIn({ environment }: DatabaseSession) {
  const { since } = await Effect.runPromise(Journal.pipe(Effect.provideContext(environment.services)));
  const [tombstone] = await Effect.runPromise(since(0));
  const ends = tombstone?.history.filter(({ to }) => to === '(deleted)') ?? [];
  return ends.map(({ machine, from, by }) => `${machine} ${from} ${by}`);
}

spec('a tombstone records the last state of its machines only, and whether a user forced the deletion', async () => {
  await withSession(draft, async (session) => {
    await readied(session);
    await session.remove();
    await session.pass(31);
    assert.equal(await endsIn(session), ['database Deleting operator']);
  });
  await withSession(draft, async (session) => {
    await readied(session);
    await session.edit(({ cluster }) => {
      Effect.runSync(cluster.patch(databases, { name: databaseName }, { metadata: { finalizers: null } }));
      cluster.drop(databases, databaseName);
    });
    await session.pass(31);
    assert.equal(await endsIn(session), ['database Ready outside']);
  });
});

spec(
  'DB-026 DB-084 DB-152 DB-179 DB-218 high availability waits for its report, then fails the database without a loop',
  () =>
    withSession({ spec: { highAvailability: true } }, async (session) => {
      assert.is(session.message(), 'High availability requires a cluster with at least three healthy nodes');
      await session.edit((environment) => putReport(environment, 3));
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.is(session.message(), 'SQLite does not support high availability');
      const version = session.database().metadata.resourceVersion;
      await session.pass(600);
      assert.is(session.database().metadata.resourceVersion, version);
      assert.equal(standing(session.environment), []);
    }),
);

spec('a foreign object with one of our names is reported and never changed', () =>
  withSession(draft, async (session) => {
    const metadata = { name: 'orders', namespace: 'shop-production' };
    await session.edit(({ cluster }) => void cluster.put(owned.services, { metadata, spec: { ports: [] } } as never));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.is(session.message(), 'Service shop-production/orders already exists and is not managed by Core');
    assert.equal(serviceIn(session.environment)?.metadata.labels, undefined);
  }),
);

spec.run();
