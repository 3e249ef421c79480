import * as assert from 'uvu/assert';
import { events } from '../../../runtime/services/cluster/resources.ts';
import { startOperator } from '../../../runtime/start.ts';
import { suite } from '../../support/suite.ts';
import { makeTestEnvironment, until } from '../../support/environment.ts';
import { doing, toggleController, toggles, moved } from './toggle.ts';

const spec = suite('refused moves');

spec('a decision outside the table is counted, reported once by an Event, and shown as a failing pass', async () => {
  const environment = makeTestEnvironment();
  const controller = toggleController(doing({ strays: 'blownAway' }));
  environment.cluster.put(toggles, {
    metadata: { name: 'front', uid: 'u1' },
    status: { phase: 'Open', history: [moved('Open')] },
  });
  const started = await startOperator(environment.services, { controllers: [controller], alsoSeen: [], workers: 1 });
  const { operator } = started;
  const text = 'the table has no arrow for blownAway in Open: refused';
  await until(() => (operator.failure(controller, 'front')?.count ?? 0) >= 2, 'two passes failed');
  assert.is(operator.failure(controller, 'front')?.text, text);
  assert.ok(environment.metrics.refused.length >= 2);
  assert.ok(environment.metrics.refused.every((refused) => refused === 'toggle decided'));
  await until(() => environment.cluster.all(events).length > 0, 'an Event');
  const [event, ...more] = environment.cluster.all(events) as unknown as readonly Record<string, unknown>[];
  assert.equal(
    [event?.['type'], event?.['reason'], event?.['message'], more],
    ['Warning', 'TransitionRefused', text, []],
  );
  assert.equal(environment.cluster.all(toggles)[0]?.status?.phase, 'Open');
  await started.crash();
});

spec.run();
