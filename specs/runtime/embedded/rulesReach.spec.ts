import * as assert from 'uvu/assert';
import { brokenRules } from '../../../runtime/embedded/api/schema/rules.ts';
import type { Schema } from '../../../runtime/embedded/api/schema/schema.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the reach of rules in CEL');

/** An object that counts how often anything of it is read. */
function counted(value: object): { readonly value: object; readonly reads: () => number } {
  let reads = 0;
  const read =
    <G extends readonly unknown[], A>(run: (...given: G) => A) =>
    (...given: G): A => {
      reads += 1;
      return run(...given);
    };
  const { get, has, ownKeys } = Reflect;
  const traps = { get: read(get), has: read(has), ownKeys: read(ownKeys) };
  return { value: new Proxy(value, traps), reads: () => reads };
}

const text: Schema = { type: 'string' };
const plain: Schema = { type: 'object', properties: { text } };
const ruled: Schema = {
  type: 'object',
  properties: { text },
  'x-kubernetes-validations': [{ rule: "self.text != 'no'", message: 'text must not be no' }],
};
const schema: Schema = {
  type: 'object',
  properties: {
    asked: { type: 'object', properties: { list: { type: 'array', items: ruled }, plain } },
    told: { type: 'object', properties: { list: { type: 'array', items: plain }, plain } },
    map: { type: 'object', additionalProperties: plain },
  },
};
const unread = () => counted({ text: 'yes' });

spec('a part of an object without rules is not read, whatever the result of other rules', () => {
  const parts = [unread(), unread(), unread(), unread()];
  const [first, second, third, fourth] = parts.map(({ value }) => value);
  const list = counted([first]);
  const objectOf = (word: string) => ({
    asked: { list: [{ text: word }], plain: second },
    told: { list: list.value, plain: third },
    map: { a: fourth },
  });
  assert.equal(brokenRules(schema, objectOf('yes'), undefined), { faults: [], old: [] });
  const { faults, old } = brokenRules(schema, objectOf('no'), undefined);
  assert.equal(
    faults.map(({ field, message }) => [field, message]),
    [['asked.list[0]', 'Invalid value: text must not be no']],
  );
  assert.equal(old, []);
  assert.equal(
    [...parts, list].map(({ reads }) => reads()),
    [0, 0, 0, 0, 0],
  );
});

spec('a rule broken before warns when the value is unchanged, and refuses when the list changed', () => {
  const objectOf = (...words: readonly string[]) => ({ asked: { list: words.map((word) => ({ text: word })) } });
  const kept = brokenRules(schema, objectOf('no'), objectOf('no'));
  assert.equal([kept.faults.length, kept.old.length], [0, 1]);
  const longer = brokenRules(schema, objectOf('no', 'yes'), objectOf('no'));
  assert.equal([longer.faults.length, longer.old.length], [1, 0]);
});

spec.run();
