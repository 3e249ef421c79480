import { Cause, Context, Effect, Queue, Scope, Stream } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { makeCache } from '../../runtime/cache.ts';
import { builds } from '../../runtime/kinds.ts';
import {
  Away,
  Cluster,
  type ClusterShape,
  Gone,
  type Listed,
  type Refused,
  type Watched,
} from '../../runtime/services/cluster.ts';
import { memoryCluster } from '../support/memoryCluster.ts';
import { suite } from '../support/suite.ts';
import { virtualTime } from '../support/virtualTime.ts';

type Failure = Away | Gone | Refused;
type Events = Queue.Queue<Watched<KubeObject>, Failure | Cause.Done>;

const object = (name: string, version: number, label?: string): KubeObject => ({
  metadata: {
    name,
    uid: `uid-${name}`,
    resourceVersion: String(version),
    ...(label === undefined ? {} : { labels: { team: label } }),
  },
});

/** A server that answers as it is told, and says how it was asked. */
async function start(pages: readonly (Listed<KubeObject> | Failure)[]) {
  const time = virtualTime();
  const answers = [...pages];
  const asked: string[] = [];
  const watches: Events[] = [];
  const cluster: ClusterShape = {
    ...memoryCluster(),
    list: (_, options) =>
      Effect.suspend(() => {
        asked.push(`list ${options?.continue ?? ''}`.trim());
        const answer = answers.shift() ?? new Away({ why: 'no more answers' });
        return '_tag' in answer ? Effect.fail(answer) : Effect.succeed(answer as never);
      }),
    watch: (_, { resourceVersion, silenceMs }) => {
      asked.push(`watch ${resourceVersion} ${silenceMs}`);
      return Stream.callback<Watched<KubeObject>, Failure>((queue) => {
        watches.push(queue);
        return Effect.never;
      }) as never;
    },
  };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const changes: string[] = [];
  const made = Effect.map(makeCache<KubeObject>(builds, { silenceMs: 9_000, labels: ['team'] }), (made) => {
    made.onChange(({ type, object: { metadata }, own, initial }) =>
      changes.push(
        `${type} ${metadata.name}@${metadata.resourceVersion}${own ? ' own' : ''}${initial ? ' initial' : ''}`,
      ),
    );
    return made;
  });
  const cache = await time.wait(Effect.runPromise(Effect.provideContext(made, context)));
  await time.settle();
  const newest = () => {
    const queue = watches.at(-1);
    if (!queue) throw new Error('nobody watches');
    return queue;
  };
  const tell = async (...told: readonly Watched<KubeObject>[]) => {
    for (const one of told) Queue.offerUnsafe(newest(), one);
    await time.settle();
  };
  const fail = async (failure: Failure) => {
    Queue.failCauseUnsafe(newest(), Cause.fail(failure));
    await time.settle();
  };
  const end = async () => {
    Queue.endUnsafe(newest());
    await time.settle();
  };
  const later = (ms: number) => time.moveTo(time.now() + ms);
  const age = () => Effect.runSync(Effect.provideContext(cache.age, context));
  const names = () =>
    cache
      .list()
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .toSorted();
  return { cache, asked, changes, tell, fail, end, later, age, names };
}

const page = (version: number, ...items: readonly KubeObject[]): Listed<KubeObject> => ({
  items,
  resourceVersion: String(version),
});
const more = (listed: Listed<KubeObject>, token: string) => ({ ...listed, continue: token });
const spec = suite('cache');

spec('a list in pages is entered whole, then watched from its version', async () => {
  const { asked, names, changes } = await start([more(page(7, object('a', 3)), 'next'), page(7, object('b', 5))]);
  assert.equal(asked, ['list', 'list next', 'watch 7 9000']);
  assert.equal(names(), ['a@3', 'b@5']);
  assert.equal(changes, ['added a@3 initial', 'added b@5 initial']);
});

spec('what the watch tells is entered, and what is older than what is known is not', async () => {
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

spec('a watch that ends is resumed where it was, after a pause', async () => {
  const { asked, tell, end, later } = await start([page(7)]);
  await tell({ type: 'added', object: object('a', 8) }, { type: 'bookmark', resourceVersion: '12' });
  await end();
  assert.is(asked.at(-1), 'watch 7 9000');
  await later(100);
  assert.is(asked.at(-1), 'watch 12 9000');
  assert.is(asked.filter((one) => one === 'list').length, 1);
});

spec('a silent or refused watch is tried again for ever, ever more rarely, and the pause begins anew', async () => {
  const { asked, fail, later, tell } = await start([page(7)]);
  const silent = new Away({ why: 'silent' });
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
  assert.equal(pauses, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  assert.is(asked.at(-1), 'watch 7 9000');
  await tell({ type: 'added', object: object('a', 8) });
  await fail(silent);
  await later(100);
  assert.is(asked.at(-1), 'watch 8 9000');
});

spec(
  'a watch that is too old is listed again: what is gone is told, what changed is told, the rest is not',
  async () => {
    const { asked, fail, names, changes } = await start([
      page(7, object('a', 3), object('b', 4), object('c', 5)),
      page(20, object('b', 15), object('c', 5)),
    ]);
    await fail(new Gone({ what: 'too old' }));
    assert.equal(asked.slice(-2), ['list', 'watch 20 9000']);
    assert.equal(names(), ['b@15', 'c@5']);
    assert.equal(changes.slice(3), ['deleted a@3', 'modified b@15']);
  },
);

spec('a list that fails is tried again, and nothing is ready before', async () => {
  const { cache, asked, later, names } = await start([
    new Away({ why: 'down' }),
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

spec('a note of this process is entered at once, and never over what is later', async () => {
  const { cache, tell, names, changes } = await start([page(7, object('a', 3))]);
  cache.note(object('a', 9));
  cache.note(object('a', 8));
  await tell({ type: 'modified', object: object('a', 9) });
  assert.equal(names(), ['a@9']);
  assert.equal(changes.slice(1), ['modified a@9 own']);
});

spec('a stale note does not raise from the dead what the watch told is deleted', async () => {
  const { cache, tell, names } = await start([page(7, object('a', 3))]);
  await tell({ type: 'deleted', object: object('a', 12) });
  cache.note(object('a', 11));
  assert.equal(names(), []);
  cache.note(object('a', 13));
  assert.equal(names(), ['a@13']);
});

spec('what was noted while a list was on its way is not taken for deleted', async () => {
  const { cache, fail, names } = await start([page(7, object('a', 3)), page(20)]);
  cache.note(object('new', 25));
  await fail(new Gone({ what: 'too old' }));
  assert.equal(names(), ['new@25']);
});

spec('objects are found by a label, also after it changed', async () => {
  const { cache, tell } = await start([page(7, object('a', 3, 'red'), object('b', 4, 'red'))]);
  const found = (label: string) => cache.labelled('team', label).map(({ metadata }) => metadata.name);
  assert.equal(found('red'), ['a', 'b']);
  await tell({ type: 'modified', object: object('a', 8, 'blue') }, { type: 'deleted', object: object('b', 9, 'red') });
  assert.equal([found('red'), found('blue')], [[], ['a']]);
});

spec('its age is how long ago the API was heard of, bookmarks included', async () => {
  const { age, later, tell } = await start([page(7)]);
  await later(5_000);
  assert.is(age(), 5_000);
  await tell({ type: 'bookmark', resourceVersion: '8' });
  assert.is(age(), 0);
});

spec.run();
