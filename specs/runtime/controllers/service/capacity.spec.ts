import * as assert from 'uvu/assert';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import { putNode, putSystemPod } from '../../../support/database.ts';
import { deploymentIn, draft, standing } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { withSession, running } from './session.ts';

const spec = suite('services on full nodes');

const drafted: Partial<AppSpec> = { deploy: { enabled: false } };
const full = 'cannot be scheduled: no node in the local region takes another pod';

/** How a deploy is refused on a node that takes so many pods, one of which is of the system. */
async function refusalOn(pods: string, given: Partial<AppSpec>): Promise<string | undefined> {
  const prepare = (environment: TestEnvironment) => (
    putNode(environment, '4', pods),
    putSystemPod(environment, 'kube-proxy')
  );
  let message: string | undefined;
  await withSession({ spec: given, annotations: draft, prepare }, async (session) => {
    const version = session.app().metadata.resourceVersion;
    message = (await session.ask('draftDeploy', { is: 'deploy', revision: 'r1' } as { is: string }))?.says;
    assert.is(
      session.app().metadata.resourceVersion === version,
      message !== undefined,
      'what is refused is not saved',
    );
  });
  return message;
}

spec('KND-051 SVC-040a a deploy is refused when no node takes another pod', async () => {
  assert.is(await refusalOn('1', drafted), full);
  assert.is(await refusalOn('2', drafted), undefined);
  assert.is(await refusalOn('2', { ...drafted, replicas: 2 }), full);
});

spec('KND-051 SVC-040a the build started by a deploy needs a pod, also when the service has no replicas', async () => {
  const git = { git: { repository: 'acme/shop', branch: 'main', waitForCI: false } };
  const asleep = { ...drafted, source: git, replicas: 0 };
  assert.is(await refusalOn('1', asleep), full);
  assert.is(await refusalOn('2', asleep), undefined);
});

spec('SVC-040a KND-059 a service on full nodes starts when a pod of another has ended', () =>
  withSession(
    { prepare: (environment) => (putNode(environment, '4', '1'), putSystemPod(environment, 'kube-proxy')) },
    async (session) => {
      assert.is(session.message(), 'No node in the local region takes another pod');
      assert.equal(standing(session.environment), [], 'nothing is applied');
      await session.edit((environment) => putSystemPod(environment, 'kube-proxy', 'Succeeded'));
      await session.pass(60);
      assert.ok(deploymentIn(session.environment));
      await running(session);
      assert.is(session.ready(), 'True ServiceReady');
      await session.edit((environment) => putNode(environment, '4', '1'));
      await session.pass(1);
      assert.is(session.ready(), 'True ServiceReady', 'its own pod is no reason against it');
    },
  ),
);

spec.run();
