import type { Line } from './fixtures/process.ts';

export interface Outage {
  readonly lostAt: number | undefined;
  readonly backAt: number | undefined;
  /** Infinite where it did not come back. */
  readonly ms: number;
}

/** From the first line since a moment that says it is lost to the first one of those at the end that say it is back. */
export function outageIn(lines: readonly Line[], isUp: (text: string) => boolean, from: number): Outage {
  const since = lines.filter(({ at }) => at >= from);
  const lostAt = since.find(({ text }) => !isUp(text))?.at;
  const lastDown = since.findLastIndex(({ text }) => !isUp(text));
  const backAt = lostAt === undefined ? undefined : since[lastDown + 1]?.at;
  return { lostAt, backAt, ms: lostAt === undefined ? 0 : (backAt ?? Infinity) - lostAt };
}
