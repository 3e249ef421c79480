import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { events, secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { userBuild } from '../support/environment.ts';
import type { Fault } from './services/fault.ts';
import { withFaults } from './services/faulty.ts';
import { environmentWith } from './services/environment.ts';

const spec = suite('faults of calls');
const waitMs = 30_000;

/** Creates four builds in sequence; returns the result of each call and the builds that exist. */
async function four(...faults: readonly Fault[]) {
  const environment = environmentWith(...faults);
  const asked: { readonly answer: string }[] = [];
  for (const name of ['a', 'b', 'c', 'd'])
    asked.push(await environment.ask(environment.cluster.create(builds, userBuild(name))));
  return { ...environment, answers: () => asked.map(({ answer }) => answer) };
}

spec('the conflict fault answers one write with 409 without executing it', async () => {
  const { answers, stored, touched } = await four({ is: 'conflict', at: 2 });
  assert.equal(answers(), ['done', 'Conflict', 'done', 'done']);
  assert.equal([stored(), touched()], [['a', 'c', 'd'], [1]]);
});

for (const code of [429, 500, 503] as const)
  spec(`the refuse fault answers a run of calls with ${code} without executing them`, async () => {
    const { answers, stored, touched } = await four({ is: 'refuse', with: code, at: 2, for: 2, on: 'call' });
    assert.equal(answers(), ['done', 'Unavailable', 'Unavailable', 'done']);
    assert.equal([stored(), touched()], [['a', 'd'], [2]]);
  });

spec('the refuse fault sets Retry-After on 429', async () => {
  const { cluster } = withFaults(environmentWith().memory, [{ is: 'refuse', with: 429, at: 1, on: 'read' }]);
  const failure = await Effect.runPromise(Effect.flip(cluster.list(builds)));
  assert.ok(failure._tag === 'Unavailable' && failure.retryAfterMs === 1_000 && failure.message.startsWith('429 '));
});

spec('the timeOut fault neither executes nor answers a call, which fails after half a minute', async () => {
  const { answers, stored, touched, later } = await four({ is: 'timeOut', at: 2, on: 'write' });
  assert.equal(answers(), ['done', 'waits', 'done', 'done']);
  await later(waitMs - 1);
  assert.equal(answers(), ['done', 'waits', 'done', 'done']);
  await later(1);
  assert.equal(answers(), ['done', 'Unavailable', 'done', 'done']);
  assert.equal([stored(), touched()], [['a', 'c', 'd'], [1]]);
});

spec('the loseAnswer fault executes a write and loses its answer, which fails at once or late', async () => {
  const atOnce = await four({ is: 'loseAnswer', at: 2, noticed: 'atOnce' });
  assert.equal(atOnce.answers(), ['done', 'Unavailable', 'done', 'done']);
  const late = await four({ is: 'loseAnswer', at: 2, noticed: 'late' });
  assert.equal(late.answers(), ['done', 'waits', 'done', 'done']);
  await late.later(waitMs);
  assert.equal(late.answers(), ['done', 'Unavailable', 'done', 'done']);
  for (const { stored, touched } of [atOnce, late]) assert.equal([stored(), touched()], [['a', 'b', 'c', 'd'], [1]]);
});

spec('a lost answer does not turn a refused write into a success', async () => {
  const environment = environmentWith({ is: 'loseAnswer', at: 2, noticed: 'atOnce' });
  await environment.ask(environment.cluster.create(builds, userBuild('a')));
  assert.is((await environment.ask(environment.cluster.create(builds, userBuild('a')))).answer, 'AlreadyExists');
});

spec('the slow fault delays a call and its answer', async () => {
  const { answers, stored, later } = await four({ is: 'slow', at: 2, ms: 100, on: 'call' });
  assert.equal(
    [answers(), stored()],
    [
      ['done', 'waits', 'done', 'done'],
      ['a', 'c', 'd'],
    ],
  );
  await later(100);
  assert.equal(
    [answers(), stored()],
    [
      ['done', 'waits', 'done', 'done'],
      ['a', 'b', 'c', 'd'],
    ],
  );
  await later(100);
  assert.equal(answers(), ['done', 'done', 'done', 'done']);
});

spec('every kind of read and write is counted, reads and writes separately', async () => {
  const methods = async (fault: Fault) => {
    const environment = environmentWith(fault);
    await environment.make('a');
    const { cluster, ask } = environment;
    const calls = [
      await ask(cluster.get(builds, { name: 'a' })),
      await ask(cluster.patch(builds, { name: 'a' }, {})),
      await ask(cluster.list(builds)),
      await ask(cluster.patchStatus(builds, { name: 'a' }, {})),
      await ask(cluster.podLog({ name: 'a' }, { container: 'c' })),
      await ask(cluster.create(builds, userBuild('b'))),
      await ask(cluster.apply(builds, userBuild('c'), 'nothing')),
      await ask(cluster.remove(builds, { name: 'b' })),
    ];
    return calls.map(({ answer }) => answer === 'Unavailable');
  };
  const refused = (on: 'read' | 'write' | 'call'): Fault => ({ is: 'refuse', with: 503, at: 1, for: 99, on });
  assert.equal(await methods(refused('read')), [true, false, true, false, true, false, false, false]);
  assert.equal(await methods(refused('write')), [false, true, false, true, false, true, true, true]);
  assert.equal(await methods(refused('call')), [true, true, true, true, true, true, true, true]);
});

spec('an apply whose answer is lost is done, and one that times out or meets a conflict is not', async () => {
  const applied = async (fault: Fault) => {
    const environment = environmentWith(fault);
    const apply = () => environment.cluster.apply(builds, userBuild('a'), 'nothing');
    const first = await environment.ask(apply());
    await environment.later(31_000);
    return [first.answer, (await environment.ask(apply())).answer, environment.stored().length];
  };
  assert.equal(await applied({ is: 'loseAnswer', at: 1, noticed: 'late' }), ['Unavailable', 'Conflict', 1]);
  assert.equal(await applied({ is: 'timeOut', at: 1, on: 'write' }), ['Unavailable', 'done', 1]);
  assert.equal(await applied({ is: 'conflict', at: 1 }), ['Conflict', 'done', 1]);
});

spec('Events and Leases count only when they are meant', async () => {
  const event = {
    metadata: { name: 'e', namespace: systemNamespace },
    involvedObject: { namespace: systemNamespace },
  };
  const every: Fault = { is: 'refuse', with: 503, at: 1, on: 'write' };
  const environment = environmentWith(every);
  assert.is((await environment.ask(environment.cluster.create(events, event))).answer, 'done');
  assert.is((await environment.ask(environment.cluster.create(builds, userBuild('a')))).answer, 'Unavailable');
  const meant = environmentWith({ ...every, of: 'events' });
  assert.is((await meant.ask(meant.cluster.create(secrets, { metadata: { name: 's' } }))).answer, 'done');
  assert.is((await meant.ask(meant.cluster.create(events, event))).answer, 'Unavailable');
});

spec('several faults apply in order, and each reports whether it took effect', async () => {
  const faults: readonly Fault[] = [
    { is: 'conflict', at: 1 },
    { is: 'loseAnswer', at: 3, noticed: 'atOnce' },
    { is: 'refuse', with: 500, at: 9, on: 'write' },
  ];
  const { answers, stored, touched } = await four(...faults);
  assert.equal(answers(), ['Conflict', 'done', 'Unavailable', 'done']);
  assert.equal(
    [stored(), touched()],
    [
      ['b', 'c', 'd'],
      [1, 1, 0],
    ],
  );
});

spec.run();
