import * as assert from 'uvu/assert';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { hangNamespace, hold, releaseNamespace } from '../../../support/hangingNamespace.ts';
import { isolationIn, inSystem, namespaceIn, putProject } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { suite } from '../../../support/suite.ts';
import { projectSession } from './session.ts';

const spec = suite('each environment by itself');

const hang = (environment: TestEnvironment) => hangNamespace(environment, 'shop-staging');

const told = (session: Awaited<ReturnType<typeof projectSession>>) =>
  (session.project().status?.causes ?? []).map(({ of, reason, on, message }) => [of, reason, on.name, message]);

spec('PRJ-137c a ready project stays ready while a namespace hangs, and names what holds it', async () => {
  const session = await projectSession({ environments: ['production', 'staging'] });
  await session.edit(hang);
  await session.pass(600);
  assert.is(session.message(), 'Project environments are ready');
  assert.equal(told(session), [
    [
      'Environments',
      'NamespaceTerminating',
      'shop-staging',
      `namespace "shop-staging" is being deleted; ${hold} hold it`,
    ],
  ]);
  await session.edit((environment) => releaseNamespace(environment, 'shop-staging'));
  await session.pass(60);
  assert.ok(isolationIn(session.environment, 'shop-staging'), 'the environment is made anew');
  assert.equal(told(session), []);
  await session.end();
});

spec(
  'PRJ-137c a new environment beside a namespace that hangs is made, and pieces of others are restored',
  async () => {
    const session = await projectSession({ environments: ['production', 'staging'] });
    await session.edit(hang);
    await session.edit((fakes) => putProject(fakes, { environments: ['production', 'staging', 'test'] }));
    await session.remove(owned.networkPolicies, 'core-project-isolation', 'shop-production');
    await session.pass(60);
    assert.ok(namespaceIn(session.environment, 'shop-test'));
    assert.ok(isolationIn(session.environment, 'shop-test'));
    assert.ok(isolationIn(session.environment, 'shop-production'));
    assert.is(session.message(), 'Project environments are ready');
    await session.end();
  },
);

spec('PRJ-137c a ready project stays ready while no watch has reported the namespace that hangs', async () => {
  const session = await projectSession({ environments: ['production', 'staging'] });
  session.environment.cluster.lag(namespaces, true);
  await session.edit(hang);
  await session.pass(120);
  assert.is(session.message(), 'Project environments are ready');
  assert.is(session.project().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  session.environment.cluster.lag(namespaces, false);
  await session.pass(60);
  assert.equal(
    told(session).map(([of, reason]) => [of, reason]),
    [['Environments', 'NamespaceTerminating']],
  );
  await session.end();
});

spec('PRJ-113 a Secret that comes late is named until it is there', async () => {
  const session = await projectSession({
    sharedVariables: [
      { name: 'KEY', environment: 'production', value: '', secretRef: { name: 'shop-shared-secrets', key: 'k' } },
    ],
  });
  assert.equal(told(session), [
    ['Ready', 'SecretMissing', 'shop-shared-secrets', 'Secret "shop-shared-secrets" is missing, variable KEY'],
  ]);
  await session.pass(3_000);
  const lines = session.environment.logged.filter((line) => line.includes('shared variable missing'));
  assert.is(lines.length, 2, 'it is logged once, and again after 30 minutes');
  await session.edit(({ cluster }) =>
    cluster.put(secrets, { metadata: inSystem('shop-shared-secrets'), data: { k: 'djE=' } }),
  );
  await session.pass(10);
  assert.is(session.message(), 'Project environments are ready');
  assert.equal(told(session), []);
  await session.end();
});

spec.run();
