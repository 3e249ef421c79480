import { EvaluationError, Opaque } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

/** A version by the rules of Semantic Versioning. */
class Semver extends Opaque {
  override readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly before: readonly string[];
  constructor(numbers: readonly [major: bigint, minor: bigint, patch: bigint], before: readonly string[]) {
    super();
    this.numbers = numbers;
    this.before = before;
  }
  override equals(other: Opaque): boolean {
    return other instanceof Semver && compared(this, other) === 0n;
  }
}

const label = /^[0-9A-Za-z-]+$/;
const isNumber = (text: string) => /^\d+$/.test(text);

/** A version, or why a text is none. */
function parse(text: string): Semver | string {
  if (text === '') return 'Version string empty';
  const parts = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(text);
  if (!parts) return 'No Major.Minor.Patch elements found';
  const [, major = '', minor = '', rest = ''] = parts;
  const [front = '', ...metadata] = rest.split('+');
  const [patch = '', ...marks] = front.split('-');
  const numbers = [major, minor, patch];
  const names = ['Major', 'Minor', 'Patch'];
  const strange = numbers.findIndex((one) => !isNumber(one));
  if (strange >= 0)
    return `Invalid character(s) found in ${names[strange]?.toLowerCase()} number ${JSON.stringify(numbers[strange])}`;
  const led = numbers.findIndex((one) => one.length > 1 && one.startsWith('0'));
  if (led >= 0) return `${names[led]} number must not contain leading zeroes ${JSON.stringify(numbers[led])}`;
  const before = marks.length === 0 ? [] : marks.join('-').split('.');
  const build = metadata.length === 0 ? [] : metadata.join('+').split('.');
  const fault = markFault(before) ?? buildFault(build);
  return fault ?? new Semver([BigInt(major), BigInt(minor), BigInt(patch)], before);
}

function markFault(before: readonly string[]): string | null {
  for (const one of before) {
    if (one === '') return 'Prerelease is empty';
    if (isNumber(one) && one.length > 1 && one.startsWith('0'))
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(one)}`;
    if (!label.test(one)) return `Invalid character(s) found in prerelease ${JSON.stringify(one)}`;
  }
  return null;
}

function buildFault(build: readonly string[]): string | null {
  for (const one of build) {
    if (one === '') return 'Build meta data is empty';
    if (!label.test(one)) return `Invalid character(s) found in build meta data ${JSON.stringify(one)}`;
  }
  return null;
}

/** A version that leaves out what is 0 and puts zeros where they say nothing. */
function normalized(text: string): string | null {
  const [, major = '', minor, patch] = /^([^.]*)(?:\.([^.]*)(?:\.(.*))?)?$/s.exec(text.replace(/^v/, '')) ?? [];
  const parts = [major, minor, patch].filter((one) => one !== undefined);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return null;
  const trimmed = parts.map((one) => (one.length > 1 ? one.replace(/^0+(?=\d)/, '') : one));
  return [...trimmed, '0', '0'].slice(0, 3).join('.');
}

function read(text: string, lenient = false): Semver | string {
  if (!lenient) return parse(text);
  const whole = normalized(text);
  return whole === null ? 'short version cannot contain PreRelease/Build meta data' : parse(whole);
}

function semverOf(text: string, lenient = false): Semver {
  const found = read(text, lenient);
  if (typeof found === 'string') throw new EvaluationError(found);
  return found;
}

const order = <T>(a: T, b: T): bigint => (a < b ? -1n : a > b ? 1n : 0n);

function compared(a: Semver, b: Semver): bigint {
  for (const [index, own] of a.numbers.entries()) {
    const found = order(own, b.numbers[index] ?? 0n);
    if (found !== 0n) return found;
  }
  if (a.before.length === 0 || b.before.length === 0)
    return order(b.before.length, a.before.length) === 0n ? 0n : a.before.length === 0 ? 1n : -1n;
  for (const [index, own] of a.before.entries()) {
    const other = b.before[index];
    const found = other === undefined ? 1n : markOrder(own, other);
    if (found !== 0n) return found;
  }
  return order(a.before.length, b.before.length);
}

function markOrder(a: string, b: string): bigint {
  const [left, right] = [isNumber(a), isNumber(b)];
  if (left !== right) return left ? -1n : 1n;
  return left ? order(BigInt(a), BigInt(b)) : order(a, b);
}

const isSemver = (text: string, lenient = false) => typeof read(text, lenient) !== 'string';

/** Functions over versions. */
export const semvers: Functions = {
  'semver(string): kubernetes.Semver': semverOf,
  'semver(string, bool): kubernetes.Semver': semverOf,
  'isSemver(string): bool': isSemver,
  'isSemver(string, bool): bool': isSemver,
  'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => compared(a, b) > 0n,
  'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Semver, b: Semver) => compared(a, b) < 0n,
  'kubernetes.Semver.compareTo(kubernetes.Semver): int': compared,
  'kubernetes.Semver.major(): int': ({ numbers }: Semver) => numbers[0],
  'kubernetes.Semver.minor(): int': ({ numbers }: Semver) => numbers[1],
  'kubernetes.Semver.patch(): int': ({ numbers }: Semver) => numbers[2],
};
