import * as assert from 'uvu/assert';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import type { Fault } from './services/fault.ts';
import { silenceMs, environmentWith } from './services/environment.ts';

const spec = suite('faults of watch events');
const names = ['a', 'b', 'c', 'd'];
const all = names.map((name) => `added ${name}`);

/** A watch that reports four builds, with a fault at the second. */
async function four(fault: Fault) {
  const environment = environmentWith(fault);
  const watch = await environment.watch(builds);
  await environment.make(...names);
  return { ...environment, ...watch };
}

spec('every event is delivered unchanged when no fault is injected', async () => {
  const environment = environmentWith();
  const { told, ended } = await environment.watch(builds);
  await environment.make(...names);
  environment.memory.bookmark();
  await environment.time.settle();
  assert.equal([told, ended.as], [[...all, 'bookmark'], 'open']);
});

spec('the loseEvent fault loses one event and delivers the others and the bookmarks', async () => {
  const { told, touched, memory, later } = await four({ is: 'loseEvent', at: 2 });
  memory.bookmark();
  await later(silenceMs);
  assert.equal(told, ['added a', 'added c', 'added d', 'bookmark']);
  assert.equal(touched(), [1]);
});

spec('a repeated event is delivered twice, at once or after others', async () => {
  const atOnce = await four({ is: 'doubleEvent', at: 2, againAfterMs: 0 });
  assert.equal(atOnce.told, ['added a', 'added b', 'added b', 'added c', 'added d']);
  const again = await four({ is: 'doubleEvent', at: 2, againAfterMs: 500 });
  assert.equal(again.told, all);
  await again.later(499);
  assert.equal(again.told, all);
  await again.later(1);
  assert.equal(again.told, [...all, 'added b']);
  assert.equal([atOnce.touched(), again.touched()], [[1], [1]]);
});

spec('a late event delays the later ones of its watch', async () => {
  const { told, later, touched } = await four({ is: 'delayEvent', at: 2, ms: 500 });
  assert.equal(told, ['added a']);
  await later(499);
  assert.equal(told, ['added a']);
  await later(1);
  assert.equal(told, all);
  assert.equal(touched(), [1]);
});

spec('an overtaken change arrives after later ones', async () => {
  const { told, later, touched } = await four({ is: 'overtakeEvent', at: 2, ms: 500 });
  assert.equal(told, ['added a', 'added c', 'added d']);
  await later(500);
  assert.equal(told, ['added a', 'added c', 'added d', 'added b']);
  assert.equal(touched(), [1]);
});

spec('a watch ends after one event, and another one delivers the rest', async () => {
  const { told, ended, touched, watch, memory } = await four({ is: 'endWatch', at: 2 });
  assert.equal([told, ended.as], [['added a', 'added b'], 'ended']);
  const version = memory.all(builds).find(({ metadata }) => metadata.name === 'b')?.metadata.resourceVersion;
  assert.equal((await watch(builds, version)).told, ['added c', 'added d']);
  assert.equal(touched(), [1]);
});

spec('a deaf watch delivers neither changes nor bookmarks until its silence is noticed', async () => {
  const { told, ended, later, touched, memory } = await four({ is: 'deafWatch', at: 2 });
  memory.bookmark();
  await later(silenceMs - 1);
  assert.equal([told, ended.as], [['added a'], 'open']);
  await later(1);
  assert.equal([told, ended.as], [['added a'], 'Unavailable']);
  assert.equal(touched(), [1]);
});

spec('changes of different kinds arrive in any order, and those of one kind in order', async () => {
  const environment = environmentWith({ is: 'anyOrder', seed: 3, mostMs: 1_000 });
  const one = await environment.watch(builds);
  const other = await environment.watch(secrets);
  const came: string[] = [];
  for (let index = 0; index < 8; index++) {
    await environment.make(`b${index}`);
    await environment.makeSecret(`s${index}`);
  }
  const told = [0, 0];
  for (let ms = 0; ms < 9_000; ms++) {
    await environment.later(1);
    for (const [which, { told: heard }] of [one, other].entries()) {
      came.push(...heard.slice(told[which]));
      told[which] = heard.length;
    }
  }
  assert.equal(
    one.told,
    Array.from({ length: 8 }, (_, index) => `added b${index}`),
  );
  assert.equal(
    other.told,
    Array.from({ length: 8 }, (_, index) => `added s${index}`),
  );
  const written = Array.from({ length: 8 }, (_, index) => [`added b${index}`, `added s${index}`]).flat();
  assert.equal(came.toSorted(), written.toSorted());
  assert.not.equal(came, written);
  assert.ok((environment.touched()[0] ?? 0) > 8);
});

spec('the same seed gives the same order, another one another', async () => {
  const order = async (seed: number) => {
    const environment = environmentWith({ is: 'anyOrder', seed, mostMs: 100 });
    const watch = await environment.watch(builds);
    await environment.make(...names);
    const at: number[] = [];
    for (let ms = 0; ms < 400; ms++) {
      while (at.length < watch.told.length) at.push(ms);
      await environment.later(1);
    }
    return at;
  };
  assert.equal(await order(1), await order(1));
  assert.not.equal(await order(1), await order(2));
});

spec('only events of the named resource are counted, Events and Leases only when named', async () => {
  const environment = environmentWith({ is: 'loseEvent', at: 2, of: 'corebuilds' });
  const one = await environment.watch(builds);
  const other = await environment.watch(secrets);
  await environment.makeSecret('s');
  await environment.make('a');
  await environment.makeSecret('t');
  await environment.make('b', 'c');
  assert.equal(
    [one.told, other.told],
    [
      ['added a', 'added c'],
      ['added s', 'added t'],
    ],
  );
  assert.equal(environment.touched(), [1]);
});

spec('a fault beyond the last event affects nothing and reports that it was not reached', async () => {
  const { told, touched } = await four({ is: 'loseEvent', at: 5 });
  assert.equal(told, all);
  assert.equal(touched(), [0]);
});

spec.run();
