import * as assert from 'uvu/assert';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import type { Fault } from './services/fault.ts';
import { silenceMs, environmentWith } from './services/environment.ts';

const spec = suite('faults of watches and lists');

spec('the n-th watch gets 410 Gone, and those before and after do not', async () => {
  const environment = environmentWith({ is: 'goneWatch', at: 2, for: 2 });
  const ends: string[] = [];
  for (let opened = 0; opened < 4; opened++) {
    ends.push((await environment.watch(builds)).ended.as);
    await environment.list();
  }
  assert.equal(ends, ['open', 'Gone', 'Gone', 'open']);
  assert.equal(environment.touched(), [2]);
});

spec('an expired version stays expired until the next list', async () => {
  const environment = environmentWith({ is: 'goneWatch', at: 1 });
  const ends = [(await environment.watch(builds)).ended.as, (await environment.watch(builds)).ended.as];
  await environment.list();
  ends.push((await environment.watch(builds)).ended.as);
  assert.equal(ends, ['Gone', 'Gone', 'open']);
});

spec('a call ends every open watch with 410 before it is executed', async () => {
  const environment = environmentWith({ is: 'relist', at: 2, on: 'write' });
  const one = await environment.watch(builds);
  const other = await environment.watch(secrets);
  const ask = async (name: string) => (await environment.ask(environment.cluster.remove(builds, { name }))).answer;
  await environment.make('a', 'b', 'c');
  await environment.list();
  assert.is(await ask('a'), 'done');
  assert.equal([one.ended.as, other.ended.as], ['open', 'open']);
  assert.is(await ask('b'), 'done');
  assert.equal([one.ended.as, other.ended.as], ['Gone', 'Gone']);
  assert.not.ok(one.told.includes('deleted b'));
  await environment.list();
  const next = await environment.watch(builds);
  assert.is(await ask('c'), 'done');
  assert.equal([next.ended.as, environment.stored(), environment.touched()], ['open', [], [1]]);
});

spec('the relist fault affects nothing when no watch is open', async () => {
  const environment = environmentWith({ is: 'relist', at: 1, on: 'call' });
  await environment.list();
  assert.equal(environment.touched(), [0]);
});

const namesOf = ({ items }: { readonly items: readonly { readonly metadata: { readonly name: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

for (const changes of [1, 2, 3, 4, 5] as const)
  spec(
    `one stale list shows the state of ${changes} changes ago, and a watch from there delivers the changes since`,
    async () => {
      const environment = environmentWith({ is: 'staleList', at: 2, changes });
      await environment.make('a', 'b', 'c');
      await environment.makeSecret('s');
      environment.memory.drop(builds, 'b');
      await environment.makeSecret('t');
      environment.memory.put(builds, { ...environment.memory.all(builds)[0], spec: { app: 'other' } } as never);
      const states = [['a', 'c'], ['a', 'c'], ['a', 'b', 'c'], ['a', 'b'], ['a'], []];
      const changed = ['modified a', 'deleted b', 'added c', 'added b', 'added a'];
      assert.equal(namesOf(await environment.list()), states[0]);
      const old = await environment.list();
      assert.equal(namesOf(old), states[changes]);
      assert.equal((await environment.watch(builds, old.resourceVersion)).told, changed.slice(0, changes).toReversed());
      assert.equal(namesOf(await environment.list()), states[0]);
      assert.equal(environment.touched(), [1]);
    },
  );

spec('a stale list of objects that never changed equals the current one', async () => {
  const environment = environmentWith({ is: 'staleList', at: 1, changes: 3 });
  assert.equal(namesOf(await environment.list()), []);
  assert.equal(environment.touched(), [0]);
});

const recoverable: readonly Fault[] = [
  { is: 'doubleEvent', at: 2, againAfterMs: 0 },
  { is: 'doubleEvent', at: 2, againAfterMs: 5_000 },
  { is: 'delayEvent', at: 2, ms: 5_000 },
  { is: 'overtakeEvent', at: 2, ms: 5_000 },
  { is: 'endWatch', at: 2 },
  { is: 'deafWatch', at: 2 },
  { is: 'anyOrder', seed: 1, mostMs: 2_000 },
  { is: 'goneWatch', at: 1, for: 3 },
  { is: 'relist', at: 1, on: 'write' },
  { is: 'staleList', at: 1, changes: 1 },
  { is: 'refuse', at: 1, for: 3, with: 503, on: 'read' },
  { is: 'timeOut', at: 1, on: 'read' },
];

for (const fault of recoverable)
  spec(`a cache equals the cluster after the fault ${fault.is}`, async () => {
    const environment = environmentWith(fault);
    await environment.make('a', 'gone');
    const cache = await environment.cacheOf(builds);
    await environment.make('b', 'c');
    await environment.ask(environment.cluster.remove(builds, { name: 'gone' }));
    await environment.make('d');
    for (let waited = 0; waited < 2 * silenceMs; waited += 1_000) await environment.later(1_000);
    assert.equal(
      cache
        .list()
        .map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
        .toSorted(),
      environment.memory.all(builds).map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`),
    );
    assert.ok((environment.touched()[0] ?? 0) > 0, 'it was never touched');
    await environment.end();
  });

spec.run();
