import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { isJson, type Json, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { capped } from '../../../runtime/embedded/api/managedFields/capped.ts';
import { compare } from '../../../runtime/embedded/api/managedFields/compare.ts';
import { type Entry, decodeEntries, encodeEntries } from '../../../runtime/embedded/api/managedFields/entries.ts';
import type { FieldConflict } from '../../../runtime/embedded/api/managedFields/conflict.ts';
import {
  difference,
  emptySet,
  type FieldSet,
  isEmpty,
  sameSet,
  setOf,
  union,
} from '../../../runtime/embedded/api/managedFields/fieldSet.ts';
import { faultsText, typeFaults } from '../../../runtime/embedded/api/managedFields/faults.ts';
import { fieldsOf } from '../../../runtime/embedded/api/managedFields/fieldsOf.ts';
import { fromFieldsV1, pathsOf, toFieldsV1 } from '../../../runtime/embedded/api/managedFields/fieldsV1.ts';
import { merge } from '../../../runtime/embedded/api/managedFields/merge.ts';
import { afterApply, afterUpdate } from '../../../runtime/embedded/api/managedFields/ownership.ts';
import type { Typed } from '../../../runtime/embedded/api/managedFields/shape.ts';
import { pathText } from '../../../runtime/embedded/api/managedFields/step.ts';
import type { Schema } from '../../../runtime/embedded/api/schema/schema.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('managed fields');

const text: Schema = { type: 'string' };
const port: Schema = {
  type: 'object',
  properties: { port: { type: 'integer' }, protocol: { ...text, default: 'TCP' }, name: text },
};
/** One field of each way to be merged. */
const schema: Schema = {
  type: 'object',
  properties: {
    text,
    count: { type: 'integer' },
    struct: { type: 'object', properties: { a: text, b: text } },
    map: { type: 'object', additionalProperties: text },
    whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    list: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    ports: {
      type: 'array',
      items: port,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const root: Typed = { schema };
const texts = (set: FieldSet) => Array.from(pathsOf(set), pathText);
const allOf = (conflicts: readonly FieldConflict[]) => conflicts.map(({ fields }) => fields).reduce(union, emptySet);

spec('the fields of a value follow the granularity of its schema', () => {
  const rows: readonly (readonly [Json, readonly string[]])[] = [
    [{ text: 'a', count: 1 }, ['.count', '.text']],
    [{ struct: { a: '1' } }, ['.struct.a']],
    [{ struct: {} }, ['.struct']],
    [{ struct: null }, ['.struct']],
    [{ map: { x: '1', y: '2' } }, ['.map.x', '.map.y']],
    [{ whole: { x: '1', y: '2' } }, ['.whole']],
    [{ list: ['a', 'b'] }, ['.list']],
    [{ set: ['b', 'a'] }, ['.set[="a"]', '.set[="b"]']],
    [
      { ports: [{ port: 80, name: 'web' }] },
      ['.ports[port=80,protocol="TCP"]', '.ports[port=80,protocol="TCP"].name', '.ports[port=80,protocol="TCP"].port'],
    ],
    [{ free: { a: { b: [1, 2] }, c: null } }, ['.free.a', '.free.c', '.free.a.b']],
  ];
  for (const [value, paths] of rows) assert.equal(texts(fieldsOf(root, value)), paths, JSON.stringify(value));
});

spec('two versions of a value differ in what was added, changed and removed', () => {
  const differ = (before: Json, after: Json) => {
    const { added, modified, removed } = compare(root, before, after);
    return [texts(added), texts(modified), texts(removed)];
  };
  assert.equal(differ({ text: 'a' }, { text: 'b', count: 1 }), [['.count'], ['.text'], []]);
  assert.equal(differ({}, { struct: { a: '1' } }), [['.struct', '.struct.a'], [], []]);
  assert.equal(differ({ map: { x: '1', y: '1' } }, { map: { x: '1' } }), [[], [], ['.map.y']]);
  assert.equal(differ({ list: ['a'] }, { list: ['a', 'b'] }), [[], ['.list'], []]);
  assert.equal(differ({ set: ['a', 'b'] }, { set: ['b', 'c'] }), [['.set[="c"]'], [], ['.set[="a"]']]);
  assert.equal(differ({ ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'TCP' }] }), [
    ['.ports[port=80,protocol="TCP"].protocol'],
    [],
    [],
  ]);
  assert.equal(differ({ whole: { x: '1' } }, { whole: { x: '2' } }), [[], ['.whole'], []]);
  assert.equal(differ({ free: { a: 1 } }, { free: { a: { b: 1 } } }), [['.free.a.b'], ['.free.a'], []]);
});

spec('an applied value is merged as the schema of each field says', () => {
  const rows: readonly (readonly [Json, Json, Json])[] = [
    [{ text: 'a', count: 1 }, { text: 'b' }, { text: 'b', count: 1 }],
    [{ map: { x: '1' } }, { map: { y: '2' } }, { map: { x: '1', y: '2' } }],
    [{ map: { x: '1' } }, { map: {} }, { map: { x: '1' } }],
    [{ map: { x: '1' } }, { map: null }, { map: { x: '1' } }],
    [{ text: 'a' }, { text: null }, { text: null }],
    [{ whole: { x: '1' } }, { whole: { y: '2' } }, { whole: { y: '2' } }],
    [{ list: ['a'] }, { list: ['b'] }, { list: ['b'] }],
    [{ set: ['a', 'b'] }, { set: ['c', 'a'] }, { set: ['c', 'a', 'b'] }],
    [{ set: ['a', 'b', 'c', 'd'] }, { set: ['d', 'b'] }, { set: ['a', 'c', 'd', 'b'] }],
    [
      { ports: [{ port: 80, name: 'a' }, { port: 81 }] },
      { ports: [{ port: 80, protocol: 'TCP' }] },
      { ports: [{ port: 80, name: 'a', protocol: 'TCP' }, { port: 81 }] },
    ],
  ];
  for (const [live, given, merged] of rows)
    assert.equal(merge(root, live, given), merged, `${JSON.stringify(live)} ${JSON.stringify(given)}`);
});

spec('a value that violates its schema is refused with the path of every fault', () => {
  const told = (value: Json) => faultsText(typeFaults(root, value));
  assert.is(told({ nope: 1 }), '.nope: field not declared in schema');
  assert.is(told({ struct: { c: 1 } }), '.struct.c: field not declared in schema');
  assert.is(told({ set: ['a', 'a'] }), '.set: duplicate entries for key [="a"]');
  assert.is(
    told({ ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] }),
    '.ports: duplicate entries for key [port=80,protocol="TCP"]',
  );
  assert.is(
    told({ ports: [{ name: 'a' }] }),
    '.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
  );
  assert.is(told({ count: 'many' }), '.count: expected numeric (int or float), got string');
  assert.is(
    told({ text: 1, list: [2] }),
    'errors:\n  .text: expected string, got &value.valueUnstructured{Value:1}\n  .list[0]: expected string, got &value.valueUnstructured{Value:2}',
  );
});

const words = fc.constantFrom('a', 'b', 'c');
const filled = <V>(inner: fc.Arbitrary<V>) => fc.dictionary(words, inner, { minKeys: 1, noNullPrototype: true });
const value = fc.record(
  {
    text: words,
    count: fc.integer({ min: 0, max: 2 }),
    struct: fc.record({ a: words, b: words }, { requiredKeys: ['a'], noNullPrototype: true }),
    map: filled(words),
    whole: filled(words),
    list: fc.array(words, { maxLength: 3 }),
    set: fc.uniqueArray(words, { minLength: 1 }),
    ports: fc.uniqueArray(
      fc.record(
        { port: fc.constantFrom(1, 2, 3), protocol: fc.constantFrom('TCP', 'UDP'), name: words },
        { requiredKeys: ['port', 'protocol'], noNullPrototype: true },
      ),
      { minLength: 1, selector: (one) => `${one.port}${one.protocol}` },
    ),
    free: filled(fc.oneof(words, filled(words))),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<Json>;

const write = (name: string, operation: 'Apply' | 'Update' = 'Apply') => ({
  typed: root,
  manager: { name, operation, apiVersion: 'v1', subresource: '' },
  now: '2030-01-01T00:00:00Z',
  ignored: setOf(),
});
const objectOf = (applied: unknown): Json => (isJson(applied) ? applied : {});
const ownedBy = (owners: readonly Entry[], name: string): FieldSet =>
  owners.filter((entry) => entry.name === name).reduce((all, entry) => union(all, entry.fields), setOf());

spec('a set of fields survives writing and reading', () => {
  fc.assert(
    fc.property(value, (given) => {
      const set = fieldsOf(root, given);
      assert.ok(sameSet(fromFieldsV1(toFieldsV1(set)), set));
    }),
  );
});

spec('a merge into nothing or into an equal value returns the value', () => {
  fc.assert(
    fc.property(value, (given) => {
      assert.equal(merge(root, {}, given), given);
      assert.equal(merge(root, given, given), given);
    }),
  );
});

spec('an apply owns exactly its fields, and repeating the apply changes nothing', () => {
  fc.assert(
    fc.property(value, value, (live, given) => {
      const first = afterApply(write('one'), [], live, given);
      assert.ok(sameSet(ownedBy(first.owners, 'one'), fieldsOf(root, given)));
      const again = afterApply(write('one'), first.owners, first.object, given);
      assert.equal(again.object, first.object);
      assert.equal(encodeEntries(again.owners), encodeEntries(first.owners));
      assert.equal(again.conflicts, []);
    }),
  );
});

spec('two managers with the same value never conflict; another value conflicts, and the fields are named', () => {
  fc.assert(
    fc.property(value, value, (ours, theirs) => {
      const first = afterApply(write('one'), [], {}, ours);
      assert.equal(afterApply(write('two'), first.owners, first.object, ours).conflicts, []);
      const second = afterApply(write('two'), first.owners, first.object, theirs);
      const changed = compare(root, first.object, second.object);
      const taken = union(changed.modified, changed.added);
      for (const { manager, fields } of second.conflicts) {
        assert.is(manager.name, 'one');
        assert.equal(texts(difference(fields, taken)), []);
      }
      assert.ok(isEmpty(difference(allOf(second.conflicts), fieldsOf(root, ours))), 'only what the other gave');
    }),
  );
});

spec('a forced apply owns its fields and removes changed ones from former owners', () => {
  fc.assert(
    fc.property(value, value, (ours, theirs) => {
      const first = afterApply(write('one'), [], {}, ours);
      const second = afterApply(write('two'), first.owners, first.object, theirs);
      assert.ok(sameSet(ownedBy(second.owners, 'two'), fieldsOf(root, theirs)));
      const gone = compare(root, first.object, second.object).removed;
      const lost = union(allOf(second.conflicts), gone);
      assert.ok(sameSet(ownedBy(second.owners, 'one'), difference(fieldsOf(root, ours), lost)));
      assert.equal(merge(root, second.object, theirs), second.object);
    }),
  );
});

spec('a field no longer applied is removed when it has no other manager', () => {
  fc.assert(
    fc.property(value, value, (ours, theirs) => {
      const first = afterApply(write('one'), [], {}, ours);
      assert.equal(objectOf(afterApply(write('one'), first.owners, first.object, {}).object), {});
      const second = afterApply(write('two'), first.owners, first.object, theirs);
      const left = afterApply(write('one'), second.owners, second.object, {});
      const had = ownedBy(second.owners, 'two');
      assert.ok(isEmpty(difference(had, fieldsOf(root, left.object))));
      assert.ok(sameSet(ownedBy(left.owners, 'two'), had));
    }),
  );
});

spec('an update takes ownership of changed fields and keeps its own', () => {
  fc.assert(
    fc.property(value, value, value, (first, second, third) => {
      const applied = afterApply(write('one'), [], {}, first);
      const changed = afterUpdate(write('two', 'Update'), applied.owners, applied.object, second);
      const { added, modified, removed } = compare(root, applied.object, second);
      const taken = union(added, modified);
      assert.ok(sameSet(ownedBy(changed, 'two'), taken));
      assert.ok(sameSet(ownedBy(changed, 'one'), difference(fieldsOf(root, first), union(taken, removed))));
      const again = afterUpdate(write('two', 'Update'), changed, second, third);
      const gone = compare(root, second, third).removed;
      assert.ok(isEmpty(difference(difference(taken, gone), ownedBy(again, 'two'))));
      assert.equal(afterUpdate(write('three', 'Update'), again, third, third), again);
    }),
  );
});

spec('the oldest of more than ten update managers of a version are merged', () => {
  const entry = (index: number, apiVersion = 'v1'): Entry => ({
    name: `m${index}`,
    operation: 'Update',
    apiVersion,
    subresource: '',
    time: `2030-01-01T00:00:${10 + index}Z`,
    fields: setOf([`f:f${index}`]),
  });
  const all = Array.from({ length: 12 }, (_, index) => entry(index));
  assert.equal(capped(all.slice(0, 10)), all.slice(0, 10));
  const left = capped(all);
  assert.equal(left.map(({ name }) => name).toSorted(), [
    'ancient-changes',
    ...all
      .slice(3)
      .map(({ name }) => name)
      .toSorted(),
  ]);
  const old = left.find(({ name }) => name === 'ancient-changes');
  assert.equal(texts(old?.fields ?? setOf()), ['.f0', '.f1', '.f2']);
  assert.is(old?.time, '2030-01-01T00:00:12Z');
  const mixed = capped([entry(0, 'v2'), ...all.slice(1, 11)]);
  assert.ok(
    mixed.some(({ name, apiVersion }) => name === 'm0' && apiVersion === 'v2'),
    'versions are not mixed',
  );
});

spec('entries are in the order of operation, time and name, and malformed ones cannot be read', () => {
  const one = (manager: string, operation: string, time: string) => ({
    manager,
    operation,
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:a': {} },
  });
  const late = '2030-01-02T00:00:00Z';
  const early = '2030-01-01T00:00:00Z';
  const given = [one('z', 'Update', early), one('b', 'Apply', late), one('a', 'Apply', late), one('c', 'Apply', early)];
  assert.equal(
    encodeEntries(decodeEntries(given) ?? []).map((entry) => textAt(entry, 'manager')),
    ['c', 'a', 'b', 'z'],
  );
  assert.is(decodeEntries([{ ...one('a', 'Apply', late), fieldsType: 'Other' }]), null);
  assert.is(decodeEntries([one('a', 'Delete', late)]), null);
  assert.equal(jsonAt(encodeEntries(decodeEntries(given) ?? []), 0, 'fieldsV1'), { 'f:a': {} });
  assert.is(listAt({ given }, 'given').length, 4);
});

spec.run();
