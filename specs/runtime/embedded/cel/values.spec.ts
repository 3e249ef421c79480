import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { compile, evaluate } from '../../../../runtime/embedded/api/cel/compile.ts';
import { Duration, Timestamp } from '../../../../runtime/embedded/api/cel/evaluate/values.ts';
import {
  durationText,
  parseDuration,
  parseTimestamp,
  timestampText,
} from '../../../../runtime/embedded/api/cel/functions/times.ts';
import { type CelType, doubleType, intType, stringType } from '../../../../runtime/embedded/api/cel/types/type.ts';
import { suite } from '../../../support/suite.ts';

const x = suite('values of CEL in texts');

const typeOf = (value: unknown): CelType =>
  typeof value === 'string' ? stringType : typeof value === 'bigint' ? intType : doubleType;

/** The value of an expression over variables. */
function valueOf(text: string, variables: Readonly<Record<string, unknown>>): unknown {
  const types = new Map(Object.entries(variables).map(([name, value]) => [name, typeOf(value)]));
  const compiled = compile(text, types);
  if ('why' in compiled) throw new Error(compiled.why);
  return evaluate(compiled, variables).value;
}

const nanos = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const second = 1_000_000_000n;

x('a formatted duration is parsed to the same duration', () =>
  fc.assert(
    fc.property(fc.oneof(nanos, fc.bigInt({ min: -2n * second, max: 2n * second })), (length) => {
      assert.is(parseDuration(durationText(new Duration(length))).nanos, length);
    }),
  ),
);

const unit = fc.constantFrom<readonly [name: string, nanos: bigint]>(
  ['h', 3600n * second],
  ['m', 60n * second],
  ['s', second],
  ['ms', 1_000_000n],
  ['ns', 1n],
);

x('a duration is the sum of its parts', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 999n }), unit), { minLength: 1 }), (parts) => {
      const text = parts.map(([count, [name]]) => `${count}${name}`).join('');
      const sum = parts.reduce((total, [count, [, each]]) => total + count * each, 0n);
      assert.is(parseDuration(`-${text}`).nanos, -sum);
    }),
  ),
);

/** From the first moment of the year 1 to the last of 9999, in milliseconds. */
const moments = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });

x('a timestamp of CEL keeps its text and equals the JavaScript date', () =>
  fc.assert(
    fc.property(moments, fc.bigInt({ min: 0n, max: 999_999n }), (millis, rest) => {
      const moment = new Timestamp(BigInt(millis) * 1_000_000n + rest);
      const text = timestampText(moment);
      assert.is(parseTimestamp(text).nanos, moment.nanos);
      assert.is(parseTimestamp(new Date(millis).toISOString()).nanos, BigInt(millis) * 1_000_000n);
    }),
  ),
);

const two = (value: number) => String(value).padStart(2, '0');
const inYear = fc.integer({ min: 0, max: 253_370_764_800 });
const clock = fc.record({ ahead: fc.boolean(), hours: fc.nat({ max: 23 }), minutes: fc.nat({ max: 59 }) });

x('a timestamp with an offset is converted to UTC', () =>
  fc.assert(
    fc.property(inYear, clock, (seconds, { ahead, hours, minutes }) => {
      const text = new Date(seconds * 1000).toISOString().slice(0, 19);
      const found = parseTimestamp(`${text}${ahead ? '+' : '-'}${two(hours)}:${two(minutes)}`).nanos / second;
      assert.is(Number(found) - seconds, (ahead ? -60 : 60) * (hours * 60 + minutes));
    }),
  ),
);

x('a date that does not exist is refused', () => {
  for (const date of ['2023-02-29', '2024-02-30', '2024-04-31', '2024-13-01', '2024-00-10', '2024-01-00'])
    assert.throws(() => parseTimestamp(`${date}T00:00:00Z`), /cannot parse/, date);
  assert.is(timestampText(parseTimestamp('2024-02-29T23:59:59Z')), '2024-02-29T23:59:59Z');
});

x('a formatted double is parsed to the same double', () =>
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (number) => {
      assert.is(valueOf('double(string(d)) == d', { d: number }), true);
    }),
    { numRuns: 1000 },
  ),
);

const powers = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, e3: 3, 'E-2': -2 } as const;
const suffix = fc.constantFrom(
  ...(Object.keys(powers) as readonly (keyof typeof powers)[]),
  'Ki' as const,
  'Gi' as const,
);

/** An amount as it is written, and exactly: so many parts of a fraction of ten. */
const amounts = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: fc.integer({ min: 0, max: 99_999 }),
    part: fc.string({ unit: fc.constantFrom('0', '5', '9'), maxLength: 4 }),
    suffix,
  })
  .map(({ sign, whole, part, suffix: of }) => {
    const two = of === 'Ki' ? 2n ** 10n : of === 'Gi' ? 2n ** 30n : 1n;
    const power = of === 'Ki' || of === 'Gi' ? 0 : powers[of];
    const digits = BigInt(`${whole}${part}`) * two * (sign === '-' ? -1n : 1n);
    return { text: `${sign}${whole}${part === '' ? '' : `.${part}`}${of}`, digits, power: power - part.length };
  });

type Amount = typeof amounts extends fc.Arbitrary<infer T> ? T : never;

/** Parts of 10^-20; an amount that is no whole number of billionths counts as the next one away from 0. */
function exact({ digits, power }: Amount): bigint {
  const [amount, billionth] = [digits * 10n ** BigInt(20 + power), 10n ** 11n];
  const rest = amount % billionth;
  return rest === 0n ? amount : amount - rest + (amount < 0n ? -billionth : billionth);
}

x('quantities are added and compared exactly', () =>
  fc.assert(
    fc.property(amounts, amounts, (one, other) => {
      const [a, b] = [exact(one), exact(other)];
      const given = { a: one.text, b: other.text };
      assert.is(valueOf('quantity(a).compareTo(quantity(b))', given), a < b ? -1n : a > b ? 1n : 0n);
      assert.is(
        valueOf('quantity(a).add(quantity(b)).compareTo(quantity("0"))', given),
        a + b < 0n ? -1n : a + b > 0n ? 1n : 0n,
      );
      assert.is(valueOf('quantity(a).add(quantity(b)).sub(quantity(b)) == quantity(a)', given), true);
      assert.is(valueOf('quantity(a).asApproximateFloat()', given), Number(a / 10n ** 11n) / 1e9);
    }),
    { numRuns: 300 },
  ),
);

/** An address by its bits. */
interface Address {
  readonly bits: string;
  readonly text: string;
}

const four = fc
  .array(fc.constantFrom(0, 1, 10, 127, 192, 255), { minLength: 4, maxLength: 4 })
  .map((bytes): Address => ({
    bits: bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(''),
    text: bytes.join('.'),
  }));
const six = fc
  .array(fc.constantFrom(0, 0, 0, 1, 0xfe80, 0xffff), { minLength: 8, maxLength: 8 })
  .filter((groups) => groups.slice(0, 5).some((group) => group !== 0))
  .map((groups): Address => ({
    bits: groups.map((group) => group.toString(2).padStart(16, '0')).join(''),
    text: groups.map((group) => group.toString(16)).join(':'),
  }));
const networks = fc.oneof(
  fc.tuple(fc.constant(32), four, fc.oneof(four, six)),
  fc.tuple(fc.constant(128), six, fc.oneof(six, four)),
);

x('a network contains the addresses with its prefix', () =>
  fc.assert(
    fc.property(networks, fc.nat({ max: 128 }), fc.nat({ max: 128 }), ([width, own, other], first, second) => {
      const [length, narrower] = [Math.min(first, width), Math.min(second, other.bits.length)];
      const isHeld = other.bits.length === width && other.bits.startsWith(own.bits.slice(0, length));
      const given = { a: `${own.text}/${length}`, b: other.text, c: `${other.text}/${narrower}` };
      assert.is(valueOf('cidr(a).containsIP(b)', given), isHeld);
      assert.is(valueOf('cidr(a).containsIP(ip(b))', given), isHeld);
      assert.is(valueOf('cidr(a).containsCIDR(c)', given), isHeld && narrower >= length);
      assert.is(valueOf('cidr(a).masked().containsIP(b)', given), isHeld);
    }),
    { numRuns: 300 },
  ),
);

x('the canonical form of an address is that in URLs', () =>
  fc.assert(
    fc.property(fc.oneof(four, six), ({ text }) => {
      const isFour = text.includes('.');
      const wanted = isFour ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
      assert.is(valueOf('string(ip(a))', { a: text }), wanted);
      assert.is(valueOf('ip.isCanonical(a)', { a: wanted }), true);
      assert.is(valueOf('ip.isCanonical(a)', { a: text }), text === wanted);
      assert.is(valueOf('ip(a) == ip(b)', { a: text, b: wanted }), true);
    }),
    { numRuns: 300 },
  ),
);

x.run();
