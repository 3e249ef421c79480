import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { type ClusterShape, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { appIn, deploymentIn, draft, kubelet, objectsIn, putService } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('failures of a service');

const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };
const terminating = new Refused({
  status: 403,
  message: 'unable to create new content in namespace shop-production because it is being terminated',
});

/** A namespace takes nothing new while it goes. */
function goingNamespace() {
  let isGoing = true;
  const through = (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    apply: (resource, object, over) =>
      isGoing && object.metadata.namespace === 'shop-production'
        ? Effect.fail(terminating)
        : cluster.apply(resource, object, over),
  });
  return { through, stays: () => void (isGoing = false) };
}

async function readied(session: ServiceSession) {
  assert.is(await deploy(session), null);
  await running(session);
  assert.is(session.ready(), 'True ServiceReady');
}

spec('SVC-006 SVC-022 a terminating namespace is named and counts failures, and Retry succeeds in the next one', () => {
  const { through, stays } = goingNamespace();
  return withSession({ ...asDraft, through }, async (session) => {
    assert.is(await deploy(session), null);
    assert.match(session.message() ?? '', /because it is being terminated/);
    await session.pass(200);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.is(deploymentIn(session.environment), undefined);
    stays();
    assert.is(await session.ask('provisionRetry', 'retry'), null);
    await session.pass(5);
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
  });
});

spec('SVC-010 a service recreated under its name keeps nothing of the first object', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    const uid = session.app().metadata.uid;
    const before = deploymentIn(session.environment)?.metadata.uid;
    await session.remove();
    for (let second = 0; second < 120 && appIn(session.environment) !== undefined; second++) await session.pass(1);
    putService(session.environment, { deploy: { enabled: true } }, {});
    await session.pass(40);
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is.not(session.app().metadata.uid, uid);
    assert.is(session.ready(), 'True ServiceReady');
    assert.is.not(deploymentIn(session.environment)?.metadata.uid, before);
    const owners = objectsIn(session.environment).map(({ metadata }) => metadata.annotations?.[annotation.ownerUid]);
    assert.equal([...new Set(owners)], [session.app().metadata.uid]);
  }),
);

spec('SVC-041a a service reports its pods when its only node is gone and is Ready on the next node', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    await session.edit((environment) => {
      environment.cluster.drop({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }, 'one');
      kubelet(environment, 'fails');
    });
    await session.pass(60);
    assert.is(session.ready(), 'False ReconcileError');
    assert.is(session.attempts().at(-1)?.phase, 'Succeeded', 'no attempt is under way that could end');
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True ServiceReady');
    assert.ok(session.environment.cluster.all(owned.deployments).length === 1);
  }),
);

spec.run();
