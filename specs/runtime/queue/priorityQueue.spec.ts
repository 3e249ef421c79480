import { setImmediate as nextTurn } from 'node:timers/promises';
import { Context, Effect, Exit, Fiber, Scope } from 'effect';
import * as assert from 'uvu/assert';
import { makeQueue } from '../../../runtime/queue/priorityQueue.ts';
import { makeWaiters } from '../../../runtime/queue/waiters.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';

/** A queue in virtual time; `taken` waits only for what can happen now. */
async function start() {
  const time = virtualTime();
  const scope = Scope.makeUnsafe();
  const context = time.over(Context.make(Scope.Scope, scope));
  const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
    time.wait(Effect.runPromise(Effect.provideContext(effect, context)));
  const begun = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.runPromise(Effect.provideContext(effect, context));
  const queue = await run(makeQueue);
  const taken = async () => {
    let found: { readonly key: string; readonly finish: () => void } | null = null;
    const stop = Scope.makeUnsafe();
    const taking = queue.take.pipe(
      Effect.map((one) => {
        found = one;
      }),
      Effect.forkIn(stop),
    );
    await run(taking);
    await time.settle();
    await time.wait(Effect.runPromise(Scope.close(stop, Exit.void)));
    return found as { readonly key: string; readonly finish: () => void } | null;
  };
  const key = async () => {
    const one = await taken();
    one?.finish();
    return one?.key ?? null;
  };
  const later = (ms: number) => time.moveTo(time.now() + ms);
  return { queue, run, begun, taken, key, later, now: time.now, wall: time.wall, jump: time.jump, next: time.next };
}

const spec = suite('queue');

spec('a key waits once, however often it is added', async () => {
  const { queue, key } = await start();
  for (const priority of ['high', 'low', 'high'] as const) queue.add('a', priority);
  assert.is(queue.depth(), 1);
  assert.is(await key(), 'a');
  assert.is(await key(), null);
});

spec('a key is processed once at a time, and once more when it was added meanwhile', async () => {
  const { queue, taken, key } = await start();
  queue.add('a', 'high');
  const first = await taken();
  queue.add('a', 'high');
  queue.add('a', 'low');
  assert.is(await key(), null);
  first?.finish();
  assert.is(await key(), 'a');
  assert.is(await key(), null);
});

spec('high priority precedes low, and a key raised to high moves ahead', async () => {
  const { queue, key, later } = await start();
  for (const name of ['a', 'b', 'c']) queue.add(name, 'low');
  queue.add('d', 'high');
  queue.add('c', 'high');
  queue.add('d', 'low');
  assert.equal([await key(), await key(), await key()], ['d', 'c', null]);
  await later(100);
  assert.equal([await key(), await key(), await key()], ['a', 'b', null]);
});

spec('low priority pauses for a millisecond between two keys after a high one, or until one arrives', async () => {
  const { queue, key, later } = await start();
  for (const name of ['a', 'b', 'c']) queue.add(name, 'low');
  assert.is(await key(), 'a', 'nothing fresh was taken');
  queue.add('d', 'high');
  assert.equal([await key(), await key()], ['d', null]);
  await later(1);
  const waiting = key();
  queue.add('e', 'high');
  assert.is(await waiting, 'e');
});

spec('low priority pauses beside high for three times its last pass, at most 10 ms', async () => {
  const { queue, begun, key, later, now } = await start();
  for (const name of ['a', 'b', 'c', 'd']) queue.add(name, 'low');
  const pausedMs = async (tookMs: number) => {
    queue.add('high', 'high');
    assert.is(await key(), 'high');
    const taking = begun(queue.take);
    await later(10);
    const one = await taking;
    await later(tookMs);
    one.finish();
    const finishedAt = now();
    const next = begun(Effect.map(queue.take, (taken) => ({ taken, at: now() })));
    for (let ms = 0; ms < 20; ms++) await later(1);
    const { taken, at } = await next;
    taken.finish();
    return at - finishedAt;
  };
  assert.equal([await pausedMs(2), await pausedMs(20)], [6, 10]);
});

spec('a key releases one waiter, and a waiter that leaves while released releases the next', async () => {
  const { wait, releaseOne } = makeWaiters();
  const gone: string[] = [];
  const waits = (name: string) => Effect.runFork(Effect.map(wait, () => gone.push(name)));
  /** Turns of the event loop and no time: a timer may be due before what was scheduled ahead of it. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  };
  const [first] = [waits('first'), waits('second'), waits('third')];
  releaseOne();
  await Effect.runPromise(Fiber.interrupt(first));
  await settled();
  assert.equal(gone, ['second']);
  releaseOne();
  releaseOne();
  await settled();
  assert.equal(gone, ['second', 'third']);
});

spec('low priority is never starved: every eighth key is taken from it', async () => {
  const { queue, key } = await start();
  queue.add('old', 'low');
  let turns = 0;
  for (let next = null as string | null; next !== 'old'; turns++) {
    for (let one = 0; one < 3; one++) queue.add(`new-${turns}-${one}`, 'high');
    next = await key();
    assert.ok(turns < 8, 'starved');
  }
  assert.ok(turns > 1, 'resync went ahead of fresh');
});

spec('a due time is replaced by a later call, sooner or later', async () => {
  const { queue, run, key, later, now } = await start();
  await run(queue.addIn('a', 10_000));
  await run(queue.addIn('a', 5_000));
  assert.is(queue.dueAt('a'), now() + 5_000);
  await later(4_999);
  assert.is(await key(), null);
  await later(1);
  assert.is(await key(), 'a');
  await later(60_000);
  assert.is(await key(), null);

  await run(queue.addIn('b', 5_000));
  await run(queue.addIn('b', 10_000));
  await later(5_000);
  assert.is(await key(), null);
  await later(5_000);
  assert.is(await key(), 'b');
});

spec('a taken key is not due', async () => {
  const { queue, run, key, later } = await start();
  await run(queue.addIn('a', 5_000));
  queue.add('a', 'high');
  assert.is(await key(), 'a');
  assert.is(queue.dueAt('a'), undefined);
  await later(5_000);
  assert.is(await key(), null);
});

spec('an earlier due time wakes the sleeping queue, and a delay of zero adds the key at once', async () => {
  const { queue, run, key, later } = await start();
  await run(queue.addIn('late', 60_000));
  await later(1_000);
  await run(queue.addIn('soon', 1_000));
  await later(1_000);
  assert.is(await key(), 'soon');
  await run(queue.addIn('now', 0));
  assert.is(await key(), 'now');
});

spec('failures back off from 5 ms, doubled up to a minute, and reset after forget', async () => {
  const { queue, run, now } = await start();
  const pauses: number[] = [];
  for (let failure = 0; failure < 16; failure++) {
    await run(queue.backOff('a'));
    pauses.push((queue.dueAt('a') ?? 0) - now());
  }
  assert.equal(
    pauses.slice(0, 14),
    Array.from({ length: 14 }, (_, n) => 5 * 2 ** n),
  );
  assert.equal(pauses.slice(14), [60_000, 60_000]);
  queue.forget('a');
  await run(queue.backOff('a'));
  assert.is((queue.dueAt('a') ?? 0) - now(), 5);
});

spec('a back-off is at least the requested wait and at least that of its failure count', async () => {
  const { queue, run, now } = await start();
  const pause = async (atLeastMs: number) => {
    await run(queue.backOff('a', atLeastMs));
    return (queue.dueAt('a') ?? 0) - now();
  };
  assert.equal([await pause(3_000), await pause(0), await pause(7)], [3_000, 10, 20]);
});

for (const hours of [5, -5])
  spec(`a clock that is set by ${hours} hours makes no key late`, async () => {
    const { queue, run, key, later, wall, jump } = await start();
    await run(queue.addIn('a', 30_000));
    jump(hours * 3_600_000);
    assert.is(queue.dueAt('a'), wall() + 30_000);
    await later(30_000);
    assert.is(await key(), 'a');
    assert.is(await key(), null);
    await run(queue.addIn('b', 30_000));
    await later(29_999);
    assert.is(queue.dueAt('b'), wall() + 1);
    assert.is(await key(), null);
    await later(1);
    assert.is(await key(), 'b');
  });

for (const hours of [25, -25])
  spec(`a long wait ends within a minute of a clock change by ${hours} hours, once`, async () => {
    const { queue, run, key, later, jump, next, wall } = await start();
    const day = 24 * 3_600_000;
    await run(queue.addIn('deadline', day));
    await later(90_000);
    jump(hours * 3_600_000);
    await later(60_000);
    assert.is(await key(), 'deadline');
    await run(queue.addIn('deadline', day));
    assert.is(queue.dueAt('deadline'), wall() + day);
    for (let minute = 0; minute < 5; minute++) await later(60_000);
    assert.is(await key(), null);
    queue.add('deadline', 'high');
    assert.is(await key(), 'deadline');
    await later(day);
    assert.is(await key(), null);
    assert.is(next(), undefined, 'where nothing waits the clock is not read');
  });

spec('a slightly fast or slow clock does not count as a set clock', async () => {
  const { queue, run, key, later, jump, wall } = await start();
  await run(queue.addIn('a', 3_600_000));
  const due = queue.dueAt('a');
  jump(400);
  await later(60_000);
  assert.is(await key(), null);
  assert.is(queue.dueAt('a'), due, 'the time a person reads does not flicker');
  jump(700);
  await later(60_000);
  assert.is(await key(), 'a');
  await run(queue.addIn('a', 1_000));
  assert.is(queue.dueAt('a'), wall() + 1_000);
});

spec.run();
