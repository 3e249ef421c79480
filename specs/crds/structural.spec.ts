import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import type { Schema } from '../../crds/schema.ts';
import { suite } from '../support/suite.ts';
import { celFaults } from './celFaults.ts';
import { schemaOf } from './served.ts';
import { faults } from './structural.ts';

const spec = suite('structural schemas');
const text: Schema = { type: 'string' };
const root = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

spec('every manifest is structural', () => {
  for (const { plural } of kinds) assert.equal(faults(schemaOf(plural)), [], plural);
});

spec('every validation rule of a manifest has matching types and a bounded cost, and correct use of oldSelf', () => {
  for (const { plural } of kinds) assert.equal(celFaults(schemaOf(plural)), [], plural);
});

const bad: readonly (readonly [string, Schema, string])[] = [
  ['no type', root({ a: {} }), 'type'],
  ['an unknown type', root({ a: { type: 'text' } }), 'type'],
  ['a root that is no object', text, 'root'],
  ['a reference', root({ a: { type: 'object', $ref: '#' } as Schema }), '$ref'],
  ['a constant', root({ a: { type: 'string', const: 'x' } as Schema }), 'const'],
  ['a union of literals', root({ a: { type: 'string', anyOf: [{ enum: ['x'] }] } }), 'anyOf'],
  ['both kinds of properties', root({ a: { ...root({ b: text }), additionalProperties: text } }), 'exclude'],
  [
    'patterns of properties',
    root({ a: { ...root({ b: text }), patternProperties: {} } as Schema }),
    'patternProperties',
  ],
  ['an array without items', root({ a: { type: 'array' } }), 'items'],
  ['unique items', root({ a: { type: 'array', items: text, uniqueItems: true } as Schema }), 'uniqueItems'],
  ['a described metadata', root({ metadata: { type: 'object', description: 'x' } }), 'metadata'],
  ['an empty object', root({ a: { type: 'object' } }), 'loses'],
  ['a required stranger', { ...root({ a: text }), required: ['b'] }, 'required'],
  ['a default of the wrong type', root({ a: { type: 'boolean', default: 'no' } }), 'default'],
  ['a default outside the enum', root({ a: { type: 'string', enum: ['x'], default: 'y' } }), 'default'],
  [
    'a default that lacks a required field',
    root({ a: { ...root({ b: text }), required: ['b'], default: {} } }),
    'default',
  ],
  ['a default with an unknown field', root({ a: { ...root({ b: text }), default: { c: 'x' } } }), 'default'],
  [
    'a set of objects',
    root({ a: { type: 'array', items: root({ b: text }), 'x-kubernetes-list-type': 'set' } }),
    'set',
  ],
  [
    'a list map with an optional key',
    root({
      a: {
        type: 'array',
        items: root({ b: text }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
      },
    }),
    'list map',
  ],
  ['a pattern with a look-ahead', root({ a: { type: 'string', pattern: '^(?!x)' } }), 'RE2'],
  [
    'a reserved word in a rule',
    { ...root({ function: text }), 'x-kubernetes-validations': [{ rule: 'has(self.function)', message: 'x' }] },
    'reserved',
  ],
];

for (const [title, schema, sentence] of bad)
  spec(`${title} is reported`, () => {
    assert.ok(
      faults(schema).some((fault) => fault.includes(sentence)),
      faults(schema).join('; '),
    );
  });

const ruled = (schema: Schema, rule: string, more: { readonly fieldPath?: string } = {}): Schema => ({
  ...schema,
  'x-kubernetes-validations': [{ rule, message: 'x', ...more }],
});
const short: Schema = { type: 'string', maxLength: 9 };
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });

const badRules: readonly (readonly [string, Schema, string])[] = [
  ['a rule that cannot be read', ruled(root({ a: short }), 'self.a =='), 'a =='],
  ['a rule of a field there is not', ruled(root({ a: short }), "self.b == ''"), "undefined field 'b'"],
  ['a comparison of a text with a number', ruled(root({ a: short }), 'self.a == 1'), 'found no matching overload'],
  ['a rule that says no yes or no', ruled(root({ a: short }), 'size(self.a)'), 'is not a bool'],
  ['a rule in a list without a limit', root({ a: list(ruled(root({ b: short }), "self.b != ''")) }), 'without a limit'],
  [
    'a rule in a map',
    root({ a: { type: 'object', additionalProperties: ruled(short, "self != ''") } }),
    'without a limit',
  ],
  ['a search in a list without a limit', ruled(root({ a: list(short), b: short }), 'self.b in self.a'), 'self.a'],
  ['a comparison of texts without a limit', root({ a: ruled(text, 'self == oldSelf') }), 'self has no limit'],
  [
    'a comparison of objects with a text without a limit',
    root({ a: ruled(root({ b: text }), 'self == oldSelf') }),
    'self has no limit',
  ],
  [
    'a look back at an item of a plain list',
    root({ a: list(ruled(short, 'self == oldSelf'), { maxItems: 3 }) }),
    'oldSelf',
  ],
  ['a fault shown where no field is', ruled(root({ a: short }), "self.a != ''", { fieldPath: '.b' }), 'no field .b'],
];

for (const [title, schema, sentence] of badRules)
  spec(`validation rules: ${title} is reported`, () => {
    const found = celFaults(schema);
    assert.ok(
      found.some((fault) => fault.includes(sentence)),
      found.join('; '),
    );
  });

spec('a rule that only checks presence needs no limits', () => {
  assert.equal(celFaults(ruled(root({ a: text, b: text }), '!(has(self.a) && has(self.b))')), []);
});

spec.run();
