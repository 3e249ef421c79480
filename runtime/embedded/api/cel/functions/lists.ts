import { compare, equal } from '../evaluate/compare.ts';
import { type CelMap, CostError, Duration, EvaluationError, Uint, isList, isMap, keyOf } from '../evaluate/values.ts';
import { operators } from './operators.ts';
import type { Functions } from './signature.ts';

type List = readonly unknown[];

const summable: Readonly<Record<string, unknown>> = {
  int: 0n,
  uint: new Uint(0n),
  double: 0,
  duration: new Duration(0n),
};
const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const each = (types: readonly string[], of: (type: string) => Functions): Functions =>
  Object.assign({}, ...types.map(of)) as Functions;

function sum(type: string): Functions {
  const plus = operators[`_+_(${type}, ${type}): ${type}`] as ((a: unknown, b: unknown) => unknown) | undefined;
  return {
    [`list<${type}>.sum(): ${type}`]: (list: List) =>
      list.reduce<unknown>((total, item) => plus?.(total, item), summable[type]),
  };
}

/** The first of the least or of the greatest items. */
function extreme(name: 'min' | 'max') {
  return (list: List): unknown => {
    if (list.length === 0) throw new EvaluationError(`${name} called on empty list`);
    return list.reduce((best, item) => {
      const order = compare(item, best);
      return (name === 'min' ? order < 0 : order > 0) ? item : best;
    });
  };
}

const isSorted = (list: List) => list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0);
const indexIn = (list: List, wanted: unknown) => BigInt(list.findIndex((item) => equal(item, wanted)));
const lastIndexIn = (list: List, wanted: unknown) => BigInt(list.findLastIndex((item) => equal(item, wanted)));

function slice(list: List, start: bigint, end: bigint): List {
  const called = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new EvaluationError(`${called}, negative indexes not supported`);
  if (start > end) throw new EvaluationError(`${called}, start index must be less than or equal to end index`);
  if (end > BigInt(list.length)) throw new EvaluationError(`${called}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: List, depth = 1n): List {
  if (depth < 0n) throw new EvaluationError('level must be non-negative');
  if (depth === 0n) return list;
  return list.flatMap((item) => (isList(item) ? flatten(item, depth - 1n) : [item]));
}

/** A list in the order of other values, one for each item. */
function sortedBy(list: List, keys: List): List {
  if (list.length !== keys.length)
    throw new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  const order = list.map((_, index) => index).toSorted((a, b) => compare(keys[a], keys[b]));
  return order.map((index) => list[index]);
}

const distinct = (list: List) => list.filter((item, index) => list.findIndex((one) => equal(one, item)) === index);
const mostRange = 1_000_000n;

function range(count: bigint): List {
  if (count > mostRange) throw new CostError('operation cancelled: actual cost limit exceeded');
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}

/** Functions over lists. */
export const lists: Functions = {
  ...each(Object.keys(summable), sum),
  ...each(comparable, (type) => ({
    [`list<${type}>.isSorted(): bool`]: isSorted,
    [`list<${type}>.max(): ${type}`]: extreme('max'),
    [`list<${type}>.min(): ${type}`]: extreme('min'),
    [`list<${type}>.sort(): list<${type}>`]: (list: List) => sortedBy(list, list),
    [`list<A>.@sortByAssociatedKeys(list<${type}>): list<A>`]: sortedBy,
  })),
  'list<A>.indexOf(A): int': indexIn,
  'list<A>.lastIndexOf(A): int': lastIndexIn,
  'list<A>.slice(int, int): list<A>': slice,
  'list<list<A>>.flatten(): list<A>': flatten,
  'list<dyn>.flatten(int): list<dyn>': flatten,
  'lists.range(int): list<int>': range,
  'list<A>.reverse(): list<A>': (list: List) => list.toReversed(),
  'list<A>.distinct(): list<A>': distinct,
};

const within = (list: List, item: unknown) => list.some((one) => equal(one, item));
const containsAll = (list: List, others: List) => others.every((item) => within(list, item));

/** Functions over lists that are taken for sets. */
export const sets: Functions = {
  'sets.contains(list<A>, list<A>): bool': containsAll,
  'sets.equivalent(list<A>, list<A>): bool': (a: List, b: List) => containsAll(a, b) && containsAll(b, a),
  'sets.intersects(list<A>, list<A>): bool': (a: List, b: List) => a.some((item) => within(b, item)),
};

function inserted(map: CelMap, entries: Iterable<readonly [unknown, unknown]>): CelMap {
  const all = [...map.keys()].map((key) => [key, map.get(key)] as const);
  const made = new Map(all);
  for (const [by, value] of entries) {
    const key = keyOf(by);
    if (key === null) throw new EvaluationError('unsupported key type');
    if (made.has(key)) throw new EvaluationError(`insert failed: key ${String(key)} already exists`);
    made.set(key, value);
  }
  return made;
}

/** What loops gather maps with. */
export const maps: Functions = {
  'cel.@mapInsert(map<A, B>, A, B): map<A, B>': (map: CelMap, key: unknown, value: unknown) =>
    inserted(map, [[key, value]]),
  'cel.@mapInsert(map<A, B>, map<A, B>): map<A, B>': (map: CelMap, other: unknown) => {
    if (!isMap(other)) throw new EvaluationError('no such overload');
    return inserted(
      map,
      [...other.keys()].map((key) => [key, other.get(key)] as const),
    );
  },
};
