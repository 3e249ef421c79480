import { isIPv4, isIPv6 } from 'node:net';

type Check = (text: string) => boolean;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const dateTime = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** A day of the calendar: the thirtieth of February is none. By its numbers, for a Date costs more than all the rest. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = date.exec(text)?.slice(1).map(Number) ?? [];
  const days = month === 2 && isLeap(year) ? 29 : (daysOf[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** The formats of text that are checked; any other is taken as it is. */
const formats: Readonly<Record<string, Check>> = {
  'date-time': (text) => isDay(dateTime.exec(text)?.[1] ?? '') && !Number.isNaN(Date.parse(text)),
  date: isDay,
  duration: (text) => /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text) || text === '0',
  byte: (text) => base64.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  hostname: (text) => text.length <= 253 && /^(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$/.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: (text) => /\/\d{1,3}$/.test(text) && [isIPv4, isIPv6].some((is) => is(text.replace(/\/\d+$/, ''))),
  uri: (text) => URL.canParse(text),
  uuid: (text) => uuid.test(text),
};

export const hasFormat = (format: string, text: string) => formats[format]?.(text) ?? true;

/** The bounds of the formats of integers. */
export function fitsInteger(format: string | undefined, value: number): boolean {
  if (format === 'int32') return value >= -(2 ** 31) && value < 2 ** 31;
  if (format === 'int64') return value >= -(2 ** 63) && value <= 2 ** 63;
  return true;
}
