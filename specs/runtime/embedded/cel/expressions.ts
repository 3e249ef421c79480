import * as fc from 'fast-check';
import type { Schema } from '../../../../runtime/embedded/api/schema/schema.ts';
import { type Run, defined, divided, each, int, logic, ordered, remainder } from './naive.ts';

/** What expressions are over, and how large it may be. */
export const schema: Schema = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    d: { type: 'number' },
    s: { type: 'string', maxLength: 6 },
    l: { type: 'array', maxItems: 8, items: { type: 'integer' } },
    m: { type: 'object', maxProperties: 4, additionalProperties: { type: 'integer' } },
  },
};

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'ä', '😀', '"', '\\', '\n'), maxLength: 6 });
const small = fc.integer({ min: -4, max: 4 });
const fraction = fc.constantFrom<number>(0, 0.5, 1, 1.5, -2, 1e300);

/** Values of the schema. */
export const subjects = fc.record({
  i: small,
  d: fraction,
  s: word,
  l: fc.array(small, { maxLength: 8, size: 'max' }),
  m: fc.dictionary(fc.constantFrom('a', 'b', 'ä', ''), small, { maxKeys: 4 }),
});

/** A text in CEL, and how its value is found without the evaluator. */
export interface Sample<T> {
  readonly text: string;
  readonly run: Run<T>;
}

interface Samples {
  readonly int: Sample<bigint>;
  readonly double: Sample<number>;
  readonly bool: Sample<boolean>;
  readonly string: Sample<string>;
  readonly list: Sample<readonly bigint[]>;
  readonly map: Sample<ReadonlyMap<string, bigint>>;
}

const sample = <T>(text: string, run: Run<T>): Sample<T> => ({ text, run });
const always = <T>(text: string, run: Run<T>) => fc.constant(sample(text, run));

const ints = fc
  .oneof(fc.bigInt({ min: -4n, max: 4n }), fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 62n, 3n * 10n ** 9n))
  .map((value) => sample(`(${value})`, () => value));
const doubles = fraction.map((value) => sample(`double(${JSON.stringify(String(value))})`, () => value));
const words = word.map((value) => sample(JSON.stringify(value), () => value));

type Arbitrary<T> = fc.Arbitrary<Sample<T>>;

/** A text about one or two expressions, and what it does with their values. */
const over = <A, R>(a: Arbitrary<A>, text: (a: string) => string, run: (a: A) => R): Arbitrary<R> =>
  a.map((one) => sample(text(one.text), (scope) => run(one.run(scope))));
interface Two<A, B, R> {
  readonly text: (a: string, b: string) => string;
  readonly run: (a: A, b: B) => R;
}
const overTwo = <A, B, R>(a: Arbitrary<A>, b: Arbitrary<B>, { text, run }: Two<A, B, R>): Arbitrary<R> =>
  fc
    .tuple(a, b)
    .map(([one, other]) => sample(text(one.text, other.text), (scope) => run(one.run(scope), other.run(scope))));
const operator = <A, B, R>(a: Arbitrary<A>, sign: string, b: Arbitrary<B>, run: (a: A, b: B) => R) =>
  overTwo(a, b, { text: (one, other) => `(${one} ${sign} ${other})`, run });
const choice = <T>(condition: Arbitrary<boolean>, one: Arbitrary<T>): Arbitrary<T> =>
  fc
    .tuple(condition, one, one)
    .map(([when, a, b]) =>
      sample(`(${when.text} ? ${a.text} : ${b.text})`, (scope) => (when.run(scope) ? a : b).run(scope)),
    );

const simply = { depthSize: 'small', withCrossShrink: true } as const;
const letters = (text: string) => Array.from(text);

const grammar: fc.LetrecTypedBuilder<Samples> = (tie) => {
  const [anInt, aDouble, aBool] = [tie('int'), tie('double'), tie('bool')];
  const [aString, aList, aMap] = [tie('string'), tie('list'), tie('map')];

  const deciding = (sign: '&&' | '||'): Arbitrary<boolean> =>
    fc
      .tuple(aBool, aBool)
      .map(([a, b]) => sample(`(${a.text} ${sign} ${b.text})`, logic(sign === '||', [a.run, b.run])));
  const looping = (macro: 'all' | 'exists'): Arbitrary<boolean> =>
    fc.tuple(aList, aBool).map(([list, body]) => {
      const conditions = each(list.run, body.run);
      return sample(`${list.text}.${macro}(x, ${body.text})`, (scope) =>
        logic(macro === 'exists', conditions(scope))(scope),
      );
    });
  const filtered = fc
    .tuple(aList, aBool)
    .map(([list, body]) =>
      sample(`${list.text}.filter(x, ${body.text})`, (scope) =>
        list.run(scope).filter((x) => body.run({ ...scope, x })),
      ),
    );
  const mapped = fc
    .tuple(aList, anInt)
    .map(([list, body]) =>
      sample(`${list.text}.map(x, ${body.text})`, (scope) => list.run(scope).map((x) => body.run({ ...scope, x }))),
    );

  return {
    int: fc.oneof(
      simply,
      ints,
      always('x', ({ x }) => x),
      always('self.i', ({ self }) => self.i),
      operator(anInt, '+', anInt, (a, b) => int(a + b)),
      operator(anInt, '-', anInt, (a, b) => int(a - b)),
      operator(anInt, '*', anInt, (a, b) => int(a * b)),
      operator(anInt, '/', anInt, divided),
      operator(anInt, '%', anInt, remainder),
      over(
        anInt,
        (a) => `-(${a})`,
        (a) => int(-a),
      ),
      over(
        aString,
        (a) => `size(${a})`,
        (a) => BigInt(letters(a).length),
      ),
      over(
        aList,
        (a) => `${a}.size()`,
        (a) => BigInt(a.length),
      ),
      over(
        aMap,
        (a) => `size(${a})`,
        (a) => BigInt(a.size),
      ),
      overTwo(aList, anInt, { text: (a, b) => `${a}[${b}]`, run: (a, b) => defined(a[Number(b)]) }),
      overTwo(aMap, aString, { text: (a, b) => `${a}[${b}]`, run: (a, b) => defined(a.get(b)) }),
      choice(aBool, anInt),
    ),
    double: fc.oneof(
      simply,
      doubles,
      always('self.d', ({ self }) => self.d),
      over(anInt, (a) => `double(${a})`, Number),
      operator(aDouble, '+', aDouble, (a, b) => a + b),
      operator(aDouble, '-', aDouble, (a, b) => a - b),
      operator(aDouble, '*', aDouble, (a, b) => a * b),
      operator(aDouble, '/', aDouble, (a, b) => a / b),
    ),
    bool: fc.oneof(
      simply,
      always('true', () => true),
      always('false', () => false),
      always('(2 / x == 1)', ({ x }) => divided(2n, x) === 1n),
      over(
        aBool,
        (a) => `!(${a})`,
        (a) => !a,
      ),
      deciding('&&'),
      deciding('||'),
      looping('all'),
      looping('exists'),
      operator(anInt, '==', anInt, (a, b) => a === b),
      operator(anInt, '<=', anInt, (a, b) => a <= b),
      operator(aDouble, '<', aDouble, (a, b) => ordered(a, b) < 0),
      operator(aDouble, '==', anInt.map(asDouble), (a, b) => a === b),
      operator(aString, '!=', aString, (a, b) => a !== b),
      operator(aString, '>', aString, (a, b) => Buffer.from(a).compare(Buffer.from(b)) > 0),
      operator(aList, '==', aList, (a, b) => String(a) === String(b) && a.length === b.length),
      operator(anInt, 'in', aList, (a, b) => b.includes(a)),
      operator(aString, 'in', aMap, (a, b) => b.has(a)),
      overTwo(aString, aString, { text: (a, b) => `${a}.contains(${b})`, run: (a, b) => a.includes(b) }),
      choice(aBool, aBool),
    ),
    string: fc.oneof(
      simply,
      words,
      always('self.s', ({ self }) => self.s),
      operator(aString, '+', aString, (a, b) => a + b),
      over(anInt, (a) => `string(${a})`, String),
      overTwo(aString, anInt, {
        text: (a, b) => `${a}.substring(${b})`,
        run: (a, b) => (b < 0n ? defined<string>(undefined) : after(letters(a), b)),
      }),
      choice(aBool, aString),
    ),
    list: fc.oneof(
      simply,
      fc
        .array(anInt, { minLength: 1, maxLength: 3 })
        .map((items) =>
          sample(`[${items.map(({ text }) => text).join(', ')}]`, (scope) => items.map(({ run }) => run(scope))),
        ),
      always('self.l', ({ self }) => self.l),
      operator(aList, '+', aList, (a, b) => [...a, ...b]),
      filtered,
      mapped,
    ),
    map: fc.oneof(
      simply,
      fc
        .tuple(words, anInt)
        .map(([key, { text, run }]) =>
          sample(`{${key.text}: ${text}}`, (scope) => new Map([[key.run(scope), run(scope)]])),
        ),
      always('self.m', ({ self }) => self.m),
    ),
  };
};

/** Expressions of each type over `self` and an integer `x`. */
export const expressions = fc.letrec(grammar);

/** An integer that is compared with a double. */
function asDouble({ text, run }: Sample<bigint>): Sample<number> {
  return sample(`dyn(${text})`, (scope) => Number(run(scope)));
}

function after(all: readonly string[], start: bigint): string {
  return start > BigInt(all.length) ? defined<string>(undefined) : all.slice(Number(start)).join('');
}
