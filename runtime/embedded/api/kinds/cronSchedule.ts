/** When a CronJob is due, as it is written: five fields, or a distance in time. */
export type CronSchedule =
  { readonly is: 'fields'; readonly fields: CronFields } | { readonly is: 'every'; readonly ms: number };

export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Where one of days and weekdays is not `*`, only that one counts; where both are not, either does. */
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds = {
  minutes: { from: 0, to: 59, names: [] },
  hours: { from: 0, to: 23, names: [] },
  days: { from: 1, to: 31, names: [] },
  months: { from: 1, to: 12, names: monthNames },
  weekdays: { from: 0, to: 6, names: dayNames },
} as const satisfies Readonly<Record<string, Bounds>>;

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Reads a schedule, or says what is wrong with it. */
export function parseSchedule(text: string): CronSchedule | { readonly is: 'wrong'; readonly why: string } {
  try {
    if (text.startsWith('@every ')) return { is: 'every', ms: durationOf(text.slice('@every '.length).trim()) };
    if (text.startsWith('@') && macros[text] === undefined) throw new Error(`unrecognized descriptor: ${text}`);
    return { is: 'fields', fields: fieldsOf(macros[text] ?? text) };
  } catch (why) {
    return { is: 'wrong', why: why instanceof Error ? why.message : String(why) };
  }
}

function fieldsOf(text: string): CronFields {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length === 0) throw new Error('empty spec string');
  if (parts.length !== 5) throw new Error(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = parts;
  return {
    minutes: valuesOf(minutes, bounds.minutes),
    hours: valuesOf(hours, bounds.hours),
    days: valuesOf(days, bounds.days),
    months: valuesOf(months, bounds.months),
    weekdays: valuesOf(weekdays, bounds.weekdays),
    anyDay: isAny(days),
    anyWeekday: isAny(weekdays),
  };
}

const isAny = (field: string) => field.split(',').some((part) => /^[*?](\/1)?$/.test(part));

const valuesOf = (field: string, limits: Bounds): ReadonlySet<number> =>
  new Set(field.split(',').flatMap((part) => rangeOf(part, limits)));

function rangeOf(part: string, limits: Bounds): readonly number[] {
  const [range = '', stepText, ...more] = part.split('/');
  if (more.length > 0) throw new Error(`too many slashes: ${part}`);
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
  const [from, to] = endsOf(range, { limits, open: stepText !== undefined, part });
  if (from < limits.from) throw new Error(`beginning of range (${from}) below minimum (${limits.from}): ${part}`);
  if (to > limits.to) throw new Error(`end of range (${to}) above maximum (${limits.to}): ${part}`);
  if (from > to) throw new Error(`beginning of range (${from}) beyond end of range (${to}): ${part}`);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function endsOf(
  range: string,
  { limits, open, part }: { readonly limits: Bounds; readonly open: boolean; readonly part: string },
): readonly [number, number] {
  if (range === '*' || range === '?') return [limits.from, limits.to];
  const [first = '', second, ...more] = range.split('-');
  if (more.length > 0) throw new Error(`too many hyphens: ${part}`);
  const from = valueOf(first, limits);
  if (second !== undefined) return [from, valueOf(second, limits)];
  return [from, open ? limits.to : from];
}

function valueOf(text: string, { names, from }: Bounds): number {
  const index = names.indexOf(text.toLowerCase());
  return index >= 0 ? index + from : numberOf(text);
}

function numberOf(text: string): number {
  if (!/^\d+$/.test(text))
    throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`);
  return Number(text);
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

function durationOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new Error(`failed to parse duration @every ${text}: time: invalid duration "${text}"`);
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  return Math.max(1_000, Math.floor(ms / 1_000) * 1_000);
}

/** Whether a time zone is one that is known by its name. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name.toLowerCase() === 'local') return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
