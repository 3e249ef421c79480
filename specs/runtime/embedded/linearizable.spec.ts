import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Json, at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { times } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { cuttable } from './cuttable.ts';
import { type Ask, type Call, type Watched, checkLinearizable } from './linearizable.ts';
import { type Reply, type Started, configMap, eventually, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('concurrent writers and watches');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const path = `${inSystem}/configmaps`;
const versionOf = (object: unknown) => Number(textAt(object, 'metadata', 'resourceVersion'));
const listed = async (api: Started) => (await api.send('GET', path)).body;

type Does = Ask['does'];
interface Step {
  readonly does: Does;
  readonly name: string;
  /** Asks with what was seen last, without a look. */
  readonly blind: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom<Does>('create', 'create', 'patch', 'replace', 'replace', 'test', 'delete', 'read'),
  name: fc.constantFrom('a', 'b', 'c'),
  blind: fc.boolean(),
});
const writers = fc.array(fc.array(step, { minLength: 4, maxLength: 12 }), { minLength: 3, maxLength: 8 });
const cuts = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 });

interface Seen {
  readonly version: number;
  readonly turn: string;
}

let clock = 0;

function request(api: Started, ask: Ask): Promise<Reply> {
  const one = `${path}/${ask.name}`;
  switch (ask.does) {
    case 'create':
      return api.send('POST', path, { body: configMap(ask.name, { turn: ask.turn }) });
    case 'patch':
      return api.send('PATCH', one, { body: { data: { turn: ask.turn } }, type: merge });
    case 'replace':
      return api.send('PUT', one, {
        body: configMap(ask.name, { turn: ask.turn }, { resourceVersion: String(ask.seen) }),
      });
    case 'test':
      return api.send('PATCH', one, {
        body: [
          { op: 'test', path: '/data/turn', value: ask.expected },
          { op: 'replace', path: '/data/turn', value: ask.turn },
        ],
        type: 'application/json-patch+json',
      });
    case 'delete':
      return api.send('DELETE', one, {
        body: ask.seen === null ? {} : { preconditions: { resourceVersion: String(ask.seen) } },
      });
    case 'read':
      return api.send('GET', one);
  }
}

async function call(api: Started, ask: Ask): Promise<{ readonly call: Call; readonly seen: Seen | null }> {
  const invoked = (clock += 1);
  const { code, body } = await request(api, ask);
  const answered = (clock += 1);
  const version = code < 300 && ask.does !== 'delete' ? versionOf(body) : 0;
  const uid = textAt(body, 'details', 'uid');
  const seen = version > 0 ? { version, turn: textAt(body, 'data', 'turn') } : null;
  return { call: { ask, invoked, answered, code, version, uid }, seen };
}

function askOf({ does, name }: Step, turn: string, seen: Seen | undefined): Ask {
  if (does === 'replace') return { does, name, turn, seen: seen?.version ?? 1 };
  if (does === 'test') return { does, name, turn, expected: seen?.turn ?? 'nothing' };
  if (does === 'delete') return { does, name, seen: seen?.version ?? null };
  return does === 'read' ? { does, name } : { does, name, turn };
}

/** One writer: a request after the other, each made from what this writer has seen. */
async function write(api: Started, lane: string, steps: readonly Step[]): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const known = new Map<string, Seen>();
  const take = async (ask: Ask) => {
    const { call: done, seen } = await call(api, ask);
    calls.push(done);
    if (seen) known.set(ask.name, seen);
  };
  for (const [index, one] of steps.entries()) {
    if (!one.blind) await take({ does: 'read', name: one.name });
    await take(askOf(one, `${lane}-${index}`, known.get(one.name)));
  }
  return calls;
}

const watchedOf = (event: Json): Watched => ({
  type: textAt(event, 'type'),
  name: textAt(event, 'object', 'metadata', 'name'),
  version: Number(textAt(event, 'object', 'metadata', 'resourceVersion')),
  uid: textAt(event, 'object', 'metadata', 'uid'),
  turn: textAt(event, 'object', 'data', 'turn'),
});

/** What watches tell until the object `end` is gone: each is cut off after so many events, the next goes on from there. */
async function followed(api: Started, from: number, cutAfter: readonly number[]): Promise<readonly Watched[]> {
  const watched: Watched[] = [];
  for (let round = 0; ; round += 1) {
    const watch = await api.watch(`${path}?watch=true&resourceVersion=${watched.at(-1)?.version ?? from}`);
    const most = cutAfter[round] ?? Infinity;
    for (let count = 0; count < most; count += 1) {
      const change = (await watch.next(1)).map(watchedOf)[0];
      if (change?.name === 'end' && change.type === 'DELETED') {
        watch.stop();
        return watched.filter(({ name }) => name !== 'end');
      }
      if (change) watched.push(change);
    }
    watch.stop();
  }
}

async function finish(api: Started): Promise<void> {
  await call(api, { does: 'create', name: 'end', turn: '' });
  await call(api, { does: 'delete', name: 'end', seen: null });
}

/** Gives every writer its names back. */
async function clear(api: Started): Promise<void> {
  for (const name of ['a', 'b', 'c']) await call(api, { does: 'delete', name, seen: null });
}

/** The objects that a list shows, and those that changes made of an earlier list, in the same form. */
const shown = (list: Json) =>
  listAt(list, 'items')
    .map((item) => `${textAt(item, 'metadata', 'name')} ${versionOf(item)} ${textAt(item, 'data', 'turn')}`)
    .toSorted();

function applied(list: Json, watched: readonly Watched[]): readonly string[] {
  const names = new Map(
    listAt(list, 'items').map((item) => [
      textAt(item, 'metadata', 'name'),
      `${versionOf(item)} ${textAt(item, 'data', 'turn')}`,
    ]),
  );
  for (const { type, name, version, turn } of watched)
    if (type === 'DELETED') names.delete(name);
    else names.set(name, `${version} ${turn}`);
  return [...names].map(([name, rest]) => `${name} ${rest}`).toSorted();
}

spec(
  'one order explains all responses to concurrent writers, and every interrupted watch delivers that order',
  async ({ api }) => {
    const codes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(writers, cuts, async (scripts, cutAfter) => {
        await clear(api);
        const before = versionOf(await listed(api));
        const watches = [followed(api, before, []), followed(api, before, cutAfter)];
        const writing = Promise.all(scripts.map((steps, lane) => write(api, `${before}-${lane}`, steps)));
        const between = await listed(api);
        const late = followed(api, versionOf(between), cutAfter.toReversed());
        const calls = (await writing).flat();
        const after = await listed(api);
        await finish(api);
        const [whole = [], cut = []] = await Promise.all(watches);
        checkLinearizable(calls, whole);
        assert.equal(cut, whole, 'what is cut and taken up again has no gap, and nothing twice');
        assert.equal(applied(between, await late), shown(after), 'a list and the watch from its version lose nothing');
        for (const { ask, code } of calls) {
          const key = `${ask.does} ${code}`;
          codes.set(key, (codes.get(key) ?? 0) + 1);
        }
      }),
      { numRuns: times(25, 10), endOnFailure: true },
    );
    // What never came about was never checked.
    for (const met of ['create 201', 'create 409', 'replace 200', 'replace 409', 'test 200', 'test 422', 'delete 200'])
      assert.ok((codes.get(met) ?? 0) > 0, `${met} never came about: ${JSON.stringify([...codes])}`);
  },
);

spec('a watch that resumes too late gets 410, and a list with a watch from there is complete', async ({ api }) => {
  await clear(api);
  const old = versionOf((await api.send('POST', path, { body: configMap('a', { turn: '0' }) })).body);
  const place = { bucket: '/configmaps', namespace: 'core-system', name: 'a' };
  await Promise.all(
    Array.from({ length: 4_200 }, (_, turn) =>
      api.store.update(place, (object) => ({ ...object, data: { turn: String(turn) } })),
    ),
  );
  const late = await api.watch(`${path}?watch=true&resourceVersion=${old}`);
  const [event] = await late.next(1);
  await late.ended;
  assert.is(textAt(event, 'type'), 'ERROR');
  assert.is(textAt(event, 'object', 'reason'), 'Expired');
  assert.is(at(event, 'object', 'code'), 410);
  const list = await listed(api);
  const again = followed(api, versionOf(list), [1]);
  await call(api, { does: 'patch', name: 'a', turn: 'last' });
  await finish(api);
  assert.equal(applied(list, await again), shown(await listed(api)));
});

spec('an informer equals a list when its connections are cut repeatedly', async ({ api }) => {
  await clear(api);
  const way = await cuttable(api.url);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'c', server: way.url, caData: Buffer.from(api.caPem).toString('base64') }],
    users: [{ name: 'u', token: api.token }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  const client = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, path, () => client.listNamespacedConfigMap({ namespace: 'core-system' }));
  let stopped = false;
  const start = () => {
    if (!stopped) informer.start().catch(() => setTimeout(start, 20));
  };
  informer.on('error', () => setTimeout(start, 20));
  start();
  const steps = fc.sample(step, { numRuns: 240, seed: 7 });
  let broken = 0;
  for (let round = 0; round < 12; round += 1) {
    const own = steps.slice(round * 20, round * 20 + 20);
    await Promise.all([own.slice(0, 10), own.slice(10)].map((some, lane) => write(api, `${round}-${lane}`, some)));
    await eventually(() => way.open() > 0, 'the informer is back');
    broken += way.cut();
  }
  const list = shown(await listed(api));
  const held = () =>
    informer
      .list('core-system')
      .map(({ metadata, data }) => `${metadata?.name} ${metadata?.resourceVersion} ${data?.['turn'] ?? ''}`)
      .toSorted();
  await eventually(() => held().join() === list.join(), `the informer holds ${list.join()}`);
  assert.ok(broken >= 12, `only ${broken} connections were cut`);
  stopped = true;
  await informer.stop();
  await way.stop();
});

spec.run();
