import { EvaluationError, Opaque, leastInt, mostInt } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

const unit = 1_000_000_000n;

/** An amount as Kubernetes writes it, such as `1500m` or `2Gi`. */
class Quantity extends Opaque {
  override readonly typeName = 'kubernetes.Quantity';
  /** `nanos` are billionths of one. */
  readonly nanos: bigint;
  /** Whether it was written, or summed up of what was written, without a fraction and in few enough digits. */
  readonly isWhole: boolean;
  constructor(nanos: bigint, isWhole: boolean) {
    super();
    this.nanos = nanos;
    this.isWhole = isWhole;
  }
  override equals(other: Opaque): boolean {
    return other instanceof Quantity && other.nanos === this.nanos;
  }
}

const powers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const notOne = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const noSuffix = "unable to parse quantity's suffix";

function parse(text: string): Quantity | string {
  const [, sign = '', whole = '', part = '', suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([A-Za-z]*[-+]?\d*)$/.exec(text) ?? [];
  if (whole === '' && part === '') return notOne;
  const digits = BigInt(`${whole}${part}`);
  const scaled = scale(digits, part.length, suffix);
  if (scaled === null) return noSuffix;
  const count = Math.max(1, whole.replace(/^0+/, '').length) + part.length;
  return new Quantity(sign === '-' ? -scaled : scaled, isWhole(count, part.length, suffix));
}

const mostDigits = 18;
/** Of a binary amount, beside three for each power. */
const mostBinaryDigits = 14;

function isWhole(digits: number, fraction: number, suffix: string): boolean {
  const two = binary.indexOf(suffix);
  if (two >= 0) return fraction === 0 && digits <= mostBinaryDigits - 3 * (two + 1);
  return digits <= mostDigits && (powerOf(suffix) ?? 0) >= fraction;
}

/** The power of ten that a suffix stands for. */
function powerOf(suffix: string): number | undefined {
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
  return exponent === undefined ? powers[suffix] : Number(exponent);
}

/** Billionths; what is smaller is rounded up, and a binary amount is no larger than the largest integer. */
function scale(digits: bigint, fraction: number, suffix: string): bigint | null {
  const two = binary.indexOf(suffix);
  if (two >= 0) {
    const amount = upwards(digits * unit * 2n ** BigInt(10 * (two + 1)), fraction);
    return amount > mostInt * unit ? mostInt * unit : amount;
  }
  const power = powerOf(suffix);
  if (power === undefined || Math.abs(power) > 100) return null;
  return power >= 0
    ? upwards(digits * unit * 10n ** BigInt(power), fraction)
    : upwards(digits * unit, fraction - power);
}

function upwards(amount: bigint, fraction: number): bigint {
  const by = 10n ** BigInt(fraction);
  return amount / by + (amount % by > 0n ? 1n : 0n);
}

function quantityOf(text: string): Quantity {
  const found = parse(text);
  if (typeof found === 'string') throw new EvaluationError(found);
  return found;
}

const isInteger = ({ nanos, isWhole: whole }: Quantity) => whole && nanos / unit <= mostInt && nanos / unit >= leastInt;

function integerOf(quantity: Quantity): bigint {
  if (!isInteger(quantity)) throw new EvaluationError('cannot convert value to integer');
  return quantity.nanos / unit;
}

const order = (a: bigint, b: bigint) => (a < b ? -1n : a > b ? 1n : 0n);
const amountOf = (value: Quantity | bigint) => (typeof value === 'bigint' ? value * unit : value.nanos);
const bothWhole = (a: Quantity, b: Quantity | bigint) => a.isWhole && (typeof b === 'bigint' || b.isWhole);
const add = (a: Quantity, b: Quantity | bigint) => new Quantity(a.nanos + amountOf(b), bothWhole(a, b));
const subtract = (a: Quantity, b: Quantity | bigint) => new Quantity(a.nanos - amountOf(b), bothWhole(a, b));

/** Functions over quantities. */
export const quantities: Functions = {
  'quantity(string): kubernetes.Quantity': quantityOf,
  'isQuantity(string): bool': (text: string) => typeof parse(text) !== 'string',
  'sign(kubernetes.Quantity): int': ({ nanos }: Quantity) => order(nanos, 0n),
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.nanos > b.nanos,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) => a.nanos < b.nanos,
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) => order(a.nanos, b.nanos),
  'kubernetes.Quantity.asApproximateFloat(): double': ({ nanos }: Quantity) => Number(nanos) / 1e9,
  'kubernetes.Quantity.asInteger(): int': integerOf,
  'kubernetes.Quantity.isInteger(): bool': isInteger,
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': add,
  'kubernetes.Quantity.add(int): kubernetes.Quantity': add,
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': subtract,
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': subtract,
};
