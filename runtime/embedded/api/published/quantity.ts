/** How a quantity was written, which is how it is written again. */
type Format = 'decimal' | 'exponent' | 'binary';

interface Suffix {
  readonly format: Format;
  /** Of ten, or of two. */
  readonly power: number;
}

interface Amount {
  readonly format: Format;
  readonly isNegative: boolean;
  readonly nanos: bigint;
  /** It is canonical as it was written, so far as the API server looks. */
  readonly isKept: boolean;
  /** Nothing of it is finer than thousandths. */
  readonly isCoarse: boolean;
}

const decimals = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binaries = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const unit = 1_000_000_000n;
const leastPower = -9;
/** The largest whole number that a binary amount is capped at. */
const most = 2n ** 63n - 1n;
/** Of more digits than these nothing is kept as it was written. */
const mostDigits = 18;
const mostBinaryDigits = 14;
/** Beyond it an exponent is no suffix: nobody has that much of anything. */
const mostPower = 999;

const wrongForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";

export type QuantityRead = { readonly value: string; readonly why?: undefined } | { readonly why: string };

/** Short enough to be canonical whatever it is an amount of. */
const plainlyCanonical = /^[1-9]\d{0,2}(?:[mkMGTPE]|[KMGTP]i)?$/;
const form = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;

/**
 * A quantity as the API server writes it again: `0.5` is `500m`, `1024Mi` is `1Gi`, what is below a billionth is
 * rounded up. Amounts of resources (`isResource`) are rounded up to thousandths.
 */
export function readQuantity(given: unknown, isResource: boolean): QuantityRead {
  if (typeof given !== 'string') return { why: wrongForm };
  if (plainlyCanonical.test(given)) return { value: given };
  const text = given.trim();
  const found = text === '' ? null : form.exec(text);
  if (!found) return { why: wrongForm };
  const amount = amountOf(found);
  if (!amount) return { why: wrongSuffix };
  return { value: amount.isKept && (!isResource || amount.isCoarse) ? text : written(amount, isResource) };
}

function written({ isNegative, nanos, format }: Amount, isResource: boolean): string {
  const rounded = isResource ? upTo(nanos, 1_000_000n) : nanos;
  if (rounded === 0n) return '0';
  return `${isNegative ? '-' : ''}${canonicalOf(rounded, format)}`;
}

function suffixOf(end: string): Suffix | null {
  const decimal = decimals.indexOf(end);
  if (decimal >= 0) return { format: 'decimal', power: (decimal - 3) * 3 };
  const binary = binaries.indexOf(end);
  if (binary >= 0) return { format: 'binary', power: binary * 10 };
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(end) ?? [];
  const power = Number(exponent);
  return exponent === undefined || Math.abs(power) > mostPower ? null : { format: 'exponent', power };
}

/** The amount of what the form found; null where its suffix is none. */
function amountOf([, sign, digits = '', part = '', end = '']: RegExpExecArray): Amount | null {
  const suffix = suffixOf(end);
  if (!suffix) return null;
  const whole = digits === '' ? '0' : digits;
  const amount = suffix.format === 'binary' ? binaryOf(whole, part, suffix) : decimalOf(whole, part, suffix);
  return { ...amount, isNegative: sign === '-' };
}

function binaryOf(whole: string, part: string, { format, power }: Suffix): Omit<Amount, 'isNegative'> {
  const digits = BigInt(`${whole}${part}`);
  const exact = upwards(digits * unit * 2n ** BigInt(power), part.length);
  const nanos = exact > most * unit ? most * unit : exact;
  const isShort = part === '' && whole.length <= mostBinaryDigits - (power / 10) * 3;
  // An amount of less than one is no binary one any more.
  const isLittle = nanos > 0n && nanos < unit;
  const isKept = isShort && (digits & 7n) !== 0n;
  return { format: isLittle ? 'decimal' : format, nanos, isKept, isCoarse: true };
}

function decimalOf(whole: string, part: string, { format, power }: Suffix): Omit<Amount, 'isNegative'> {
  const shifted = `${whole}${part}`;
  const digits = BigInt(shifted);
  const scale = power - part.length;
  const nanos = scale >= leastPower ? digits * 10n ** BigInt(scale - leastPower) : upwards(digits, leastPower - scale);
  const isShort = shifted.length <= mostDigits && scale >= leastPower;
  const isCanonical = scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return { format, nanos, isKept: isShort && isCanonical, isCoarse: scale >= -3 };
}

const upwards = (amount: bigint, places: number): bigint => {
  const by = 10n ** BigInt(places);
  return amount / by + (amount % by > 0n ? 1n : 0n);
};

const upTo = (amount: bigint, step: bigint): bigint => ((amount + step - 1n) / step) * step;

/** The shortest number with a power of a thousand, or of 1024 where nothing is lost by it. */
function canonicalOf(nanos: bigint, format: Format): string {
  if (format === 'binary' && nanos >= 1024n * unit && nanos % unit === 0n)
    return powered(nanos / unit, 1024n, binaries);
  const [number, power] = stripped(nanos, 1000n);
  const exponent = power * 3 + leastPower;
  const known = decimals[power];
  if (format !== 'exponent' && known !== undefined) return `${number}${known}`;
  return exponent === 0 ? String(number) : `${number}e${exponent}`;
}

function powered(amount: bigint, base: bigint, suffixes: readonly string[]): string {
  const [number, power] = stripped(amount, base);
  return `${number}${suffixes[power] ?? ''}`;
}

function stripped(amount: bigint, base: bigint): readonly [number: bigint, power: number] {
  let number = amount;
  let power = 0;
  while (number % base === 0n) {
    number /= base;
    power++;
  }
  return [number, power];
}
