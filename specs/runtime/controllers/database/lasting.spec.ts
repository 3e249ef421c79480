import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { projects } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces } from '../../../../runtime/services/cluster/resources.ts';
import {
  claimIn,
  deploymentIn,
  kubelet,
  putDatabase,
  putNode,
  putDatabaseEnvironment,
  workflow,
} from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('permanent properties of a provisioned database');

async function readied(
  given: Parameters<typeof databaseSession>[0],
  test: (session: DatabaseSession) => Promise<void>,
) {
  const session = await databaseSession(given);
  try {
    await session.pass(1);
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True DatabaseReady');
    await test(session);
  } finally {
    await session.end();
  }
}

const changed = (session: DatabaseSession, changes: Partial<DatabaseSpec>) =>
  session.edit((environment) => putDatabase(environment, changes));

spec('DB-130 a changed engine fails at once with the running engine in the message and changes no object', () =>
  readied({}, async (session) => {
    const before = JSON.stringify([deploymentIn(session.environment), claimIn(session.environment)]);
    await changed(session, { engine: 'Redis' });
    assert.equal(
      [session.ready(), session.message()],
      ['False ProvisionFailed', 'the engine of a database cannot change (it runs SQLite)'],
    );
    await changed(session, { engine: 'SQLite', placement: 'External', externalHost: 'h' });
    assert.is(session.message(), 'the placement of a database cannot change (it is InCluster)');
    assert.is(JSON.stringify([deploymentIn(session.environment), claimIn(session.environment)]), before);
    await changed(session, { placement: 'InCluster' });
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec('DB-131 DB-134 less storage fails a database, and an equal or larger amount does not', () =>
  readied({ spec: { storageSize: '10Gi' } }, async (session) => {
    await changed(session, { storageSize: '9Gi' });
    assert.is(session.message(), 'storage can be increased but not decreased once deployed (currently 10Gi)');
    assert.is(session.ready(), 'False ProvisionFailed');
    await changed(session, { storageSize: '10240Mi' });
    assert.is(session.ready(), 'True DatabaseReady');
    await changed(session, { storageSize: '20Gi' });
    assert.match(JSON.stringify(claimIn(session.environment)), /"20Gi"/);
    await changed(session, { storageSize: '15Gi' });
    assert.is(session.message(), 'storage can be increased but not decreased once deployed (currently 20Gi)');
  }),
);

spec('a changed environment creates another server, and the old one stays until it is deleted', () =>
  readied({}, async (session) => {
    await session.edit((environment) => {
      environment.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
      const [project] = environment.cluster.all(projects);
      if (project)
        environment.cluster.put(projects, {
          ...project,
          spec: { ...project.spec, environments: ['production', 'staging'] },
        });
    });
    await changed(session, { environment: 'staging' });
    await session.pass(1);
    const deployments = () =>
      session.environment.cluster
        .all(owned.deployments)
        .map(({ metadata }) => metadata.namespace ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1));
    assert.equal(deployments(), ['shop-production', 'shop-staging']);
    assert.is(session.database().status?.targetNamespace, 'shop-staging');
    await session.remove();
    await session.pass(31);
    assert.equal(deployments(), []);
  }),
);

spec('a deploy begins an attempt and restarts no pod', () =>
  readied({ spec: { deploy: { enabled: true } }, annotations: workflow }, async (session) => {
    const before = JSON.stringify(deploymentIn(session.environment));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
    await session.pass(1);
    assert.is(JSON.stringify(deploymentIn(session.environment)), before);
    assert.equal(
      session.attempts().map(({ id, phase }) => `${id} ${phase}`),
      ['attempt-2 Succeeded', 'attempt-1 Succeeded'],
    );
  }),
);

spec('a database begins an attempt when it leaves Ready', () =>
  readied({}, async (session) => {
    await session.edit((environment) => kubelet(environment, 'starts'));
    await session.pass(1);
    assert.equal(
      [session.phase(), session.attempts()[0]?.id, session.attempts()[0]?.phase],
      ['Provisioning', 'attempt-2', 'Running'],
    );
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.equal([session.phase(), session.attempts()[0]?.phase], ['Ready', 'Succeeded']);
  }),
);

spec('capacity is checked once, before the first apply', async () => {
  const session = await databaseSession({ spec: { deploy: { enabled: true } } }, (environment) => {
    putDatabaseEnvironment(environment);
    putNode(environment, '10m');
  });
  try {
    await session.pass(1);
    assert.match(session.message(), /^This SQLite database needs about 100m CPU and 128Mi memory/);
    await session.pass(31);
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 2);
    await session.edit((environment) => putNode(environment));
    await session.pass(31);
    assert.is(session.message(), 'Starting service');
  } finally {
    await session.end();
  }
  await readied({}, async (full) => {
    await full.edit((environment) => putNode(environment, '10m'));
    await full.edit((environment) => kubelet(environment, 'starts'));
    await full.pass(60);
    assert.is(full.message(), 'Starting service');
  });
});

spec('DB-171 a snapshot that is no spec of a database counts as missing', async () => {
  for (const text of ['{}', '{"engine":7}', '{"engine":"Oracle","placement":"InCluster"}', '[]']) {
    const annotations = {
      ...workflow,
      'core.platform/pending-changes': 'settings',
      'core.platform/last-deployed': text,
    };
    const session = await databaseSession({ spec: { deploy: { enabled: true } }, annotations });
    try {
      await session.pass(1);
      assert.is(session.message(), 'resource has pending changes and no last deployed snapshot', text);
      assert.is(deploymentIn(session.environment), undefined);
    } finally {
      await session.end();
    }
  }
});

spec.run();
