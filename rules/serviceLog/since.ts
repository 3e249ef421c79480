const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
};
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const whole = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

const longestSinceSeconds = 168 * 3_600;

/** The seconds of a duration such as `48h` or `1h30m`, up to a week and at least one; null for anything else. */
export function sinceSeconds(text: string): number | null {
  if (!whole.test(text)) return null;
  const seconds = [...text.matchAll(part)].reduce(
    (sum, [, count = '', unit = '']) => sum + Number(count) * (secondsOf[unit] ?? 0),
    0,
  );
  return seconds > 0 && seconds <= longestSinceSeconds ? Math.max(1, Math.ceil(seconds)) : null;
}
