import * as assert from 'uvu/assert';
import { conditionOf } from '../../../../rules/condition.ts';
import { deploymentIn, draft, kubelet } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, living, type LiveService, running } from './live.ts';

const spec = suite('services that exit at once');

const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };

/** The container ends a second after each start; its restarts come later and later. */
async function endsAtOnce(live: LiveService): Promise<void> {
  await live.edit((world) => kubelet(world, 'isReady'));
  await live.pass(1);
  for (const waitSeconds of [10, 20, 40, 80]) {
    await live.edit((world) => kubelet(world, 'fails'));
    await live.pass(waitSeconds);
    await live.edit((world) => kubelet(world, 'restarts'));
    await live.pass(1);
  }
}

const wasReady = ({ seen }: LiveService): boolean => seen.some((app) => conditionOf(app, 'Ready')?.status === 'True');

spec('SVC-041 a service whose container ends at once is never Ready and is given up', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await endsAtOnce(live);
    assert.is(wasReady(live), false);
    assert.is(live.ready(), 'False ProvisionFailed');
    assert.equal(
      live.attempts().map(({ phase, errors }) => [phase, errors?.at(-1)?.message]),
      [['Failed', 'Service failed to start']],
    );
  }),
);

spec('SVC-041 a failure between two restarts stays one: the row is not broken while the container runs', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await live.edit((world) => kubelet(world, 'fails'));
    await live.edit((world) => kubelet(world, 'restarts'));
    assert.is(live.message(), 'Service failed to start');
  }),
);

spec('SVC-007 a container that ended and then runs on makes the service Ready once it is available', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await live.edit((world) => kubelet(world, 'restarts'));
    assert.is(live.ready(), 'False ReconcileError');
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
  }),
);

spec('SVC-041a a service that has served is starting while its container is run again', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await running(live);
    await live.edit((world) => kubelet(world, 'restarts'));
    assert.is(live.message(), 'Service is starting');
  }),
);

spec('a pod counts as available once it has run for five seconds, and that is not part of its template', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    const { minReadySeconds, template } = deploymentIn(live.world)?.spec ?? {};
    assert.is(minReadySeconds, 5);
    assert.not.match(JSON.stringify(template), /minReadySeconds/);
  }),
);

spec.run();
