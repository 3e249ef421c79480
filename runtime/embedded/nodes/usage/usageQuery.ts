import type { Labels, Sample, Series, UsageRing } from './usageRing.ts';

/** The sum over series of a metric, or of its rate: what of PromQL is answered. */
export interface UsageQuery {
  readonly metric: string;
  readonly selects: (labels: Labels) => boolean;
  /** Set where the rate over so many seconds is summed. */
  readonly rateSeconds: number | null;
}

/** The times of a range, in seconds. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** A value of a metric stands until so long after it was read. */
const standsForMs = 25_000;
const mostPoints = 11_000;

const summed = /^sum\((?:rate\((.+)\[(\d+)s\]\)|(.+))\)$/;
const selected = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?$/;
const matcher = /^\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*(?:,|$)/;

/** Reads a query; null where it is none that is answered. */
export function readQuery(text: string): UsageQuery | null {
  const [, rated, seconds, plain] = summed.exec(text.trim()) ?? [];
  const [, metric, labels = ''] = selected.exec((rated ?? plain ?? '').trim()) ?? [];
  const selects = metric === undefined ? null : matching(labels);
  if (metric === undefined || selects === null) return null;
  return { metric, selects, rateSeconds: seconds === undefined ? null : Number(seconds) };
}

/** Whether labels are as all matchers ask; a label that is not there is empty. */
function matching(text: string): ((labels: Labels) => boolean) | null {
  const all: ((labels: Labels) => boolean)[] = [];
  for (let rest = text; rest.trim() !== '';) {
    const [whole, name = '', operator = '', quoted = ''] = matcher.exec(rest) ?? [];
    const test = whole === undefined ? null : tester(operator, quoted);
    if (whole === undefined || test === null) return null;
    all.push((labels) => test(labels[name] ?? ''));
    rest = rest.slice(whole.length);
  }
  return (labels) => all.every((holds) => holds(labels));
}

function tester(operator: string, quoted: string): ((value: string) => boolean) | null {
  try {
    const text = String(JSON.parse(quoted));
    if (operator === '=') return (value) => value === text;
    if (operator === '!=') return (value) => value !== text;
    const expression = new RegExp(`^(?:${text})$`);
    return (value) => expression.test(value) === (operator === '=~');
  } catch {
    return null;
  }
}

/** The values at each step of a range; a step at which nothing stands has none. */
export function valuesOf(
  ring: UsageRing,
  { metric, selects, rateSeconds }: UsageQuery,
  { start, end, step }: Range,
): readonly Sample[] {
  const series = ring.of(metric).filter(({ labels }) => selects(labels));
  const points = Math.min(mostPoints, Math.floor((end - start) / step) + 1);
  return Array.from({ length: Math.max(0, points) }, (_, index) => (start + index * step) * 1_000).flatMap((at) => {
    const values = series.flatMap((one) => valueAt(one, at, rateSeconds) ?? []);
    return values.length === 0 ? [] : [[at, values.reduce((sum, value) => sum + value, 0)] as const];
  });
}

function valueAt({ between }: Series, at: number, rateSeconds: number | null): number | null {
  if (rateSeconds === null) return between(at - standsForMs, at).at(-1)?.[1] ?? null;
  return rateOf(between(at - rateSeconds * 1_000, at));
}

/** How fast what is counted up grew in a second; one that falls was begun anew. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last[0] <= first[0]) return null;
  let grown = 0;
  samples.reduce((before, sample) => {
    grown += sample[1] >= before[1] ? sample[1] - before[1] : sample[1];
    return sample;
  });
  return grown / ((last[0] - first[0]) / 1_000);
}
