import { type Bug, patched } from './bug.ts';

const cache = 'runtime/cache/cache.ts';
const indexer = 'runtime/cache/indexer.ts';

/** Bugs in the cache. */
export const cachePatches: readonly Bug[] = [
  {
    name: 'too old, not listed again',
    family: 'broken watch',
    text: 'a watch whose version is too old is begun again from that version',
    plant: patched(cache, "'Gone') {\n          from = null;\n", "'Gone') {\n"),
  },
  {
    name: 'list forgets nothing',
    family: 'stale cache',
    text: 'what a new list does not show any more stays in the cache',
    plant: patched(cache, 'if (!found.has(key)) indexer.forget(key, resourceVersion);', 'void [found, key];'),
    on: /^the Job is deleted|^reset by hand, the Job is deleted/,
    by: ['watch too old', 'relist amid a pass', 'event lost'],
  },
  {
    name: 'watch begins at now',
    family: 'broken watch',
    text: 'a watch that ended begins again where the cluster is, and not where it was',
    on: /^built again while it runs|^the connection comes late/,
    by: ['watch ends', 'watch deaf'],
    plant: patched(
      cache,
      'cluster.watch(resource, { ...scope, resourceVersion: from, silenceMs })',
      'Stream.unwrap(Effect.map(cluster.list(resource, { limit: 1 }), (now) => cluster.watch(resource, { ...scope, resourceVersion: from === "" ? from : now.resourceVersion, silenceMs })))',
    ),
  },
  {
    name: 'never compared with a list',
    family: 'stale cache',
    text: 'what a watch has left out is never found',
    plant: patched(
      cache,
      'const compared = yield* Effect.result(list);',
      'const compared = yield* Effect.result(Effect.as(Effect.sleep(1e9), list));',
    ),
    on: /^built again while it runs|^the connection comes late/,
    by: ['event lost'],
  },
  {
    name: 'deaf watch believed',
    family: 'broken watch',
    text: 'a watch may be silent for ever',
    plant: patched(cache, 'resourceVersion: from, silenceMs }', 'resourceVersion: from, silenceMs: silenceMs * 1e6 }'),
    on: /^built again while it runs|^the connection comes late/,
    by: ['watch deaf'],
  },
  {
    name: 'older note overwrites newer',
    family: 'stale cache',
    text: 'whatever comes last is kept, of whichever version it is',
    by: ['event late', 'event doubled', 'list from an old view'],
    plant: patched(indexer, 'if (known && !isLater(versionOf(object), versionOf(known))) return;', ''),
  },
  {
    name: 'deleted comes back',
    family: 'stale cache',
    text: 'news of what a list has shown to be gone enter it again',
    unseen: 'of a Job nothing is believed of the cache that a direct read does not confirm',
    on: /^reset by hand, the Job is deleted|^built again while it runs/,
    by: ['event doubled', 'event late', 'any order'],
    plant: patched(cache, 'if (isLater(version, listed)) {', 'if (listed !== "") {'),
  },
  {
    name: 'old deletion removes the new',
    family: 'stale cache',
    text: 'news of a deletion remove what was created under that name since',
    unseen: 'that something is absent is never believed of the cache',
    on: /^built again while it runs|^reset by hand, the Job is deleted/,
    by: ['event doubled', 'event late', 'any order'],
    plant: patched(
      indexer,
      'if (known && !isLater(versionOf(known), version)) drop(known);',
      'if (known && version !== "") drop(known);',
    ),
  },
  {
    name: 'versions as text',
    family: 'stale cache',
    text: 'which version is later is told by comparing them as words',
    plant: patched('rules/version.ts', '(a.length === b.length ? a > b : a.length > b.length)', '(a > b)'),
  },
  {
    name: 'labels of before',
    family: 'stale cache',
    text: 'an object is still found under a label that it lost',
    unseen: 'no life here asks for builds by their label',
    plant: patched(indexer, 'if (previous) index(previous, false);', ''),
  },
  {
    name: 'note without a watch',
    family: 'stale cache',
    text: 'what this process wrote is not entered, and the next pass decides over what was before',
    plant: patched(
      'runtime/operator.ts',
      'wrote: (object) => caches.of(controller.resource).note(object),',
      'wrote: () => {},',
    ),
  },
];
