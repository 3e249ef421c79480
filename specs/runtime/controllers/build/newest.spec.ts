import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { currentBuild } from '../../../../rules/build/current.ts';
import { outlived } from '../../../../rules/build/retention.ts';
import { newestFirst } from '../../../../rules/newest.ts';
import { suite } from '../../../support/suite.ts';
import { userBuild } from '../../../support/environment.ts';

const spec = suite('the newest build');

interface Made {
  readonly second?: number;
  readonly version?: number;
  /** The milliseconds of its first move within that second. */
  readonly moved?: number;
  /** The number of its oldest move in the history. */
  readonly seq?: number;
}

const second = (count: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, count)).toISOString();

function build(name: string, { second: createdAt = 0, version = 1, moved, seq = 1 }: Made): CoreBuild {
  const made = userBuild(name, {}, { phase: 'Failed' });
  const move = { machine: 'build', from: 'Pending', event: 'failed', to: 'Failed', by: 'operator', text: '' };
  const at = second(createdAt).replace('000Z', `${String(moved).padStart(3, '0')}Z`);
  return {
    ...made,
    metadata: {
      ...made.metadata,
      creationTimestamp: second(createdAt).replace('.000Z', 'Z'),
      resourceVersion: String(version),
    },
    ...(moved === undefined ? {} : { status: { phase: 'Failed', history: [{ ...move, seq, at }] } }),
  };
}
const order = (...builds: readonly CoreBuild[]) => {
  const names = (some: readonly CoreBuild[]) => some.toSorted(newestFirst).map(({ metadata }) => metadata.name);
  const [one, other] = [names(builds), names(builds.toReversed())];
  assert.equal(one, other, 'whatever order they come in');
  return one.join(' ');
};

spec('a build created in a later second is newer, whatever was written to the other', () => {
  assert.is(order(build('a', { second: 2 }), build('b', { second: 1, version: 9, moved: 5 })), 'a b');
});

spec('the build with the later first move is newer among builds created in one second', () => {
  assert.is(order(build('a', { moved: 100, version: 90 }), build('b', { moved: 101, version: 20 })), 'b a');
});

spec('a build without a move is newer than one with moves among builds created in one second', () => {
  assert.is(order(build('a', { moved: 999, version: 90 }), build('b', { version: 20 })), 'b a');
});

spec('a build whose first move is no longer kept is the oldest among builds created in one second', () => {
  assert.is(order(build('a', { moved: 900, seq: 30 }), build('b', { moved: 1 })), 'b a');
});

spec('resourceVersions are compared as numbers among builds without moves', () => {
  assert.is(order(build('a', { version: 9 }), build('b', { version: 10 }), build('c', { version: 2 })), 'b a c');
});

spec('the name decides between otherwise equal builds', () => {
  assert.is(order(build('b', {}), build('a', {})), 'a b');
});

spec('the age of builds is a transitive order', () => {
  const made = fc.record(
    {
      second: fc.constantFrom(0, 1),
      version: fc.constantFrom(1, 9, 10),
      moved: fc.constantFrom(1, 2),
      seq: fc.constantFrom(1, 1, 30),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(made, { minLength: 3, maxLength: 5 }), (all) => {
      const builds = all.map((one, index) => build(`b${index}`, one));
      const sorted = builds.toSorted(newestFirst);
      for (const [at, one] of sorted.entries())
        for (const other of sorted.slice(at + 1)) {
          assert.ok(newestFirst(one, other) < 0);
          assert.ok(newestFirst(other, one) > 0);
        }
    }),
  );
});

spec('BLD-102 the current build of a service that names none is the newest, also among builds of one second', () => {
  const builds = [build('a', { moved: 1 }), build('c', { moved: 3 }), build('b', { moved: 2 })];
  assert.is(currentBuild(undefined, builds)?.metadata.name, 'c');
  assert.is(currentBuild('', builds.toReversed())?.metadata.name, 'c');
});

spec('BLD-096 the oldest builds are deleted among those that ended in one second', () => {
  const all = Array.from({ length: 12 }, (_, index) => build(`b${(index * 7) % 12}`, { moved: (index * 7) % 12 }));
  const none = { currentBuild: '', resolvedImage: '' };
  assert.equal(
    outlived(all, none)
      .map(({ metadata }) => metadata.name)
      .toSorted(),
    ['b0', 'b1'],
  );
});

spec.run();
