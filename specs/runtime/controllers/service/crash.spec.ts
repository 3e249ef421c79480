import * as assert from 'uvu/assert';
import { conditionOf } from '../../../../rules/condition.ts';
import { deploymentIn, draft, kubelet } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('services that exit at once');

const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };

/** The container ends a second after each start; its restarts come later and later. */
async function endsAtOnce(session: ServiceSession): Promise<void> {
  await session.edit((environment) => kubelet(environment, 'isReady'));
  await session.pass(1);
  for (const waitSeconds of [10, 20, 40, 80]) {
    await session.edit((environment) => kubelet(environment, 'fails'));
    await session.pass(waitSeconds);
    await session.edit((environment) => kubelet(environment, 'restarts'));
    await session.pass(1);
  }
}

const wasReady = ({ seen }: ServiceSession): boolean =>
  seen.some((app) => conditionOf(app, 'Ready')?.status === 'True');

spec('SVC-041 a service whose container exits at once is never Ready and becomes ProvisionFailed', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await endsAtOnce(session);
    assert.is(wasReady(session), false);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.equal(
      session.attempts().map(({ phase, errors }) => [phase, errors?.at(-1)?.message]),
      [['Failed', 'Service failed to start: the program ends by itself: exit code 1, 0 restarts']],
    );
  }),
);

spec('SVC-041 a failing container stays reported as failed while it restarts', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await session.edit((environment) => kubelet(environment, 'fails'));
    await session.edit((environment) => kubelet(environment, 'restarts'));
    assert.is(session.message(), 'Service failed to start');
  }),
);

spec('SVC-007 a container that exited and then keeps running makes the service Ready when it is available', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await session.edit((environment) => kubelet(environment, 'restarts'));
    assert.is(session.ready(), 'False ReconcileError');
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
  }),
);

spec('SVC-041a a service that was Ready is starting while its container restarts', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    await session.edit((environment) => kubelet(environment, 'restarts'));
    assert.is(session.message(), 'Service is starting');
  }),
);

spec('minReadySeconds of a service is five and does not change its pod template', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    const { minReadySeconds, template } = deploymentIn(session.environment)?.spec ?? {};
    assert.is(minReadySeconds, 5);
    assert.not.match(JSON.stringify(template), /minReadySeconds/);
  }),
);

spec.run();
