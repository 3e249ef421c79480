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
import { type LiveDatabase, liveDatabase } from './live.ts';

const spec = suite('what lasts of a provisioned database');

async function readied(given: Parameters<typeof liveDatabase>[0], test: (live: LiveDatabase) => Promise<void>) {
  const live = await liveDatabase(given);
  try {
    await live.pass(1);
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True DatabaseReady');
    await test(live);
  } finally {
    await live.end();
  }
}

const changed = (live: LiveDatabase, changes: Partial<DatabaseSpec>) =>
  live.edit((world) => putDatabase(world, changes));

spec('DB-130 another engine ends it at once, says which one it runs, and touches nothing', () =>
  readied({}, async (live) => {
    const before = JSON.stringify([deploymentIn(live.world), claimIn(live.world)]);
    await changed(live, { engine: 'Redis' });
    assert.equal(
      [live.ready(), live.message()],
      ['False ProvisionFailed', 'the engine of a database cannot change (it runs SQLite)'],
    );
    await changed(live, { engine: 'SQLite', placement: 'External', externalHost: 'h' });
    assert.is(live.message(), 'the placement of a database cannot change (it is InCluster)');
    assert.is(JSON.stringify([deploymentIn(live.world), claimIn(live.world)]), before);
    await changed(live, { placement: 'InCluster' });
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec('DB-131 DB-134 less storage ends it, the same in other words and more do not', () =>
  readied({ spec: { storageSize: '10Gi' } }, async (live) => {
    await changed(live, { storageSize: '9Gi' });
    assert.is(live.message(), 'storage can be increased but not decreased once deployed (currently 10Gi)');
    assert.is(live.ready(), 'False ProvisionFailed');
    await changed(live, { storageSize: '10240Mi' });
    assert.is(live.ready(), 'True DatabaseReady');
    await changed(live, { storageSize: '20Gi' });
    assert.match(JSON.stringify(claimIn(live.world)), /"20Gi"/);
    await changed(live, { storageSize: '15Gi' });
    assert.is(live.message(), 'storage can be increased but not decreased once deployed (currently 20Gi)');
  }),
);

spec('another environment gets a new server, and the old one stays until it is deleted', () =>
  readied({}, async (live) => {
    await live.edit((world) => {
      world.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
      const [project] = world.cluster.all(projects);
      if (project)
        world.cluster.put(projects, { ...project, spec: { ...project.spec, environments: ['production', 'staging'] } });
    });
    await changed(live, { environment: 'staging' });
    await live.pass(1);
    const deployments = () =>
      live.world.cluster
        .all(owned.deployments)
        .map(({ metadata }) => metadata.namespace ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1));
    assert.equal(deployments(), ['shop-production', 'shop-staging']);
    assert.is(live.database().status?.targetNamespace, 'shop-staging');
    await live.remove();
    await live.pass(31);
    assert.equal(deployments(), []);
  }),
);

spec('a deploy begins an attempt and restarts no pod', () =>
  readied({ spec: { deploy: { enabled: true } }, annotations: workflow }, async (live) => {
    const before = JSON.stringify(deploymentIn(live.world));
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
    await live.pass(1);
    assert.is(JSON.stringify(deploymentIn(live.world)), before);
    assert.equal(
      live.attempts().map(({ id, phase }) => `${id} ${phase}`),
      ['attempt-2 Succeeded', 'attempt-1 Succeeded'],
    );
  }),
);

spec('an attempt begins when it leaves Ready', () =>
  readied({}, async (live) => {
    await live.edit((world) => kubelet(world, 'starts'));
    await live.pass(1);
    assert.equal(
      [live.phase(), live.attempts()[0]?.id, live.attempts()[0]?.phase],
      ['Provisioning', 'attempt-2', 'Running'],
    );
    await live.edit((world) => kubelet(world, 'runs'));
    assert.equal([live.phase(), live.attempts()[0]?.phase], ['Ready', 'Succeeded']);
  }),
);

spec('the room is asked for before the first apply, and never again', async () => {
  const live = await liveDatabase({ spec: { deploy: { enabled: true } } }, (world) => {
    putDatabaseEnvironment(world);
    putNode(world, '10m');
  });
  try {
    await live.pass(1);
    assert.match(live.message(), /^This SQLite database needs about 100m CPU and 128Mi memory/);
    await live.pass(31);
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 2);
    await live.edit((world) => putNode(world));
    await live.pass(31);
    assert.is(live.message(), 'Starting service');
  } finally {
    await live.end();
  }
  await readied({}, async (full) => {
    await full.edit((world) => putNode(world, '10m'));
    await full.edit((world) => kubelet(world, 'starts'));
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
    const live = await liveDatabase({ spec: { deploy: { enabled: true } }, annotations });
    try {
      await live.pass(1);
      assert.is(live.message(), 'resource has pending changes and no last deployed snapshot', text);
      assert.is(deploymentIn(live.world), undefined);
    } finally {
      await live.end();
    }
  }
});

spec.run();
