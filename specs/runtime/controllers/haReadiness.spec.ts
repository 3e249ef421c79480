import * as assert from 'uvu/assert';
import { coreHAReadiness } from '../../../crds/coreHAReadiness.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { haReadinessController } from '../../../runtime/controllers/haReadiness/controller.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { haReadiness } from '../../../runtime/services/cluster/kinds.ts';
import { startSession } from '../../support/session.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';

const spec = suite('the readiness report for high availability');

const putNode = ({ cluster }: TestEnvironment, name: string, unschedulable = false) =>
  void cluster.put(clusterNodes, {
    metadata: { name },
    spec: { unschedulable },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });

spec(
  'DB-180 a report counts the healthy nodes anew whenever their number changes, and is written only then',
  async () => {
    const session = await startSession({
      resource: haReadiness,
      name: 'check',
      controllers: [haReadinessController()],
      prepare: (environment) => {
        for (const name of ['one', 'two', 'three']) putNode(environment, name);
        environment.cluster.put(haReadiness, {
          ...typeMeta(coreHAReadiness),
          metadata: { name: 'check', namespace: 'core-system' },
          spec: { requestedAt: '2027-01-01T00:00:00Z' },
        });
      },
    });
    const healthy = () => [session.object().status?.healthyNodes, session.ready()];
    await session.pass(1);
    assert.equal(healthy(), [3, 'True EnoughNodes']);
    const version = () => session.object().metadata.resourceVersion;
    const before = version();
    await session.edit((environment) => putNode(environment, 'one'));
    await session.pass(60);
    assert.is(version(), before, 'the same nodes');
    await session.edit((environment) => putNode(environment, 'one', true));
    assert.equal(healthy(), [2, 'False TooFewNodes']);
    await session.edit((environment) => putNode(environment, 'one'));
    assert.equal(healthy(), [3, 'True EnoughNodes']);
    await session.end();
  },
);

spec.run();
