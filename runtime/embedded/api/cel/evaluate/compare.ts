import {
  type CelMap,
  Duration,
  EvaluationError,
  Opaque,
  Optional,
  Struct,
  Timestamp,
  TypeValue,
  Uint,
  isList,
  isMap,
} from './values.ts';

/** Whether two values are equal; numbers are by their amount, values of different types never are. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [left, right] = [amountOf(a), amountOf(b)];
  if (left !== null && right !== null) return isSameAmount(left, right);
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (isMap(a)) return isMap(b) && sameMaps(a, b);
  if (a instanceof Struct) return b instanceof Struct && a.equals(b);
  return sameScalars(a, b);
}

function sameScalars(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Timestamp || a instanceof Duration) return kindOf(a) === kindOf(b) && rankOf(a) === rankOf(b);
  if (a instanceof Opaque) return b instanceof Opaque && a.typeName === b.typeName && a.equals(b);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (!(a instanceof Optional && b instanceof Optional)) return false;
  return a.isPresent === b.isPresent && (!a.isPresent || equal(a.value, b.value));
}

function sameMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) if (!b.has(key) || !equal(a.get(key), b.get(key))) return false;
  return true;
}

const amountOf = (value: unknown): bigint | number | null => {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : null;
};

/** A whole number is compared with another one exactly, and with a double as a double. */
const isSameAmount = (a: bigint | number, b: bigint | number): boolean =>
  typeof a === typeof b ? a === b : Number(a) === Number(b);

/** Below 0 where one value comes before another, 0 where neither does; throws where they have no order. */
export function compare(a: unknown, b: unknown): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left === null || right === null || kindOf(a) !== kindOf(b)) throw new EvaluationError('no such overload');
  if (Number.isNaN(left) || Number.isNaN(right)) throw new EvaluationError('NaN values cannot be ordered');
  if (isSameAmount(left, right)) return 0;
  return left < right ? -1 : 1;
}

function rankOf(value: unknown): bigint | number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Timestamp || value instanceof Duration) return value.nanos;
  return amountOf(value);
}

function kindOf(value: unknown): string {
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  return amountOf(value) === null ? typeof value : 'number';
}
