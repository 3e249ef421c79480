import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { type Disk, openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { type ApiStore, createStore } from '../../../runtime/embedded/api/store/store.ts';
import type { Change, Place } from '../../../runtime/embedded/store.ts';
import { suite } from '../../support/suite.ts';
import { configMap } from './started.ts';

const spec = suite('store');
const place = (name: string, namespace = 'a'): Place => ({ bucket: '/configmaps', namespace, name });

/** A store that keeps nothing; `full` makes every flush fail. */
function inMemory(disk: Partial<Disk> = {}): ApiStore {
  return createStore({ revision: 0, load: () => [], write: async () => {}, close: async () => {}, ...disk }, logLine);
}

async function refusal(asked: Promise<unknown>): Promise<StatusError['body']> {
  const why = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (why instanceof StatusError) return why.body;
  throw new Error('it was not refused');
}

spec('a created object has a uid, a resourceVersion and a creation time, and generation 1 with a spec', async () => {
  const store = inMemory();
  const first = await store.create(place('x'), configMap('x'));
  const second = await store.create({ bucket: 'batch/jobs', namespace: 'a', name: 'j' }, { kind: 'Job', spec: {} });
  assert.match(first.metadata.uid, /^[0-9a-f-]{36}$/);
  assert.match(first.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.is(first.metadata.generation, undefined);
  assert.is(second.metadata.generation, 1);
  assert.is(Number(second.metadata.resourceVersion), Number(first.metadata.resourceVersion) + 1);
});

spec('the generation counts only changes of the spec, and an equal write changes nothing', async () => {
  const store = inMemory();
  const at: Place = { bucket: 'batch/jobs', namespace: 'a', name: 'j' };
  const made = await store.create(at, { kind: 'Job', spec: { a: 1 } });
  const status = await store.update(at, (old) => ({ ...old, status: { active: 1 } }));
  const again = await store.update(at, (old) => ({ ...old, status: { active: 1 } }));
  const changed = await store.update(at, (old) => ({ ...old, spec: { a: 2 } }));
  assert.equal(
    [made, status, changed].map(({ metadata }) => metadata.generation),
    [1, 1, 2],
  );
  assert.is(again.metadata.resourceVersion, status.metadata.resourceVersion);
});

spec('a write to an existing, missing, other or changed object is refused with a Status', async () => {
  const store = inMemory();
  const made = await store.create(place('x'), configMap('x'));
  const twice = await refusal(store.create(place('x'), configMap('x')));
  assert.equal([twice.code, twice.reason, twice.message], [409, 'AlreadyExists', 'configmaps "x" already exists']);
  assert.is((await refusal(store.update(place('y'), (old) => old))).code, 404);
  assert.is((await refusal(store.remove(place('x'), { uid: 'other' }))).reason, 'Conflict');
  assert.is((await refusal(store.remove(place('x'), { resourceVersion: '0' }))).code, 409);
  assert.is(store.get(place('x')), made);
});

spec('writes of one object are applied in order, also when they share a flush', async () => {
  const store = inMemory();
  await store.create(place('x'), configMap('x', { n: '' }));
  const append = (letter: string) =>
    store.update(place('x'), (old) => ({ ...old, data: { n: `${(old['data'] as { n: string }).n}${letter}` } }));
  await Promise.all(['a', 'b', 'c', 'd'].map(append));
  assert.equal(store.get(place('x'))?.['data'], { n: 'abcd' });
});

spec('a write requested as another one completes is stored', async () => {
  const store = inMemory();
  let made = await store.create(place('x'), configMap('x', { n: 0 }));
  for (let n = 1; n <= 200; n += 1) made = await store.update(place('x'), (old) => ({ ...old, data: { n } }));
  assert.equal(made['data'], { n: 200 });
});

spec('a deleted object with finalizers stays until the last is removed', async () => {
  const store = inMemory();
  const changes: string[] = [];
  store.onChange(({ type }) => changes.push(type));
  await store.create(place('x'), configMap('x', {}, { finalizers: ['a/b'] }));
  const dying = await store.remove(place('x'));
  assert.ok(dying.metadata.deletionTimestamp);
  await store.update(place('x'), (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
  assert.is(store.get(place('x')), undefined);
  assert.equal(changes, ['ADDED', 'MODIFIED', 'DELETED']);
});

spec('lists are in the order of namespace and name and stay within a namespace', async () => {
  const store = inMemory();
  for (const [namespace, name] of [
    ['b', 'x'],
    ['a', 'z'],
    ['a-b', 'y'],
    ['a', 'a-b'],
    ['a', 'a'],
  ] as const)
    await store.create(place(name, namespace), configMap(name));
  const names = (namespace?: string) =>
    store.list('/configmaps', namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.equal(names(), ['a/a', 'a/a-b', 'a/z', 'a-b/y', 'b/x']);
  assert.equal(names('a'), ['a/a', 'a/a-b', 'a/z']);
  assert.equal(names('c'), []);
});

spec('changes are delivered in the order of their versions, after the flush, and are kept for a while', async () => {
  let flushed = false;
  const store = inMemory({ write: async () => void (flushed = await Promise.resolve(true)) });
  const heard: Change[] = [];
  store.onChange((change) => {
    assert.ok(flushed, 'told before it was on the disk');
    heard.push(change);
  });
  await Promise.all(['a', 'b', 'c'].map((name) => store.create(place(name), configMap(name))));
  assert.equal(
    heard.map(({ object }) => object.metadata.resourceVersion),
    ['1', '2', '3'],
  );
  assert.is(store.changesAfter('/configmaps', 1)?.length, 2);
  for (let n = 0; n < 4_200; n += 1) void store.update(place('a'), (old) => ({ ...old, data: { n } }));
  await store.update(place('b'), (old) => ({ ...old, data: {} }));
  assert.is(store.changesAfter('/configmaps', 1), null, 'the oldest are forgotten');
  assert.is(store.changesAfter('/configmaps', store.revision() - 2)?.length, 2);
});

spec('a full disk refuses writes and keeps reads working, and writes succeed when it has space', async () => {
  let full = true;
  const store = inMemory({
    write: async () => {
      if (full) throw new Error('ENOSPC: no space left on device');
    },
  });
  const refused = await refusal(store.create(place('x'), configMap('x')));
  assert.is(refused.code, 507);
  assert.match(refused.message ?? '', /no space left/);
  assert.is(store.get(place('x')), undefined);
  assert.is(store.revision(), 0);
  full = false;
  assert.is((await store.create(place('x'), configMap('x'))).metadata.resourceVersion, '1');
});

spec('an object over 1.5 MiB is refused with 413', async () => {
  const huge = configMap('x', { text: 'x'.repeat(1_600_000) });
  assert.is((await refusal(inMemory().create(place('x'), huge))).code, 413);
});

spec('state and version survive a restart, and data of a newer program is refused', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-store-'));
  const store = createStore(openDisk(dir), logLine);
  const made = await store.create(place('x'), configMap('x', { text: 'é' }));
  await store.create(place('y'), configMap('y'));
  await store.remove(place('y'));
  const bucket = 'apiextensions.k8s.io/customresourcedefinitions';
  const ofCluster = await store.create({ bucket, namespace: '', name: 'things.example.org' }, { kind: 'X' });
  await store.close();
  const next = createStore(openDisk(dir), logLine);
  assert.equal(next.list('/configmaps'), [made]);
  assert.equal(next.get({ bucket, namespace: '', name: 'things.example.org' }), ofCluster);
  assert.is(next.revision(), 4);
  assert.is(next.changesAfter('/configmaps', 3), null, 'what was before the start is not known');
  await next.close();

  const about = open({ path: `${dir}/objects.mdb`, maxDbs: 2 }).openDB<number, string>({
    name: 'about',
    encoding: 'json',
  });
  await about.put('format', 2);
  await about.close();
  assert.throws(() => openDisk(dir), /newer version/);
  rmSync(dir, { recursive: true });
});

spec.run();
