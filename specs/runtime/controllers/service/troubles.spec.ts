import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { type ClusterShape, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { appIn, deploymentIn, draft, kubelet, objectsIn, putService } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, living, type LiveService, running } from './live.ts';

const spec = suite('troubles of a service');

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

async function readied(live: LiveService) {
  assert.is(await deploy(live), null);
  await running(live);
  assert.is(live.ready(), 'True ServiceReady');
}

spec('SVC-006 SVC-022 a namespace that is terminating counts, is named, and Retry succeeds in the next one', () => {
  const { through, stays } = goingNamespace();
  return living({ ...asDraft, through }, async (live) => {
    assert.is(await deploy(live), null);
    assert.match(live.message() ?? '', /because it is being terminated/);
    await live.pass(200);
    assert.is(live.ready(), 'False ProvisionFailed');
    assert.is(deploymentIn(live.world), undefined);
    stays();
    assert.is(await live.ask('provisionRetry', 'retry'), null);
    await live.pass(5);
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
  });
});

spec('SVC-010 created anew at once under its name, it is another life: nothing of the first one is left', () =>
  living(asDraft, async (live) => {
    await readied(live);
    const uid = live.app().metadata.uid;
    const before = deploymentIn(live.world)?.metadata.uid;
    await live.remove();
    for (let second = 0; second < 120 && appIn(live.world) !== undefined; second++) await live.pass(1);
    putService(live.world, { deploy: { enabled: true } }, {});
    await live.pass(40);
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is.not(live.app().metadata.uid, uid);
    assert.is(live.ready(), 'True ServiceReady');
    assert.is.not(deploymentIn(live.world)?.metadata.uid, before);
    const owners = objectsIn(live.world).map(({ metadata }) => metadata.annotations?.[annotation.ownerUid]);
    assert.equal([...new Set(owners)], [live.app().metadata.uid]);
  }),
);

spec('SVC-041a its only node gone, its pods are told of, and it is Ready again on the next one', () =>
  living(asDraft, async (live) => {
    await readied(live);
    await live.edit((world) => {
      world.cluster.drop({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }, 'one');
      kubelet(world, 'fails');
    });
    await live.pass(60);
    assert.is(live.ready(), 'False ReconcileError');
    assert.is(live.attempts().at(-1)?.phase, 'Succeeded', 'no attempt is under way that could end');
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True ServiceReady');
    assert.ok(live.world.cluster.all(owned.deployments).length === 1);
  }),
);

spec.run();
