import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import { sharing } from '../../../runtime/cache/sharing.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('shared parts of object versions');

interface Whole extends KubeObject {
  readonly spec: unknown;
  readonly data?: unknown;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Few values, so that two versions are often equal in one part and differ in another. */
const value = fc.oneof(
  fc.constantFrom(null, '', 'a', 0, 1, true, [], {}, ['a'], ['a', null], { a: 1 }, { a: { b: [1] } }, { a: null }),
  fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.constantFrom(1, 'a', [1, 2], { b: 1 }), {
    maxKeys: 3,
  }),
);
const version = fc
  .record(
    {
      spec: value,
      data: value,
      annotations: fc.dictionary(fc.constantFrom('one', 'two'), fc.constantFrom('a', 'b')),
      history: fc.array(fc.record({ seq: fc.nat(2), to: fc.constantFrom('On', 'Off') }), { maxLength: 3 }),
      phase: fc.constantFrom('On', 'Off'),
    },
    { requiredKeys: ['spec'] },
  )
  .map(({ annotations, history, phase, ...rest }) => ({
    ...rest,
    metadata: { name: 'one', ...(annotations && { annotations }) },
    ...((history ?? phase) === undefined ? {} : { status: { ...(history && { history }), ...(phase && { phase }) } }),
  }));
const parsed = (object: object) => JSON.parse(JSON.stringify(object)) as Whole;

spec('an object that shares parts with another equals its own version', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      const before = parsed(one);
      const shared = sharing(parsed(other), before);
      assert.ok(isDeepStrictEqual(shared, parsed(other)));
      assert.ok(isDeepStrictEqual(before, parsed(one)));
    }),
    { numRuns: 2_000 },
  );
});

spec('equal parts are shared with the former version, and different ones are not', () => {
  const before = parsed({
    metadata: { name: 'one', annotations: { a: '1' }, labels: { b: '1' } },
    spec: { size: { of: [1, 2] } },
    status: { history: [{ seq: 1 }], conditions: [{ type: 'Ready' }] },
  });
  const object = parsed({
    metadata: { name: 'one', annotations: { a: '1' }, labels: { b: '2' } },
    spec: { size: { of: [1, 2] } },
    status: { history: [{ seq: 1 }, { seq: 2 }], conditions: [{ type: 'Ready' }] },
  });
  const shared = sharing(object, before);
  assert.is(shared.spec, before.spec);
  assert.is(shared.metadata.annotations, before.metadata.annotations);
  assert.equal(shared.metadata.labels, { b: '2' });
  assert.equal(shared.status?.['history'], [{ seq: 1 }, { seq: 2 }]);
  assert.is(sharing(object, undefined), object);
});

spec('a reported version shares parts with the cached one, but not when the object was recreated', () => {
  const indexer = makeIndexer<Whole>([]);
  const put = (resourceVersion: string, uid: string, size: number) =>
    indexer.put({ metadata: { name: 'one', uid, resourceVersion }, spec: { size } }, 'reported');
  const cached = () => indexer.get(keyIn('', 'one'))?.spec;
  put('1', 'a', 1);
  const first = cached();
  put('2', 'a', 1);
  assert.is(cached(), first);
  put('3', 'a', 2);
  assert.equal(cached(), { size: 2 });
  put('4', 'b', 2);
  assert.equal(cached(), { size: 2 });
});

spec.run();
