import { Clock, Effect, Fiber, Latch } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import type { EventContent } from '../../../runtime/write/kubeEvent.ts';
import { pendingEvents } from '../../../runtime/write/pendingEvents.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { clockOf } from '../pass/sampleController.ts';

const spec = suite('pending Kubernetes Events');

interface Told extends KubeObject {
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

const shop: KubeObject = { metadata: { name: 'shop', uid: '12345678-9' } };
const blog: KubeObject = { metadata: { name: 'blog', uid: '87654321-0' } };
const content = (id: number, message: string): EventContent => ({
  id: String(id),
  type: 'Normal',
  reason: 'Received',
  message,
  at: `2027-01-01T00:00:0${id}.000Z`,
});

function recorded() {
  const written: Told[] = [];
  const pending = pendingEvents((event) => Effect.sync(() => void written.push(event as Told)));
  const add = (object: KubeObject, ...of: Parameters<typeof content>) => pending.add(projects, object, content(...of));
  const told = () => written.map(({ metadata, message, count }) => [metadata.name, message, count]);
  return { ...pending, add, told, written };
}

const sleeping = (sleep: Clock.Clock['sleep']): Clock.Clock =>
  Object.assign(
    clockOf(() => 0),
    { sleep },
  );

spec('equal Events of an object become one with a count, a first and a last time', async () => {
  const { add, flush, told, written } = recorded();
  add(shop, 1, 'received');
  add(blog, 2, 'received');
  add(shop, 3, 'received');
  add(shop, 4, 'refused');
  add(shop, 5, 'received');
  await Effect.runPromise(flush);
  assert.equal(told(), [
    ['shop.12345678.1', 'received', 3],
    ['blog.87654321.2', 'received', 1],
    ['shop.12345678.4', 'refused', 1],
  ]);
  const [first] = written;
  assert.equal([first?.firstTimestamp, first?.lastTimestamp], ['2027-01-01T00:00:01.000Z', '2027-01-01T00:00:05.000Z']);
});

spec('a written Event is not repeated, and the next one with the same text is another Event', async () => {
  const { add, flush, told } = recorded();
  add(shop, 1, 'received');
  await Effect.runPromise(flush);
  add(shop, 2, 'received');
  await Effect.runPromise(flush);
  await Effect.runPromise(flush);
  assert.equal(told(), [
    ['shop.12345678.1', 'received', 1],
    ['shop.12345678.2', 'received', 1],
  ]);
});

spec('the first Event is written at once, and later ones are collected for a second', async () => {
  const { add, work, told } = recorded();
  const slept: unknown[] = [];
  const over = Latch.makeUnsafe(false);
  const sleep: Clock.Clock['sleep'] = (ms) =>
    Effect.andThen(
      Effect.sync(() => slept.push(ms)),
      over.await,
    );
  const working = Effect.runFork(Effect.provideService(work, Clock.Clock, sleeping(sleep)));
  add(shop, 1, 'received');
  add(shop, 2, 'received');
  await until(() => slept.length === 1, 'it collects');
  assert.equal(told(), [['shop.12345678.1', 'received', 2]]);
  add(shop, 3, 'received');
  add(shop, 4, 'received');
  await new Promise(setImmediate);
  assert.is(told().length, 1);
  over.openUnsafe();
  await until(() => told().length === 2, 'they are written');
  assert.equal(told()[1], ['shop.12345678.3', 'received', 2]);
  await Effect.runPromise(Fiber.interrupt(working));
});

spec('collected Events are written early when there are many', async () => {
  const { add, work, told } = recorded();
  const working = Effect.runFork(
    Effect.provideService(
      work,
      Clock.Clock,
      sleeping(() => Effect.never),
    ),
  );
  for (let part = 1; part <= 3; part++) {
    for (let other = 0; other < 500; other++) add(shop, part, `${part} told ${other}`);
    await until(() => told().length === part * 500, 'they are written');
  }
  await Effect.runPromise(Fiber.interrupt(working));
});

spec('the oldest Events are dropped when more than 2,000 wait', async () => {
  const { add, flush, told } = recorded();
  for (let each = 0; each <= 2_000; each++) add(shop, 1, `told ${each}`);
  await Effect.runPromise(flush);
  assert.is(told().length, 2_000);
  assert.is(told()[0]?.[1], 'told 1');
});

spec.run();
