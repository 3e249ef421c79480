import * as assert from 'uvu/assert';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { serviceReady } from '../../../../rules/service/ready.ts';
import { awakeBecause, causeOfWakefulness } from '../../../../rules/service/sleep.ts';
import { findings } from '../../../../rules/cause/findings.ts';
import { recordedCauses } from '../../../../rules/cause/record.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { deploymentIn, draft } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, running, withSession } from './session.ts';

const spec = suite('causes of a service beside its copies');

const self = { kind: 'CoreApp', name: 'web', namespace: 'core-system' };

spec('SVC-045 a service whose objects are still to be written says so while no copy does', () => {
  const row = serviceReady.at(-1);
  assert.is(row?.message({} as never).text, 'Service is being provisioned');
  const input = { self, job: () => undefined, causeOf: () => undefined };
  const found = (copies: readonly FoundCause[], gaveUp: unknown = null) =>
    findings(row ? [row] : [], { gaveUp } as never, { ...input, copies: () => copies });
  assert.is(found([])[0]?.reason, 'CopiesStarting');
  assert.equal(found([], { by: 'failures' }), [], 'nothing is tried any more');
  const quota: FoundCause = { reason: 'QuotaExceeded', message: { text: 'full' }, on: self };
  assert.equal(found([quota]), [quota]);
});

spec('a service that stays awake although sleep is requested notes why', () => {
  const why = awakeBecause({
    spec: { scaleToZero: { enabled: true } } as never,
    cluster: { spec: { addons: { serverless: true } } } as never,
    isServed: true,
    host: '',
  });
  const { causes } = recordedCauses([], { found: [causeOfWakefulness(why ?? '', self)], gaveUp: false }, 0);
  assert.equal(
    causes.map(({ severity, message }) => [severity, message]),
    [['note', 'the service stays awake: the service has no public host']],
  );
});

spec('SVC-047 a service that is deleted names what remains and which finalizer holds it', () =>
  withSession({ spec: { deploy: { enabled: false } }, annotations: draft }, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    const held = deploymentIn(session.environment);
    if (!held) throw new Error('the service has no Deployment');
    const { name, namespace } = held.metadata;
    const finalizers = ['example.com/hold'];
    session.environment.cluster.put(owned.deployments, { ...held, metadata: { ...held.metadata, finalizers } });
    await session.remove();
    await session.pass(10);
    const waits = session.app().status?.causes?.[0];
    assert.equal(
      [waits?.of, waits?.reason, waits?.on],
      ['Deletion', 'DeletionWaits', { kind: 'Deployment', name, namespace }],
    );
    assert.match(waits?.message ?? '', 'example.com/hold holds it');
  }),
);

spec.run();
