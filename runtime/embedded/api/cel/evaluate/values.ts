import { type CelType, shown } from '../types/type.ts';

/** Why an expression has no value. */
export class EvaluationError extends Error {
  override readonly name: string = 'EvaluationError';
}

/** An evaluation that was ended because it costs too much. */
export class CostError extends EvaluationError {
  override readonly name = 'CostError';
}

/** A whole number without a sign; whole numbers with one are bigints, all others are numbers. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    if (value < 0n || value > mostUint) throw new EvaluationError('unsigned integer overflow');
    this.value = value;
  }
}

/** A moment, in nanoseconds since 1970 in UTC. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    if (nanos < firstMoment || nanos > lastMoment) throw new EvaluationError('timestamp overflow');
    this.nanos = nanos;
  }
}

/** A length of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    if (nanos < leastInt || nanos > mostInt) throw new EvaluationError('duration overflow');
    this.nanos = nanos;
  }
}

/** A value that may be absent. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  get isPresent(): boolean {
    return this.value !== undefined;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly type: CelType;
  constructor(type: CelType) {
    this.type = type;
  }
  get name(): string {
    return valueTypeNames[this.type.kind] ?? shown({ ...this.type, of: [] });
  }
}

/** A value that only functions make and read, such as a quantity. */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
}

/** A map, or an object, whose values are made when they are asked for. */
export interface CelMap {
  readonly size: number;
  readonly get: (key: MapKey) => unknown;
  readonly has: (key: MapKey) => boolean;
  readonly keys: () => Iterable<MapKey>;
}

export type MapKey = string | bigint | boolean;

/** An object of a schema: it has fields, and is no map. */
export abstract class Struct {
  abstract get(field: string): unknown;
  abstract equals(other: Struct): boolean;
}

export const isMap = (value: unknown): value is CelMap =>
  typeof value === 'object' && value !== null && 'keys' in value && 'has' in value;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const mostInt = 2n ** 63n - 1n;
export const leastInt = -(2n ** 63n);
const mostUint = 2n ** 64n - 1n;
/** The first moment of the year 1, and the last one of 9999. */
const firstMoment = -62_135_596_800n * 1_000_000_000n;
const lastMoment = 253_402_300_799n * 1_000_000_000n + 999_999_999n;

/** A whole number that fits; throws where it does not. */
export function int(value: bigint): bigint {
  if (value < leastInt || value > mostInt) throw new EvaluationError('integer overflow');
  return value;
}

/** A value as a key of a map; null for one that can be none. */
export function keyOf(value: unknown): MapKey | null {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (value instanceof Uint) return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;
}

const valueTypeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};
