import { Duration, EvaluationError, Timestamp } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

const second = 1_000_000_000n;
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** A length of time as Go writes it, such as `1h30m` or `-1.5s`. */
export function parseDuration(text: string): Duration {
  const broken = () => new EvaluationError(`time: invalid duration ${JSON.stringify(text)}`);
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return new Duration(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) throw broken();
  let nanos = 0n;
  for (const [, whole = '', part = '', unit = ''] of rest.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const one = units[unit] ?? 0n;
    const fraction = part.slice(0, 18);
    nanos += BigInt(whole || '0') * one + (BigInt(fraction || '0') * one) / 10n ** BigInt(fraction.length);
  }
  return new Duration(sign === '-' ? -nanos : nanos);
}

/** A length of time in seconds. */
export function durationText({ nanos }: Duration): string {
  return `${nanos < 0n ? '-' : ''}${withFraction(nanos < 0n ? -nanos : nanos)}s`;
}

function withFraction(nanos: bigint): string {
  const rest = String(nanos % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos / second}${rest === '' ? '' : `.${rest}`}`;
}

const written = /^(\d{4}-\d\d-\d\d)T(\d\d?):([0-5]\d):([0-5]\d)(?:[.,](\d+))?(?:Z|([+-])([01]\d|2[0-4]):([0-5]\d|60))$/;

/** The nanoseconds since 1970 of a moment as RFC 3339 writes it, and Go reads it; null for a text that is none. */
export function nanosIn(text: string): bigint | null {
  const [whole, date = '', hours, minutes, seconds, part = '', sign, aheadHours = 0, aheadMinutes = 0] =
    written.exec(text) ?? [];
  const midnight = Date.parse(date);
  const isDate = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  if (whole === undefined || !isDate || Number(hours) > 23) return null;
  const ahead = (sign === '-' ? -60 : 60) * (Number(aheadHours) * 60 + Number(aheadMinutes));
  const inDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return BigInt(midnight / 1000 + inDay - ahead) * second + BigInt(part.slice(0, 9).padEnd(9, '0'));
}

/** A moment as RFC 3339 writes it. */
export function parseTimestamp(text: string): Timestamp {
  const nanos = nanosIn(text);
  if (nanos === null)
    throw new EvaluationError(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
  return new Timestamp(nanos);
}

/** A moment in UTC. */
export function timestampText(moment: Timestamp): string {
  const rest = String(fractionOf(moment)).padStart(9, '0').replace(/0+$/, '');
  return `${new Date(millisOf(moment)).toISOString().slice(0, 19)}${rest === '' ? '' : `.${rest}`}Z`;
}

const fractionOf = ({ nanos }: Timestamp) => ((nanos % second) + second) % second;
const millisOf = (moment: Timestamp) => Number((moment.nanos - fractionOf(moment)) / 1_000_000n);

/** A moment whose parts in UTC are those that a clock of a place shows. */
function shownIn(moment: Timestamp, zone: string): Date {
  const millis = millisOf(moment);
  if (zone === '' || zone === 'UTC') return new Date(millis);
  const [, sign = '', hours = '', minutes = ''] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== '') return new Date(millis + (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000);
  return shownAt(millis, zone);
}

function shownAt(millis: number, zone: string): Date {
  try {
    const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return new Date(`${text.format(millis).replace(' ', 'T')}Z`);
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}

const day = 86_400_000;
const dayOfYear = (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day);

const parts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
};

const millisecond = (moment: Timestamp) => fractionOf(moment) / 1_000_000n;

/** What moments and lengths of time are made of. */
export const times: Functions = {
  ...Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => [
      [`timestamp.${name}(): int`, (moment: Timestamp) => BigInt(part(shownIn(moment, '')))],
      [`timestamp.${name}(string): int`, (moment: Timestamp, zone: string) => BigInt(part(shownIn(moment, zone)))],
    ]),
  ),
  'timestamp.getMilliseconds(): int': millisecond,
  'timestamp.getMilliseconds(string): int': millisecond,
  'duration.getHours(): int': ({ nanos }: Duration) => nanos / (3600n * second),
  'duration.getMinutes(): int': ({ nanos }: Duration) => nanos / (60n * second),
  'duration.getSeconds(): int': ({ nanos }: Duration) => nanos / second,
  'duration.getMilliseconds(): int': ({ nanos }: Duration) => nanos / 1_000_000n,
};
