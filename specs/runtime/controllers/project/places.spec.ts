import * as assert from 'uvu/assert';
import { coreProject, type CoreProject, type WebhookDelivery } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { deliveriesWith } from '../../../../runtime/controllers/project/lifecycles/webhookDelivery/lifecycle.ts';
import { entryMachines } from '../../../../runtime/step/entries.ts';
import { makeSender } from '../../../../runtime/services/webhooks/sender.ts';
import { inSystem, projectName } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('capacity for deliveries');
const at = '2027-01-01T00:00:00.000Z';

spec('WHK-041 a pass starts one delivery among those that wait for capacity', () => {
  let turns: readonly string[] = [];
  const sender = { ...makeSender('here'), ahead: (delivery: string) => (turns.includes(delivery) ? 0 : 8) };
  const list = deliveriesWith(sender);
  const waiting = (deliveryId: string, more: Partial<WebhookDelivery> = {}) => ({
    webhookId: '11111111',
    event: 'test',
    deliveryId,
    time: at,
    attempts: 0,
    ...more,
  });
  const ended = { attempts: 1, endedAt: at };
  const webhook = { id: '11111111', url: 'https://hooks.example/core' };
  const webhookDeliveries = ['a', 'b', 'c', 'd'].map((id) => waiting(id)).concat(waiting('e', ended));
  const decidedOn = (disabled = false) => {
    const project: CoreProject = {
      ...typeMeta(coreProject),
      metadata: inSystem(projectName),
      spec: { clusterRef: { name: 'local' }, environments: [], webhooks: [{ ...webhook, disabled }] },
      status: { webhookDeliveries },
    };
    return entryMachines([list], project)
      .filter(({ item }) => item?.isWanted(project) === true)
      .map(({ item }) => item?.key);
  };
  assert.equal(decidedOn(), ['a', 'e']);
  turns = ['a', 'c'];
  assert.equal(decidedOn(), ['a', 'b', 'c', 'e']);
  assert.equal(decidedOn(true), ['a', 'b', 'c', 'd', 'e']);
});

spec.run();
