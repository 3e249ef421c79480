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
import type { TestEnvironment } from '../../../support/environment.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('databases on full nodes');

function prepare(environment: TestEnvironment): void {
  putDatabaseEnvironment(environment);
  putNode(environment, '4', '1');
  putSystemPod(environment, 'kube-proxy');
}

async function withSession(
  given: Parameters<typeof databaseSession>[0],
  test: (session: DatabaseSession) => Promise<void>,
) {
  const session = await databaseSession(given, prepare);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

spec('KND-051 DB-200a a deploy is refused and saves nothing when no node takes another pod', () =>
  withSession({ annotations: { ...workflow, 'core.platform/pending-changes': 'created' } }, async (session) => {
    const version = session.database().metadata.resourceVersion;
    const refused = await session.ask('draftDeploy', 'deploy');
    assert.is(refused?.says, 'cannot be scheduled: no node in the local region takes another pod');
    assert.is(session.database().metadata.resourceVersion, version);
    await session.edit((environment) => putNode(environment, '4', '2'));
    assert.is(await session.ask('draftDeploy', 'deploy'), null);
  }),
);

spec('DB-200a KND-059 a database on full nodes starts when a pod of another has ended', () =>
  withSession({ spec: { engine: 'SQLite', deploy: { enabled: true } } }, async (session) => {
    await session.pass(1);
    assert.is(session.message(), 'No node in the local region takes another pod');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    assert.equal(standing(session.environment), []);
    await session.edit((environment) => putSystemPod(environment, 'kube-proxy', 'Succeeded'));
    await session.pass(60);
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True DatabaseReady');
  }),
);

spec.run();
