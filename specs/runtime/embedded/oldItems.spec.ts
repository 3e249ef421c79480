import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { isJson } from '../../../runtime/embedded/api/json.ts';
import { oldItemOf } from '../../../runtime/embedded/api/schema/oldItem.ts';
import { brokenRules } from '../../../runtime/embedded/api/schema/rules.ts';
import type { Schema } from '../../../runtime/embedded/api/schema/schema.ts';
import { faultsOf } from '../../../runtime/embedded/api/schema/validate.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('old items of a list map');

const listMap = (keys: readonly string[], items: Schema = {}): Schema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

const plain = fc.constantFrom(undefined, null, 0, 1, '', '1', 'a', true);
const item: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ a: plain, b: plain, text: plain }, { requiredKeys: [] }) },
  fc.constantFrom('a', null),
);

spec('a list item corresponds to the first old item with equal keys, omitted keys included', () => {
  fc.assert(
    fc.property(fc.subarray(['a', 'b']), fc.array(item), item, (keys, old, asked) => {
      const isSame = (one: unknown) => isJson(one) && isJson(asked) && keys.every((key) => one[key] === asked[key]);
      const expected = old.find(isSame);
      assert.is(oldItemOf(listMap(keys), old)(asked), expected);
    }),
  );
});

spec('an item corresponds to none in a list of another type', () => {
  const named = { name: 'a' };
  assert.is(oldItemOf({ type: 'array', items: {} }, [named])(named), undefined);
  assert.is(oldItemOf(listMap(['name']), undefined)(named), undefined);
});

/** Items, and how often a key of any of them was read. */
function countedItems(count: number) {
  let reads = 0;
  const items = Array.from({ length: count }, (_, seq) => ({
    get seq() {
      reads += 1;
      return seq;
    },
    text: `old ${seq}`,
  }));
  return { items, reads: () => reads };
}

const history = listMap(['seq'], {
  type: 'object',
  properties: { seq: { type: 'integer' }, text: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: "self.text != 'x'" }],
});
const longer = (count: number) => Array.from({ length: count }, (_, seq) => ({ seq, text: `new ${seq}` }));

spec('a list map is read once for all its items', () => {
  for (const judge of [
    faultsOf,
    (schema: Schema, value: unknown, _: string, old: unknown) => brokenRules(schema, value, old),
  ]) {
    const readsOf = (count: number) => {
      const { items, reads } = countedItems(count);
      judge(history, longer(count), 'history', items);
      return reads() / count;
    };
    assert.is.not(readsOf(10), 0);
    assert.ok(readsOf(400) <= readsOf(10), `${readsOf(400)} and ${readsOf(10)} reads of each`);
  }
});

spec.run();
