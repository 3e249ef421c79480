import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { selected } from '../../../runtime/embedded/api/selected.ts';
import { selectionOf } from '../../../runtime/embedded/api/selectors.ts';
import { createLabelIndex } from '../../../runtime/embedded/api/store/labelIndex.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { type ApiStore, createStore } from '../../../runtime/embedded/api/store/store.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { suite } from '../../support/suite.ts';
import { configMap, eventually, inSystem, merge, started } from './started.ts';

const bucket = '/configmaps';
const idsOf = (objects: readonly Stored[]) =>
  objects.map(({ metadata: { namespace, name } }) => `${namespace ?? ''}/${name}`);
const inMemory = () =>
  createStore({ revision: 0, load: () => [], write: async () => {}, close: async () => {} }, logLine);

/** What a request with these selectors selects, as a list does. */
const ask = (store: ApiStore, { labels = '', fields = '', namespace = '' }: Asked) =>
  idsOf(selected(store, { bucket, namespace }, selectionOf(queryOf(labels, fields), { group: '', kind: 'ConfigMap' })));

/** The same by a look at every object there is. */
const scan = (store: ApiStore, { labels = '', fields = '', namespace = '' }: Asked) => {
  const selection = selectionOf(queryOf(labels, fields), { group: '', kind: 'ConfigMap' });
  const all = store.list(bucket).filter(({ metadata }) => namespace === '' || metadata.namespace === namespace);
  return idsOf(all.filter((object) => selection === null || selection.holds(object)));
};

interface Asked {
  readonly labels?: string;
  readonly fields?: string;
  readonly namespace?: string;
}

const queryOf = (labels: string, fields: string) =>
  new URLSearchParams({ labelSelector: labels, fieldSelector: fields });

type Step =
  | { readonly does: 'put'; readonly at: string; readonly name: string; readonly labels: Record<string, string> }
  | { readonly does: 'remove'; readonly at: string; readonly name: string }
  | { readonly does: 'ask'; readonly asked: Asked };

/** Creates an object, or gives the one there is these labels. */
async function take(store: ApiStore, step: Step): Promise<void> {
  if (step.does === 'ask') return assert.equal(ask(store, step.asked), scan(store, step.asked), JSON.stringify(step));
  const place = { bucket, namespace: step.at, name: step.name };
  const there = store.get(place) !== undefined;
  if (step.does === 'remove') return there ? void (await store.remove(place)) : undefined;
  const { labels } = step;
  if (there) await store.update(place, (old) => ({ ...old, metadata: { ...old.metadata, labels } }));
  else await store.create(place, configMap(step.name, {}, { labels }));
}

const at = fc.constantFrom('a', 'a-b', 'b');
const name = fc.integer({ min: 0, max: 30 }).map((number) => `m${number}`);
/** So many that most of them are had by few. */
const value = fc.constantFrom('', 'x', 'y', 'x-y', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w');
/** More labels than are indexed at a time. */
const label = fc.integer({ min: 0, max: 11 }).map((number) => `l${number}`);
const requirement = fc.oneof(
  fc.tuple(label, value).map(([one, is]) => `${one}=${is}`),
  fc.tuple(label, fc.array(value, { minLength: 1, maxLength: 3 })).map(([one, is]) => `${one} in (${is.join(',')})`),
  fc.tuple(label, value).map(([one, is]) => `${one} in (${is},${is})`),
  fc.tuple(label, value).map(([one, is]) => `${one}!=${is}`),
  fc.tuple(label, value).map(([one, is]) => `${one} notin (${is})`),
  label,
  label.map((one) => `!${one}`),
);
const asked: fc.Arbitrary<Asked> = fc.record(
  {
    labels: fc.array(requirement, { maxLength: 2 }).map((parts) => parts.join(',')),
    fields: fc.oneof(
      fc.constant(''),
      name.map((one) => `metadata.name=${one}`),
      name.map((one) => `metadata.name!=${one}`),
    ),
    namespace: fc.oneof(fc.constant(''), at),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('put' as const),
      at,
      name,
      labels: fc.dictionary(label, value, { maxKeys: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), at, name }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('ask' as const), asked }) },
);

const spec = suite('the label index');

spec('the label index finds the same objects as a full scan after any writes', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 80, maxLength: 240 }), async (steps) => {
      const store = inMemory();
      for (const one of steps) {
        await take(store, one);
        if (one.does === 'ask' && one.asked.labels?.includes('=')) found += ask(store, one.asked).length;
      }
    }),
    { numRuns: 100 },
  );
  assert.ok(found > 100, `only ${found} objects were found at all`);
});

spec('the index finds an object by its current labels, and a deleted one by none', async () => {
  const store = inMemory();
  const made = (labels: object) => store.create({ bucket, namespace: 'a', name: 'x' }, configMap('x', {}, { labels }));
  const before = await made({ of: '1', also: '1' });
  const after = await store.update({ bucket, namespace: 'a', name: 'x' }, (old) => ({
    ...old,
    metadata: { ...old.metadata, labels: { of: '2', also: '1' } },
  }));
  const objects = new Map([['x', before]]);
  const index = createLabelIndex(objects);
  const found = () => ['1', '2'].flatMap((is) => [index.keys('of', [is]).length, index.keys('also', [is]).length]);
  assert.equal(found(), [1, 1, 0, 0]);
  index.replace('x', before, after);
  assert.equal(found(), [0, 1, 1, 0]);
  index.replace('x', after, null);
  assert.equal(found(), [0, 0, 0, 0]);
});

spec('a restart keeps the results of searches by label', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-labels-'));
  const first = createStore(openDisk(dir), logLine);
  for (let number = 0; number < 40; number += 1)
    await take(first, { does: 'put', at: 'a', name: `m${number}`, labels: { of: String(number % 20) } });
  await take(first, { does: 'put', at: 'a', name: 'm3', labels: { of: '4' } });
  await take(first, { does: 'remove', at: 'a', name: 'm24' });
  const asks = ['of=3', 'of=4', 'of in (3,4)'].map((labels) => ({ labels }));
  const before = asks.map((one) => ask(first, one));
  await first.close();
  const again = createStore(openDisk(dir), logLine);
  assert.equal(before, [['a/m23'], ['a/m3', 'a/m4'], ['a/m23', 'a/m3', 'a/m4']]);
  assert.equal(
    asks.map((one) => ask(again, one)),
    before,
  );
  await again.close();
  rmSync(dir, { recursive: true });
});

spec('one of many objects is found by label without reading the others', async () => {
  const store = inMemory();
  const many = 2_000;
  await Promise.all(
    Array.from({ length: many }, (_, number) =>
      store.create({ bucket, namespace: 'a', name: `m${number}` }, configMap(`m${number}`)),
    ),
  );
  let looked = 0;
  for (const object of store.list(bucket)) {
    const labels = { of: object.metadata.name };
    Object.defineProperty(object.metadata, 'labels', { get: () => (looked++, labels) });
  }
  const look = () => {
    looked = 0;
    assert.equal(ask(store, { labels: 'of=m7' }), ['a/m7']);
    return looked;
  };
  assert.is.not(look(), 0);
  assert.is(look(), 1, 'asked for again, only what is found is looked at');
});

spec('lists, watches and deletions over the API find fresh writes by label', async () => {
  const api = await started();
  const path = `${inSystem}/configmaps`;
  const names = async (selector: string) => {
    const { body } = await api.send('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`);
    return (body['items'] as readonly unknown[]).map((item) => textAt(item, 'metadata', 'name'));
  };
  for (const name of ['x', 'y', 'z'])
    await api.send('POST', path, { body: configMap(name, {}, { labels: { job: name, all: 'yes' } }) });
  assert.equal(await names('job=y'), ['y']);
  await api.send('PATCH', `${path}/y`, { body: { metadata: { labels: { job: 'x' } } }, type: merge });
  assert.equal(await names('job=y'), []);
  assert.equal(await names('job=x,all=yes'), ['x', 'y']);
  const watch = await api.watch(`${path}?watch=true&labelSelector=job%3Dx`);
  const told = (await watch.next(2)).map((event) => textAt(event, 'object', 'metadata', 'name'));
  assert.equal(told, ['x', 'y']);
  watch.stop();
  await api.send('DELETE', `${path}?labelSelector=job%3Dx`);
  await eventually(async () => (await names('all')).join() === 'z', 'only z is left');
  await api.end();
});

spec.run();
