import * as assert from 'uvu/assert';
import { suite } from '../../../support/suite.ts';
import { replay } from './replay.ts';
import { type TraceEvent, traceOf } from './trace.ts';

const spec = suite('the fake Postgres operator against traces of the real one');

for (const file of [
  'creation',
  'failover',
  'scaleUp',
  'scaleDown',
  'scaleDownToSecond',
  'scaleUpBySecond',
  'resources',
  'aloneLost',
  'restore',
]) {
  const trace = traceOf(file);
  spec(`the fake operator reports the trace of the real one when ${trace.scenario}`, () => replay(trace));
}

spec('the fake operator reports only the first instance when a backup cannot be restored', () =>
  replay(traceOf('restoreInVain'), { hangs: true }),
);

spec(
  'the fake operator stops a server for an upgrade without an image and starts it when the version is reverted',
  () => replay(traceOf('upgradeWithoutImage'), { hangs: true }),
);

spec('the fake operator stops work on a server when its volume may not grow', () =>
  replay(traceOf('growthRefused'), { refusesGrowth: true }),
);

/** The operator writes over its own choice and chooses once more, sometimes twice, sometimes never. */
function withoutRepeatedChoice(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const chosen = ({ status }: TraceEvent) =>
    status && Object.keys(status).join() === 'targetPrimary' ? status.targetPrimary : undefined;
  return events.filter((event, at) => {
    const [before, after] = [events[at - 1], events[at + 1]];
    const isTakenBack = chosen(event) !== undefined && after && chosen(after) === 'pending';
    return !isTakenBack && !(chosen(event) === 'pending' && before && chosen(before) !== undefined);
  });
}

spec('the fake operator fails over and reports one instance when the other has no node', () => {
  const trace = traceOf('failoverWithoutNode');
  const events = withoutRepeatedChoice(trace.events);
  const choices = events.flatMap(({ status }) => (status?.targetPrimary ? [status.targetPrimary] : []));
  assert.equal(choices, ['pending', 'orders-1']);
  return replay({ ...trace, events });
});

/** The operator compares the parts of a pod in no fixed order. */
const nodeSelectorFirst = (event: TraceEvent): TraceEvent =>
  JSON.parse(JSON.stringify(event).replace('differ in tolerations', 'differ in node-selector')) as TraceEvent;

spec('the fake operator keeps replacing a pod when its server has an empty map that the pods lack', () => {
  const trace = traceOf('emptyPlacement');
  const restarts = trace.events.filter(({ status }) => status?.phase === 'Upgrading cluster');
  assert.ok(restarts.length > 3);
  // Its last pod answers, and would be replaced once more.
  const last = { at: 60.7, status: restarts[1]?.status ?? {} };
  return replay({ ...trace, events: [...trace.events, last].map(nodeSelectorFirst) }, { isEndless: true });
});

spec.run();
