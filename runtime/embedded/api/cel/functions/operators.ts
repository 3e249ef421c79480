import { compare, equal } from '../evaluate/compare.ts';
import {
  type CelMap,
  Duration,
  EvaluationError,
  Timestamp,
  Uint,
  int,
  isList,
  isMap,
  keyOf,
} from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

const comparable: readonly (readonly [string, string])[] = [
  ...['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'].map((one) => [one, one] as const),
  ...['int', 'uint', 'double'].flatMap((one) =>
    ['int', 'uint', 'double'].filter((other) => other !== one).map((other) => [one, other] as const),
  ),
];

/** Operators under the names that compilers have for them. */
export const operators: Functions = {
  // Programs decide themselves which side of these they evaluate.
  '_?_:_(bool, A, A): A': (condition: boolean, a: unknown, b: unknown) => (condition ? a : b),
  '_&&_(bool, bool): bool': (a: boolean, b: boolean) => a && b,
  '_||_(bool, bool): bool': (a: boolean, b: boolean) => a || b,
  '!_(bool): bool': (a: boolean) => !a,
  '@not_strictly_false(bool): bool': (a: unknown) => a !== false,
  '-_(double): double': (a: number) => -a,
  '-_(int): int': (a: bigint) => int(-a),
  '_==_(A, A): bool': equal,
  '_!=_(A, A): bool': (a: unknown, b: unknown) => !equal(a, b),
  ...arithmetic(),
  ...relations(),
  '_[_](list<A>, int): A': itemAt,
  '_[_](map<A, B>, A): B': valueAt,
  '@in(A, list<A>): bool': (a: unknown, list: readonly unknown[]) => list.some((one) => equal(a, one)),
  '@in(A, map<A, B>): bool': (a: unknown, map: CelMap) => {
    const key = keyOf(a);
    return key !== null && map.has(key);
  },
};

function arithmetic(): Functions {
  return {
    '_+_(bytes, bytes): bytes': (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b]),
    '_+_(double, double): double': (a: number, b: number) => a + b,
    '_+_(duration, duration): duration': (a: Duration, b: Duration) => new Duration(a.nanos + b.nanos),
    '_+_(duration, timestamp): timestamp': (a: Duration, b: Timestamp) => new Timestamp(a.nanos + b.nanos),
    '_+_(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => new Timestamp(a.nanos + b.nanos),
    '_+_(int, int): int': (a: bigint, b: bigint) => int(a + b),
    '_+_(list<A>, list<A>): list<A>': (a: readonly unknown[], b: readonly unknown[]) => [...a, ...b],
    '_+_(string, string): string': (a: string, b: string) => a + b,
    '_+_(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value + b.value),
    '_-_(double, double): double': (a: number, b: number) => a - b,
    '_-_(duration, duration): duration': (a: Duration, b: Duration) => new Duration(a.nanos - b.nanos),
    '_-_(int, int): int': (a: bigint, b: bigint) => int(a - b),
    '_-_(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => new Timestamp(a.nanos - b.nanos),
    '_-_(timestamp, timestamp): duration': (a: Timestamp, b: Timestamp) => new Duration(a.nanos - b.nanos),
    '_-_(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value - b.value),
    '_*_(double, double): double': (a: number, b: number) => a * b,
    '_*_(int, int): int': (a: bigint, b: bigint) => int(a * b),
    '_*_(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value * b.value),
    '_/_(double, double): double': (a: number, b: number) => a / b,
    '_/_(int, int): int': (a: bigint, b: bigint) => int(a / divisor(b, 'division by zero')),
    '_/_(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value / divisor(b.value, 'division by zero')),
    '_%_(int, int): int': (a: bigint, b: bigint) => {
      const by = divisor(b, 'modulus by zero');
      int(a / by);
      return a % by;
    },
    '_%_(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value % divisor(b.value, 'modulus by zero')),
  };
}

function divisor(by: bigint, why: string): bigint {
  if (by === 0n) throw new EvaluationError(why);
  return by;
}

function relations(): Functions {
  const each = (operator: string, holds: (order: number) => boolean): Functions =>
    Object.fromEntries(
      comparable.map(([left, right]) => [
        `_${operator}_(${left}, ${right}): bool`,
        (a: unknown, b: unknown) => holds(compare(a, b)),
      ]),
    );
  return {
    ...each('<', (order) => order < 0),
    ...each('<=', (order) => order <= 0),
    ...each('>', (order) => order > 0),
    ...each('>=', (order) => order >= 0),
  };
}

/** The item of a list at an index. */
export function itemAt(list: readonly unknown[], index: unknown): unknown {
  const place = keyOf(index);
  if (typeof place !== 'bigint') throw new EvaluationError('no such overload');
  if (place < 0n || place >= BigInt(list.length)) throw new EvaluationError(`index out of bounds: ${place}`);
  return list[Number(place)];
}

/** The value of a map under a key. */
export function valueAt(map: CelMap, by: unknown): unknown {
  const key = keyOf(by);
  if (key === null) throw new EvaluationError('no such overload');
  if (!map.has(key)) throw new EvaluationError(`no such key: ${String(key)}`);
  return map.get(key);
}

/** What is at an index or under a key, or undefined. */
export function found(holder: unknown, by: unknown): unknown {
  const key = keyOf(by);
  if (isMap(holder)) return key !== null && holder.has(key) ? holder.get(key) : undefined;
  return isList(holder) && typeof key === 'bigint' ? holder[Number(key)] : undefined;
}
