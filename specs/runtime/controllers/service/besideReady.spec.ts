import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { awakeBecause, causeOfWakefulness } from '../../../../rules/service/sleep.ts';
import { recordedCauses } from '../../../../rules/cause/record.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { events } from '../../../../runtime/services/cluster/resources.ts';
import { deploymentIn, draft } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, running, withSession } from './session.ts';

const spec = suite('causes of a service beside its copies');

const self = { kind: 'CoreApp', name: 'web', namespace: 'core-system' };

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

spec('SVC-045 another manager that keeps changing something back is noted, and the service stays Ready', () =>
  withSession({ spec: { deploy: { enabled: false } }, annotations: draft }, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    assert.equal(session.app().status?.causes ?? [], []);
    for (let times = 0; times < 3; times++)
      await session.edit(({ cluster }) => {
        const [service] = cluster.all(owned.services) as readonly (KubeObject & { readonly spec?: object })[];
        if (!service) throw new Error('the service has no Service');
        cluster.put(owned.services, {
          ...service,
          spec: { ...service.spec, selector: { app: 'other' } },
        } as typeof service);
      });
    await session.pass(10);
    const [note] = session.app().status?.causes ?? [];
    assert.equal([note?.severity, note?.reason, note?.on.name], ['note', 'Contested', session.app().metadata.name]);
    assert.match(note?.message ?? '', /^Service \S+ keeps being overwritten by /);
    assert.match(session.ready(), 'True');
    const told = session.environment.cluster.all(events) as readonly { readonly reason?: string }[];
    assert.equal(
      told.filter(({ reason }) => reason === 'Contested'),
      [],
      'a note makes no Event',
    );
  }),
);

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
    assert.match(waits?.message ?? '', /example.com\/hold holds it since \d{4}-/);
  }),
);

spec.run();
