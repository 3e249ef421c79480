import * as assert from 'uvu/assert';
import {
  kubelet,
  putNode,
  putDatabaseEnvironment,
  putSystemPod,
  standing,
  workflow,
} from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';

const spec = suite('databases on nodes that take no other pod');

function prepare(world: World): void {
  putDatabaseEnvironment(world);
  putNode(world, '4', '1');
  putSystemPod(world, 'kube-proxy');
}

async function living(given: Parameters<typeof liveDatabase>[0], test: (live: LiveDatabase) => Promise<void>) {
  const live = await liveDatabase(given, prepare);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

spec('KND-051 DB-200a where no kubelet takes another pod a deploy is refused in words, and nothing is saved', () =>
  living({ annotations: { ...workflow, 'core.platform/pending-changes': 'created' } }, async (live) => {
    const version = live.database().metadata.resourceVersion;
    const refused = await live.ask('draftDeploy', 'deploy');
    assert.is(refused?.says, 'cannot be scheduled: no node in the local region takes another pod');
    assert.is(live.database().metadata.resourceVersion, version);
    await live.edit((world) => putNode(world, '4', '2'));
    assert.is(await live.ask('draftDeploy', 'deploy'), null);
  }),
);

spec('DB-200a KND-059 a database whose nodes are full starts once a pod of another has ended', () =>
  living({ spec: { engine: 'SQLite', deploy: { enabled: true } } }, async (live) => {
    await live.pass(1);
    assert.is(live.message(), 'No node in the local region takes another pod');
    assert.is(live.database().status?.reconcileRetry?.reconcileFailures, 1);
    assert.equal(standing(live.world), []);
    await live.edit((world) => putSystemPod(world, 'kube-proxy', 'Succeeded'));
    await live.pass(60);
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec.run();
