import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { type Compiled, type Evaluated, compile, evaluate } from '../../../../runtime/embedded/api/cel/compile.ts';
import { typedValue } from '../../../../runtime/embedded/api/cel/evaluate/adapt.ts';
import { EvaluationError, isMap } from '../../../../runtime/embedded/api/cel/evaluate/values.ts';
import { type Declared, declaredOf } from '../../../../runtime/embedded/api/cel/types/declared.ts';
import { intType } from '../../../../runtime/embedded/api/cel/types/type.ts';
import { times } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { type Sample, expressions, schema, subjects } from './expressions.ts';
import { Undefined } from './naive.ts';

const x = suite('expressions in CEL');
const runs = times(200, 60);

type Subject = typeof subjects extends fc.Arbitrary<infer T> ? T : never;

const declared = declaredOf(schema) as Declared;
const variables = new Map([
  ['self', declared.type],
  ['x', intType],
]);

function compiled(text: string): Compiled {
  const found = compile(text, variables);
  if ('why' in found) throw new Error(found.why);
  return found;
}

function evaluated(text: string, self: unknown): Evaluated | undefined {
  try {
    return evaluate(compiled(text), { self: typedValue(schema, self), x: 3n });
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** What an expression comes to; undefined where it has no value. */
const outcome = (text: string, self: unknown): unknown => evaluated(text, self)?.value;
const costOf = (text: string, self: unknown): number => evaluated(text, self)?.cost ?? 0;

function expected({ run }: Sample<unknown>, { i, d, s, l, m }: Subject): unknown {
  const map = new Map(Object.entries(m).map(([key, value]) => [key, BigInt(value)]));
  try {
    return run({ self: { i: BigInt(i), d, s, l: l.map(BigInt), m: map }, x: 3n });
  } catch (error) {
    if (error instanceof Undefined) return undefined;
    throw error;
  }
}

/** Maps of both kinds as objects that can be compared. */
const comparable = (value: unknown): unknown =>
  isMap(value) ? Object.fromEntries([...value.keys()].map((key) => [String(key), value.get(key)])) : value;

for (const type of ['int', 'double', 'bool', 'string', 'list', 'map'] as const)
  x(`expressions of type ${type} have that type and the value of a reference evaluation`, () =>
    fc.assert(
      fc.property(expressions[type], subjects, (sample, self) => {
        assert.is(compiled(sample.text).type.kind, type);
        assert.equal(comparable(outcome(sample.text, self)), comparable(expected(sample, self)));
      }),
      { numRuns: runs },
    ),
  );

const laws: Readonly<Record<string, (list: string, holds: string) => readonly [string, string]>> = {
  'what all hold, none fails to': (list, holds) => [`${list}.all(x, ${holds})`, `!${list}.exists(x, !${holds})`],
  'an order of two sides': (list, holds) => [`(${list} == [1]) && ${holds}`, `${holds} && (${list} == [1])`],
  'one of them is what a filter leaves': (list, holds) => [
    `${list}.exists_one(x, ${holds})`,
    `${list}.filter(x, ${holds}).size() == 1`,
  ],
  'what is left out before is not gathered': (list, holds) => [
    `${list}.map(x, ${holds}, x + 1)`,
    `${list}.filter(x, ${holds}).map(x, x + 1)`,
  ],
  'each is gathered once': (list, holds) => [
    `${list}.map(x, ${holds} ? 1 : 2).size()`,
    `${list}.filter(x, ${holds}).size() + ${list}.filter(x, !${holds}).size()`,
  ],
};

for (const [title, sides] of Object.entries(laws))
  x(`expressions follow the laws of the macros: ${title}`, () =>
    fc.assert(
      fc.property(expressions.list, expressions.bool, subjects, (list, holds, self) => {
        const [one, other] = sides(list.text, holds.text);
        assert.equal(outcome(one, self), outcome(other, self));
      }),
      { numRuns: runs },
    ),
  );

const strange = fc.dictionary(fc.constantFrom('i', 'd', 's', 'l', 'm'), fc.jsonValue({ maxDepth: 2 }));

x('expressions over values of other types have a value or an evaluation error', () =>
  fc.assert(
    fc.property(fc.oneof(expressions.bool, expressions.string, expressions.list), strange, ({ text }, self) => {
      outcome(text, self);
    }),
    { numRuns: runs },
  ),
);

x('expressions cost at most their estimate, except for comparisons of numbers, within schema limits', () =>
  fc.assert(
    fc.property(fc.oneof(...Object.values<fc.Arbitrary<Sample<unknown>>>(expressions)), subjects, ({ text }, self) => {
      // The limits are those of `self` and of what is in it.
      const alone = `self.l.map(x, ${text})`;
      const [cost, most] = [costOf(alone, self), compiled(alone).mostCost(declared)];
      // To compare a number of a schema is estimated at nothing, as an API server does; to read it is not.
      assert.ok(cost <= 2 * most, `${cost} is more than twice ${most}`);
    }),
    { numRuns: runs },
  ),
);

x.run();
