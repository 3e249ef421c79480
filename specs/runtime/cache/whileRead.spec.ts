import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { makeTallies, type Tally } from '../../../runtime/cache/tally.ts';
import { whileRead, withoutVersion } from '../../../runtime/cache/whileRead.ts';
import { pods, secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('memoized answers over caches');

interface Labelled extends KubeObject {
  readonly text: string;
}

const all = [pods, secrets] as unknown as readonly Resource<Labelled>[];
const names = ['a', 'b', 'c'];
const byLabel = { name: 'label', keys: ({ metadata }: KubeObject) => [metadata.labels?.['of'] ?? ''] };

/** How many objects there are in all; the same value until it changes. */
const counting: Tally<{ readonly count: number }> = ({ of }) => {
  let shown = { count: 0 };
  for (const resource of all)
    of(resource).onChange(({ type }) => {
      if (type !== 'modified') shown = { count: shown.count + (type === 'added' ? 1 : -1) };
    });
  return () => shown;
};

/** Caches that are changed by hand. */
function cachesByHand() {
  const indexers = new Map(all.map((resource) => [resource.plural, makeIndexer<Labelled>([byLabel])]));
  const of = (resource: { readonly plural: string }) => indexers.get(resource.plural) as never;
  let changes = 0;
  let version = 0;
  for (const indexer of indexers.values()) indexer.onChange(() => void changes++);
  const indexer = (resource: { readonly plural: string }) => of(resource) as ReturnType<typeof makeIndexer<never>>;
  const reader: CacheReader = {
    get: (resource, name, namespace = '') => indexer(resource).get(keyIn(namespace, name)),
    list: (resource) => indexer(resource).list(),
    indexed: (resource, ...under) => indexer(resource).indexed(...under),
    changes: () => changes,
    tally: makeTallies({ of }),
  };
  reader.tally(counting);
  return {
    reader,
    put: (at: number, name: string, label: string) => {
      const resourceVersion = String(++version);
      const object = { metadata: { name, resourceVersion, labels: { of: label } }, text: `${label}${version}` };
      indexers.get(all[at]?.plural ?? '')?.put(object, 'reported');
    },
    drop: (at: number, name: string) => indexers.get(all[at]?.plural ?? '')?.forget(keyIn('', name), String(++version)),
  };
}

/** Follows one object to others, as what is seen of a service does. */
function derived({ of, depth }: { readonly of: string; readonly depth: number }, reader: CacheReader): string {
  const [resource = all[0], other = all[0]] = depth % 2 === 0 ? all : all.toReversed();
  if (!resource || !other) return '';
  const found = reader.get(resource, of);
  if (!found) return `nothing but ${reader.list(other).length} of ${reader.tally(counting).count}`;
  const label = found.metadata.labels?.['of'] ?? '';
  const beside = reader.indexed(other, 'label', label).map(({ text }) => text);
  return `${found.text}: ${beside.join()}${depth > 0 ? derived({ of: label, depth: depth - 1 }, reader) : ''}`;
}

const step = fc.record({
  is: fc.constantFrom('put', 'put', 'drop'),
  at: fc.nat(1),
  name: fc.constantFrom(...names),
  label: fc.constantFrom(...names),
  /** Which object is asked about, and how. */
  of: fc.constantFrom(...names),
  depth: fc.nat(3),
});

spec('a memoized answer equals a fresh derivation after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const caches = cachesByHand();
      const answers = whileRead<string>();
      for (const { is, at, name, label, of, depth } of steps) {
        if (is === 'put') caches.put(at, name, label);
        else caches.drop(at, name);
        for (const one of [of, ...names]) {
          const input = { of: one, depth };
          const from = { of: one, inputs: [{ depth }], reader: caches.reader };
          assert.is(
            answers(from, (reader) => derived(input, reader)),
            derived(input, caches.reader),
          );
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

spec('a nested memoized answer is derived anew with the answer it reads', () => {
  const caches = cachesByHand();
  const inner = whileRead<number>();
  const outer = whileRead<number>();
  const count = (reader: CacheReader) =>
    inner({ of: 'inner', inputs: [], reader }, (within) => within.list(pods).length);
  const ask = () =>
    outer({ of: 'outer', inputs: [], reader: caches.reader }, (reader) => count(reader) + count(reader));
  const counts = [ask()];
  caches.put(0, 'a', 'b');
  counts.push(ask(), count(caches.reader));
  caches.put(0, 'b', 'b');
  counts.push(ask());
  assert.equal(counts, [0, 2, 1, 4]);
});

spec('a memoized answer stays when other objects change or its inputs are equal', () => {
  const caches = cachesByHand();
  const answers = whileRead<number>();
  let times = 0;
  const ask = (inputs: readonly unknown[], reader = caches.reader) =>
    answers({ of: 'one', inputs, reader }, (tracking) => {
      tracking.get(pods, 'a');
      return ++times;
    });
  caches.put(0, 'a', 'b');
  assert.equal([ask([{ spec: 1 }]), ask([{ spec: 1 }])], [1, 1]);
  caches.put(0, 'b', 'b');
  caches.put(1, 'a', 'b');
  assert.is(ask([{ spec: 1 }]), 1);
  assert.is(ask([{ spec: 2 }]), 2, 'another input');
  caches.put(0, 'a', 'c');
  assert.is(ask([{ spec: 2 }]), 3, 'another version of what was read');
  assert.is(ask([{ spec: 2 }], cachesByHand().reader), 4, 'other caches');
});

spec('resourceVersion and managedFields are left out of inputs', () => {
  const metadata = { name: 'a', uid: '1', resourceVersion: '7', managedFields: [], labels: { of: 'b' } };
  assert.equal(withoutVersion(metadata), { name: 'a', uid: '1', labels: { of: 'b' } });
});

spec.run();
