import { TypeValue, EvaluationError, Duration, Timestamp, Uint, int, leastInt, mostInt } from '../evaluate/values.ts';
import { typeOfValue } from '../evaluate/typeOfValue.ts';
import { stringType } from '../types/type.ts';
import { doubleText } from './numbers.ts';
import type { Functions } from './signature.ts';
import { durationText, nanosIn, parseDuration, timestampText } from './times.ts';

const same = (value: unknown) => value;

/** What turns values of one type into values of another. */
export const conversions: Functions = {
  'type(A): type<A>': (value: unknown) => new TypeValue(typeOfValue(value)),
  'dyn(A): dyn': same,
  'bool(bool): bool': same,
  'bool(string): bool': (text: string) => {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
    throw unlike('bool');
  },
  'bytes(bytes): bytes': same,
  'bytes(string): bytes': (text: string) => Buffer.from(text),
  'double(double): double': same,
  'double(int): double': Number,
  'double(string): double': doubleOf,
  'double(uint): double': ({ value }: Uint) => Number(value),
  'duration(duration): duration': same,
  'duration(string): duration': (text: string) => readAs('google.protobuf.Duration', () => parseDuration(text)),
  'int(int): int': same,
  'int(double): int': (value: number) => {
    if (!(Math.abs(value) < 2 ** 63)) throw new EvaluationError('integer overflow');
    return BigInt(Math.trunc(value));
  },
  'int(duration): int': ({ nanos }: Duration) => nanos,
  'int(string): int': intOf,
  'int(timestamp): int': ({ nanos }: Timestamp) => nanos / 1_000_000_000n - (nanos % 1_000_000_000n < 0n ? 1n : 0n),
  'int(uint): int': ({ value }: Uint) => int(value),
  'string(string): string': same,
  'string(bool): string': String,
  'string(bytes): string': textOf,
  'string(double): string': doubleText,
  'string(duration): string': durationText,
  'string(int): string': String,
  'string(timestamp): string': timestampText,
  'string(uint): string': ({ value }: Uint) => String(value),
  'timestamp(timestamp): timestamp': same,
  'timestamp(int): timestamp': (seconds: bigint) => new Timestamp(seconds * 1_000_000_000n),
  'timestamp(string): timestamp': (text: string) => {
    const nanos = nanosIn(text);
    if (nanos === null) throw unlike('google.protobuf.Timestamp');
    return new Timestamp(nanos);
  },
  'uint(uint): uint': same,
  'uint(double): uint': (value: number) => {
    if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationError('unsigned integer overflow');
    return new Uint(BigInt(Math.trunc(value)));
  },
  'uint(int): uint': (value: bigint) => new Uint(value),
  'uint(string): uint': (text: string) => {
    if (!/^\d+$/.test(text)) throw unlike('uint');
    return readAs('uint', () => new Uint(BigInt(text)));
  },
};

const unlike = (type: string) => new EvaluationError(`type conversion error from '${stringType.name}' to '${type}'`);

function readAs<T>(type: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EvaluationError ? unlike(type) : error;
  }
}

function intOf(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw unlike('int');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value < leastInt || value > mostInt) throw unlike('int');
  return value;
}

function doubleOf(text: string): number {
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (named) return named[2]?.toLowerCase() === 'nan' ? Number.NaN : Number(`${named[1]}Infinity`);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw unlike('double');
  return Number(text);
}

function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  if (Buffer.compare(Buffer.from(text), bytes) !== 0)
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  return text;
}
