import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { countedIn } from '../../../http/lists/counted.ts';
import type { Place } from '../../../http/lists/continue.ts';
import { orderedIn } from '../../../http/lists/ordered.ts';
import { sortedBy } from '../../../http/lists/sorted.ts';
import type { Cache } from '../../../runtime/cache/cache.ts';
import { forgetAllBut, makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('incremental order and counts');

interface Thing extends KubeObject {
  readonly rank: number;
}

const byRank = ({ rank, metadata }: Thing): Place => [rank, metadata.name];
const words = ({ rank }: Thing): readonly string[] => (rank === 0 ? [] : [`rank ${rank}`, 'ranked']);

const change = fc.record({
  is: fc.constantFrom('put', 'put', 'put', 'old', 'again', 'delete', 'relist', 'read'),
  name: fc.constantFrom('a', 'a-b', 'b', 'c', 'd', 'e'),
  rank: fc.integer({ min: 0, max: 3 }),
});

/** A cache without a cluster, of which a spec says what is reported. */
function thingsKnown() {
  const indexer = makeIndexer<Thing>([]);
  let version = 10;
  const thing = (name: string, rank: number, at: number, uid: string): Thing => ({
    metadata: { name, resourceVersion: `${at}`, uid },
    rank,
  });
  const cache = {
    get: (name: string) => indexer.get(keyIn('', name)),
    list: () => indexer.list(),
    onChange: indexer.onChange,
  } as unknown as Cache<Thing>;
  return {
    cache,
    indexer,
    report: ({ is, name, rank }: { readonly is: string; readonly name: string; readonly rank: number }) => {
      version += 1;
      const uid = cache.get(name)?.metadata.uid ?? `${name} ${version}`;
      if (is === 'put') indexer.put(thing(name, rank, version, uid), 'reported');
      // An event that comes late.
      else if (is === 'old') indexer.put(thing(name, rank, version - 5, uid), 'reported');
      // It was deleted and made anew, and only the new one is heard of.
      else if (is === 'again') indexer.put(thing(name, rank, version, `${name} ${version}`), 'reported');
      else if (is === 'delete') indexer.forget(keyIn('', name), `${version}`);
      else if (is === 'relist') forgetAllBut(indexer, new Set([keyIn('', name), keyIn('', 'a')]), `${version}`);
    },
  };
}

const counted = (things: readonly Thing[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const word of things.flatMap(words)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

spec('incremental order and counts equal a full sort after any changes and reads', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.boolean(), (changes, writesBack) => {
      const { cache, indexer, report } = thingsKnown();
      // Somebody who is told first writes at once: those behind are told of the later change first.
      let isWriting = false;
      if (writesBack)
        cache.onChange(({ type, object }) => {
          if (isWriting || type === 'deleted' || object.rank !== 1) return;
          isWriting = true;
          report({ is: 'put', name: object.metadata.name, rank: 2 });
          isWriting = false;
        });
      const [sorted, counts] = [orderedIn(cache, byRank), countedIn(cache, words)];
      for (const one of changes) {
        report(one);
        if (one.is !== 'read') continue;
        assert.equal(sorted(), sortedBy(indexer.list(), byRank));
        assert.equal(Object.fromEntries(counts()), counted(indexer.list()));
      }
      assert.equal(sorted(), sortedBy(indexer.list(), byRank));
      assert.equal(Object.fromEntries(counts()), counted(indexer.list()));
    }),
  );
});

spec('a change of one object among 3,000 evaluates at most 30 objects', () => {
  const { cache, report } = thingsKnown();
  for (let at = 0; at < 3_000; at++) report({ is: 'put', name: `thing-${at}`, rank: 1 });
  let looks = 0;
  const counting = (thing: Thing): Place => {
    looks += 1;
    return byRank(thing);
  };
  const [sorted, counts] = [orderedIn(cache, counting), countedIn(cache, words)];
  assert.is(sorted().length, 3_000);
  assert.is(counts().get('ranked'), 3_000);
  looks = 0;
  report({ is: 'put', name: 'thing-1500', rank: 3 });
  assert.is(sorted().at(-1)?.metadata.name, 'thing-1500');
  assert.is(counts().get('rank 3'), 1);
  assert.ok(looks > 0 && looks <= 30, `${looks} looks`);
});

spec.run();
