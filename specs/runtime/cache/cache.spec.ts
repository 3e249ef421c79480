import { Context, Effect, Schedule, Scope, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { makeCache } from '../../../runtime/cache/cache.ts';
import { postgresClusters } from '../../../runtime/owned/addonKinds.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { Unavailable, Cluster, type ClusterShape, Gone, Refused } from '../../../runtime/services/cluster/cluster.ts';
import { definitionOf } from '../../../runtime/services/cluster/resources.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { more, object, page, start } from './scriptedServer.ts';

const spec = suite('cache');

spec('a paged list is cached completely, then watched from its version', async () => {
  const { asked, names, changes } = await start([more(page(7, object('a', 3)), 'next'), page(7, object('b', 5))]);
  assert.equal(asked, ['list', 'list next', 'watch 7 9000']);
  assert.equal(names(), ['a@3', 'b@5']);
  assert.equal(changes, ['added a@3 initial', 'added b@5 initial']);
});

spec('watch events older than the cached version are ignored', async () => {
  const { tell, names, changes } = await start([page(7, object('a', 3))]);
  await tell(
    { type: 'added', object: object('b', 8) },
    { type: 'modified', object: object('a', 9) },
    { type: 'modified', object: object('a', 4) },
    { type: 'deleted', object: object('b', 10) },
    { type: 'deleted', object: object('never', 11) },
  );
  assert.equal(names(), ['a@9']);
  assert.equal(changes.slice(1), ['added b@8', 'modified a@9', 'deleted b@8']);
});

spec('a version of many digits is compared as a number', async () => {
  const { tell, names } = await start([page(7, object('a', 3))]);
  await tell({ type: 'modified', object: object('a', 10) }, { type: 'modified', object: object('a', 9) });
  assert.equal(names(), ['a@10']);
});

spec('an ended watch is resumed at its version after a pause', async () => {
  const { asked, tell, end, later } = await start([page(7)]);
  await tell({ type: 'added', object: object('a', 8) }, { type: 'bookmark', resourceVersion: '12' });
  await end();
  assert.is(asked.at(-1), 'watch 7 9000');
  await later(100);
  assert.is(asked.at(-1), 'watch 12 9000');
  assert.is(asked.filter((one) => one === 'list').length, 1);
});

spec('a silent or refused watch is retried forever with growing pauses, which reset after a success', async () => {
  const { asked, fail, later, tell } = await start([page(7)]);
  const silent = new Unavailable({ message: 'silent' });
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    const before = asked.length;
    await fail(silent);
    let pause = 0;
    while (asked.length === before) {
      await later(100);
      pause += 100;
    }
    pauses.push(pause);
  }
  assert.equal(pauses, [100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000]);
  assert.is(asked.at(-1), 'watch 7 9000');
  await tell({ type: 'added', object: object('a', 8) });
  await fail(silent);
  await later(100);
  assert.is(asked.at(-1), 'watch 8 9000');
});

spec('an expired watch lists the kind and reports deletions and changes only', async () => {
  const { asked, fail, names, changes } = await start([
    page(7, object('a', 3), object('b', 4), object('c', 5)),
    page(20, object('b', 15), object('c', 5)),
  ]);
  await fail(new Gone({ what: 'too old' }));
  assert.equal(asked.slice(-2), ['list', 'watch 20 9000']);
  assert.equal(names(), ['b@15', 'c@5']);
  assert.equal(changes.slice(3).toSorted(), ['deleted a@3', 'modified b@15']);
});

spec('a failed list is retried, and the cache is not ready before', async () => {
  const { cache, asked, later, names } = await start([
    new Unavailable({ message: 'down' }),
    new Gone({ what: 'page' }),
    page(7, object('a', 3)),
  ]);
  assert.equal(names(), []);
  let synced = false;
  void Effect.runPromise(cache.synced).then(() => (synced = true));
  await later(100);
  await later(200);
  assert.is(asked.filter((one) => one === 'list').length, 3);
  assert.equal(names(), ['a@3']);
  assert.is(synced, true);
});

spec('a write of this process is cached at once, but not over a later version', async () => {
  const { cache, tell, names, changes } = await start([page(7, object('a', 3))]);
  cache.note(object('a', 9));
  cache.note(object('a', 8));
  await tell({ type: 'modified', object: object('a', 9) });
  assert.equal(names(), ['a@9']);
  assert.equal(changes.slice(1), ['modified a@9 own']);
});

spec('a stale note does not restore what the watch reported as deleted', async () => {
  const { cache, tell, names } = await start([page(7, object('a', 3))]);
  await tell({ type: 'deleted', object: object('a', 12) });
  cache.note(object('a', 11));
  assert.equal(names(), []);
  cache.note(object('a', 13));
  assert.equal(names(), ['a@13']);
});

spec('an object written during a list is not reported as deleted', async () => {
  const { cache, fail, names } = await start([page(7, object('a', 3)), page(20)]);
  cache.note(object('new', 25));
  await fail(new Gone({ what: 'too old' }));
  assert.equal(names(), ['new@25']);
});

spec('objects are found by their current label', async () => {
  const { cache, tell } = await start([page(7, object('a', 3, 'red'), object('b', 4, 'red'))]);
  const found = (label: string) => cache.indexed('team', label).map(({ metadata }) => metadata.name);
  assert.equal(found('red'), ['a', 'b']);
  await tell({ type: 'modified', object: object('a', 8, 'blue') }, { type: 'deleted', object: object('b', 9, 'red') });
  assert.equal([found('red'), found('blue')], [[], ['a']]);
});

spec('the age of a cache is the time since the last answer of the API, bookmarks included', async () => {
  const { age, later, tell } = await start([page(7)]);
  await later(5_000);
  assert.is(age(), 5_000);
  await tell({ type: 'bookmark', resourceVersion: '8' });
  assert.is(age(), 0);
});

spec('the age of a cache is unaffected when the clock is set', async () => {
  const { age, later, jump } = await start([page(7)]);
  await later(5_000);
  for (const hours of [3, -7]) jump(hours * 3_600_000);
  assert.is(age(), 5_000);
});

/** Returns how long until the next request to the API. */
async function pauseOf({ asked, later }: Awaited<ReturnType<typeof start>>): Promise<number> {
  const before = asked.length;
  let pause = 0;
  while (asked.length === before) {
    await later(100);
    pause += 100;
  }
  return pause;
}

spec('a successful list resets earlier failures', async () => {
  const down = new Unavailable({ message: 'down' });
  const server = await start([...Array.from({ length: 6 }, () => down), page(7)]);
  for (let failure = 0; failure < 6; failure++) await pauseOf(server);
  assert.is(server.asked.at(-1), 'watch 7 9000');
  await server.fail(down);
  assert.is(await pauseOf(server), 100);
});

spec('a list or a watch waits as long as the server asks, at most a minute', async () => {
  const busy = (seconds: number) => new Unavailable({ message: 'too many requests', retryAfterMs: seconds * 1_000 });
  const server = await start([busy(3), busy(3_600), page(7)]);
  assert.equal([await pauseOf(server), await pauseOf(server)], [3_000, 60_000]);
  await server.fail(busy(30));
  assert.is(await pauseOf(server), 30_000);
  await server.fail(busy(0.1));
  assert.is(await pauseOf(server), 200);
});

spec('the cache lists with growing pauses while every version is expired, until a watch delivers', async () => {
  const server = await start(Array.from({ length: 9 }, () => page(7)));
  const tooOld = new Gone({ what: 'too old' });
  const pauses: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = server.lists();
    await server.fail(tooOld);
    let pause = 0;
    while (server.lists() === before) {
      await server.later(100);
      pause += 100;
    }
    pauses.push(pause);
  }
  assert.equal(pauses, [0, 100, 200, 400, 800]);
  await server.tell({ type: 'bookmark', resourceVersion: '8' });
  const before = server.lists();
  await server.fail(tooOld);
  assert.is(server.lists(), before + 1);
});

spec('an object that was deleted and recreated unobserved is reported as both', async () => {
  const again = { metadata: { ...object('a', 15).metadata, uid: 'another' } };
  const { fail, changes } = await start([page(7, object('a', 3)), page(20, again)]);
  await fail(new Gone({ what: 'too old' }));
  assert.equal(changes.slice(1), ['deleted a@3', 'added a@15']);
});

spec('a listener that throws stops neither other listeners nor the watch', async () => {
  const { cache, tell, later, asked, names, changes } = await start([page(7)]);
  const heard: string[] = [];
  cache.onChange(({ object: { metadata } }) => {
    if (metadata.name === 'bad') throw new Error('it cannot be');
  });
  cache.onChange(({ object: { metadata } }) => heard.push(metadata.name));
  await tell({ type: 'added', object: object('bad', 8) });
  await later(100);
  assert.is(asked.at(-1), 'watch 8 9000');
  await tell({ type: 'added', object: object('good', 9) });
  assert.equal(
    [names(), heard, changes],
    [
      ['bad@8', 'good@9'],
      ['bad', 'good'],
      ['added bad@8', 'added good@9'],
    ],
  );
});

spec('objects of the same name in two namespaces are separate', async () => {
  const there = { metadata: { ...object('a', 4).metadata, namespace: 'elsewhere', uid: 'uid-there' } };
  const { cache, tell } = await start([page(7, object('a', 3), there)]);
  const versions = () => [cache.get('a'), cache.get('a', 'elsewhere')].map((one) => one?.metadata.resourceVersion);
  assert.equal(versions(), ['3', '4']);
  assert.equal(
    cache.list('elsewhere').map(({ metadata }) => metadata.uid),
    ['uid-there'],
  );
  await tell({ type: 'deleted', object: { metadata: { ...there.metadata, resourceVersion: '9' } } });
  assert.equal(versions(), ['3', undefined]);
});

spec('an undeclared index is an error', async () => {
  const { cache } = await start([page(7)]);
  assert.throws(() => cache.indexed('colour', 'red'), /no index is called colour/);
});

spec('a resource is listed and watched with its declared namespace and labels', async () => {
  const time = virtualTime();
  const options: object[] = [];
  const cluster: ClusterShape = {
    ...memoryCluster(),
    list: (_, asked) => {
      options.push(asked ?? {});
      return Effect.succeed(page(7) as never);
    },
    watch: (_, { namespace, labelSelector }) => {
      options.push({ namespace, labelSelector });
      return Stream.never;
    },
  };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const ours = { ...builds, cached: { everywhere: true, labelSelector: 'ours' } } as const;
  await time.wait(Effect.runPromise(Effect.provideContext(makeCache(ours), context)));
  await time.settle();
  const scope = { namespace: 'all', labelSelector: 'ours' };
  assert.equal(options, [{ ...scope, limit: 500 }, scope]);
});

spec('a kind is listed when its definition is installed, and not before', async () => {
  const time = virtualTime();
  const memory = memoryCluster();
  const lists: string[] = [];
  const cluster: ClusterShape = {
    ...memory,
    list: (resource, options) => {
      lists.push(resource.plural);
      return memory.list(resource, options);
    },
  };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const cache = await time.wait(Effect.runPromise(Effect.provideContext(makeCache(postgresClusters), context)));
  await time.settle();
  await time.moveTo(time.now() + 100_000);
  assert.equal(lists, ['clusters', 'customresourcedefinitions']);
  memory.put(definitionOf('clusters.postgresql.cnpg.io'), { metadata: { name: 'clusters.postgresql.cnpg.io' } });
  await time.settle();
  memory.put(postgresClusters, { metadata: { name: 'a', labels: { 'core.platform/managed-by': 'core' } } });
  await time.settle();
  assert.equal(lists.slice(2), ['clusters']);
  assert.equal(
    cache.list().map(({ metadata }) => metadata.name),
    ['a'],
  );
});

spec(
  'a kind whose definition cannot be read is empty and synced, and is checked every 30 s until it is served',
  async () => {
    const missing = new Refused({ status: 404, message: 'the server could not find the requested resource' });
    const { cache, fail, later, names, asked } = await start([missing, page(7, object('a', 3)), missing, page(12)]);
    let synced = false;
    void Effect.runPromise(cache.synced).then(() => (synced = true));
    await later(1);
    assert.is(synced, true);
    assert.equal(names(), []);
    await later(30_000);
    assert.equal(names(), ['a@3']);
    await fail(missing);
    await later(30_000);
    assert.equal(names(), []);
    assert.is(asked.at(-1), 'list');
    await later(30_000);
    assert.is(asked.at(-1), 'watch 12 9000');
  },
);

spec('a quiet kind is not stale while the API accepts its watch', async () => {
  const { age, fail, later } = await start([page(7, object('a', 3))]);
  await later(9_000);
  assert.is(age(), 9_000);
  // A server that sends no bookmarks of a kind has nothing to say of it for hours.
  await fail(new Unavailable({ message: 'nothing came for 9 s' }));
  await later(1_000);
  assert.ok(age() < 1_000, `${age()} ms`);
});

spec('the watch of a quiet kind restarts at once after any number of ends without a change', async () => {
  const { asked, later, fail } = await start([page(7)]);
  for (let ended = 1; ended <= 9; ended++) {
    await later(9_000);
    await fail(new Unavailable({ message: 'silent' }));
    await later(100);
    assert.is(asked.filter((one) => one.startsWith('watch')).length, 1 + ended);
  }
});

spec('a watch that is not accepted is abandoned after five seconds', async () => {
  const time = virtualTime();
  let begun = 0;
  const never = Stream.callback<never>(() => Effect.sync(() => void (begun += 1)).pipe(Effect.andThen(Effect.never)));
  const cluster: ClusterShape = { ...memoryCluster(), watch: () => never };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  await time.wait(Effect.runPromise(Effect.provideContext(makeCache(builds), context)));
  await time.settle();
  assert.is(begun, 1);
  await time.moveTo(time.now() + 5_000);
  await time.moveTo(time.now() + 100);
  assert.is(begun, 2);
});

spec('a kind without a definition is not stale while the API reports it as missing', async () => {
  const missing = new Refused({ status: 404, message: 'the server could not find the requested resource' });
  const { age, later } = await start([missing, missing, missing]);
  await later(30_000);
  assert.is(age(), 0);
  await later(29_000);
  assert.is(age(), 29_000);
});

spec('a kind without a definition is not stale while the watch of definitions reports bookmarks', async () => {
  const time = virtualTime();
  const bookmark = Stream.make({ type: 'bookmark', resourceVersion: '9' } as const);
  const every = Stream.repeat(bookmark, Schedule.spaced('60 seconds'));
  const cluster: ClusterShape = {
    ...memoryCluster(),
    watch: (_, { opened = Effect.void }) => Stream.unwrap(Effect.as(opened, every)),
  };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const cache = await time.wait(Effect.runPromise(Effect.provideContext(makeCache(postgresClusters), context)));
  await time.settle();
  await time.moveTo(time.now() + 400_000);
  assert.ok(Effect.runSync(Effect.provideContext(cache.age, context)) <= 60_000);
});

spec.run();
