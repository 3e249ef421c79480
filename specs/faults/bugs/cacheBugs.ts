import { Effect, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import * as version from '../../../rules/version.ts';
import * as cache from '../../../runtime/cache/cache.ts';
import * as indexer from '../../../runtime/cache/indexer.ts';
import * as indexes from '../../../runtime/cache/indexes.ts';
import * as reflector from '../../../runtime/cache/reflector.ts';
import type { Index } from '../../../runtime/services/cluster/cluster.ts';
import { type Bug, replaced } from './bug.ts';
import { withCluster } from './decorators.ts';

/** Longer than any life here. */
const never = 1e12;

/** Bugs in the cache. */
export const cacheBugs: readonly Bug[] = [
  {
    name: 'too old, not listed again',
    family: 'broken watch',
    text: 'a watch whose version is too old is begun again from that version',
    plant: replaced(
      reflector,
      'resumedFrom',
      (original) => (from, failure) => (failure._tag === 'Gone' ? from : original(from, failure)),
    ),
  },
  {
    name: 'list forgets nothing',
    family: 'stale cache',
    text: 'what a new list does not show any more stays in the cache',
    plant: replaced(indexer, 'forgetAllBut', () => () => {}),
    on: /^the Job is deleted|^reset by hand, the Job is deleted/,
    by: ['watch too old', 'relist amid a pass', 'event lost'],
  },
  {
    name: 'watch begins at now',
    family: 'broken watch',
    text: 'a watch that ended begins again where the cluster is, and not where it was',
    on: /^built again while it runs|^the connection comes late/,
    by: ['watch ends', 'watch deaf'],
    plant: withCluster((cluster) => ({
      ...cluster,
      watch: (resource, options) =>
        Stream.unwrap(
          Effect.map(cluster.list(resource, { limit: 1 }), ({ resourceVersion }) =>
            cluster.watch(resource, { ...options, resourceVersion }),
          ),
        ),
    })),
  },
  {
    name: 'never compared with a list',
    family: 'stale cache',
    text: 'what a watch has left out is never found',
    plant: replaced(
      cache,
      'makeCache',
      (original) => (resource, options) => original(resource, { ...options, compareAfterMs: never }),
    ),
    on: /^built again while it runs|^the connection comes late/,
    by: ['event lost'],
  },
  {
    name: 'deaf watch believed',
    family: 'broken watch',
    text: 'a watch may be silent for ever',
    plant: replaced(
      cache,
      'makeCache',
      (original) => (resource, options) => original(resource, { ...options, silenceMs: never }),
    ),
    on: /^built again while it runs|^the connection comes late/,
    by: ['watch deaf'],
  },
  {
    name: 'older note overwrites newer',
    family: 'stale cache',
    text: 'whatever comes last is kept, of whichever version it is',
    by: ['event late', 'event doubled', 'list from an old view'],
    plant: replaced(indexer, 'supersedes', () => () => true),
  },
  {
    name: 'deleted comes back',
    family: 'stale cache',
    text: 'news of what a list has shown to be gone enter it again',
    unseen: 'of a Job nothing is believed of the cache that a direct read does not confirm',
    on: /^reset by hand, the Job is deleted|^built again while it runs/,
    by: ['event doubled', 'event late', 'any order'],
    plant: replaced(indexer, 'enterChange', (original) => (into, change) => original(into, change, '')),
  },
  {
    name: 'old deletion removes the new',
    family: 'stale cache',
    text: 'news of a deletion remove what was created under that name since',
    unseen: 'that something is absent is never believed of the cache',
    on: /^built again while it runs|^reset by hand, the Job is deleted/,
    by: ['event doubled', 'event late', 'any order'],
    plant: replaced(indexer, 'isEndedBy', () => () => true),
  },
  {
    name: 'versions as text',
    family: 'stale cache',
    text: 'which version is later is told by comparing them as words',
    plant: replaced(version, 'isLater', () => (a, b) => a > b),
  },
  {
    name: 'labels of before',
    family: 'stale cache',
    text: 'an object is still found under a label that it lost',
    unseen: 'no life here asks for builds by their label',
    plant: replaced(indexes, 'makeIndexes', (original) => <O extends KubeObject>(declared: readonly Index<O>[]) => {
      const index = original(declared);
      return { ...index, put: (object: O) => index.put(object, undefined) };
    }),
  },
  {
    name: 'note without a watch',
    family: 'stale cache',
    text: 'what this process wrote is not entered, and the next pass decides over what was before',
    plant: replaced(
      cache,
      'makeCache',
      (original) => (resource, options) =>
        Effect.map(original(resource, options), (made) => ({ ...made, note: () => {} })),
    ),
  },
];
