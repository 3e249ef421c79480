import * as assert from 'uvu/assert';
import { createCache } from '../../runtime/embedded/nodes/podman/cache.ts';
import { label } from '../../runtime/embedded/nodes/podman/labels.ts';
import type { Libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the cache of pods on podman');
const cluster = 'one';
const Labels = { [label.cluster]: cluster, [label.namespace]: 'shop', [label.pod]: 'web', [label.uid]: 'u' };
const container = (Id: string, run: number) => ({
  Id,
  Labels: { ...Labels, [label.container]: 'main', [label.run]: String(run) },
});
const StartedAt = new Date().toISOString();
const inspected = (one: ReturnType<typeof container>, state: object = {}) => ({
  Id: one.Id,
  Config: { Labels: one.Labels },
  State: { Status: 'running', Pid: 7, StartedAt, ...state },
});

/** A podman that shows these containers, and lets a test look before each of its answers. */
function podmanWith(shown: () => readonly ReturnType<typeof container>[]) {
  const looks: { before: () => void } = { before: () => {} };
  const answerTo = (path: string): unknown => {
    if (path === '/pods/json') return [];
    if (path === '/containers/json') return shown();
    const found = shown().find(({ Id }) => path === `/containers/${Id}/json`);
    if (!found) throw new Error(`nothing is at ${path}`);
    return inspected(found);
  };
  const call = async ({ path }: { readonly path: string }) => {
    await Promise.resolve();
    looks.before();
    return answerTo(path);
  };
  return { looks, cache: createCache({ call } as unknown as Libpod, cluster) };
}

const idsOf = (cache: ReturnType<typeof createCache>) => cache.of('u')?.containers.map(({ id }) => id) ?? [];

spec('running containers are not missing during a full reload', async () => {
  const { looks, cache } = podmanWith(() => [container('first', 0)]);
  await cache.load();
  const seen: (readonly string[])[] = [];
  looks.before = () => seen.push(idsOf(cache));
  await cache.load();
  assert.ok(seen.length > 2);
  assert.equal(
    seen.filter((ids) => ids.length === 0),
    [],
  );
});

spec('a reload removes containers that no longer exist and keeps those created during the reload', async () => {
  let shown = [container('first', 0)];
  const { looks, cache } = podmanWith(() => shown);
  await cache.load();
  shown = [container('second', 1)];
  looks.before = () => {
    looks.before = () => {};
    for (const one of cache.of('u')?.containers ?? []) cache.put('u', { ...one, id: 'third', run: 2 });
  };
  await cache.load();
  assert.equal(idsOf(cache).toSorted(), ['second', 'third']);
});

/** What is known of a container after podman showed these states of it, one with each word of what happened. */
async function knownAfter(...shown: readonly (readonly [state: object, exitCode?: number])[]) {
  const one = container('first', 0);
  let state: object = {};
  const cache = createCache({ call: async () => inspected(one, state) } as unknown as Libpod, cluster);
  for (const [next, exitCode] of shown) {
    state = next;
    await cache.refreshContainer('u', one.Id, exitCode);
  }
  return cache.of('u')?.containers.map((seen) => [seen.state, seen.exitCode, seen.error]);
}
const running = { Status: 'running' };
const exited = { Status: 'exited', ExitCode: 5 };
/** What an attach makes of a container that has ended. */
const prepared = { Status: 'initialized', ExitCode: 0 };

spec('a container keeps its exit code when attach races exit', async () => {
  const itsOwn = [['exited', 5, '']];
  assert.equal(await knownAfter([running], [prepared, 5]), itsOwn);
  assert.equal(await knownAfter([running], [prepared], [prepared, 5]), itsOwn, 'the word of its start came late');
  assert.equal(await knownAfter([running], [exited, 5], [prepared]), itsOwn);
  assert.equal(await knownAfter([prepared, 5]), itsOwn);
});

spec('the end of a container is final over later readings until a restart', async () => {
  for (const later of [running, { Status: 'removing' }, prepared])
    assert.equal(await knownAfter([running], [exited, 5], [later]), [['exited', 5, '']]);
  const again = { ...running, StartedAt: new Date(Date.now() + 1_000).toISOString() };
  assert.equal(await knownAfter([running], [exited, 5], [again]), [['running', 0, '']]);
});

spec('a container that ended with the machine has the reason ContainerStatusUnknown', async () => {
  assert.equal(await knownAfter([{ Status: 'created' }]), [['exited', 137, 'ContainerStatusUnknown']]);
});

spec.run();
