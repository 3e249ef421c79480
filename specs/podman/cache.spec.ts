import * as assert from 'uvu/assert';
import { createCache } from '../../runtime/embedded/nodes/podman/cache.ts';
import { label } from '../../runtime/embedded/nodes/podman/labels.ts';
import type { Libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { suite } from '../support/suite.ts';

const spec = suite('what is known of pods on podman');
const cluster = 'one';
const Labels = { [label.cluster]: cluster, [label.namespace]: 'shop', [label.pod]: 'web', [label.uid]: 'u' };
const container = (Id: string, run: number) => ({
  Id,
  Labels: { ...Labels, [label.container]: 'main', [label.run]: String(run) },
});
const inspected = (one: ReturnType<typeof container>) => ({
  Id: one.Id,
  Config: { Labels: one.Labels },
  State: { Status: 'running', Pid: 7 },
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

spec('while everything is read anew, what runs is not missed', async () => {
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

spec('what went is forgotten, and what is made meanwhile stays', async () => {
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

spec.run();
