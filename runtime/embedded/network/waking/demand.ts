/** A route, how many requests it had at most since the last time, and how many it has now. */
export type Demanded = readonly [route: string, most: number, now: number];

/** Counts the requests that are under way. */
export interface Demand {
  /** A request comes; gives what ends it. */
  readonly begin: (route: string) => () => void;
  readonly stop: () => void;
}

const quietMs = 200;

/** The first request is reported at once, what follows it soon after. */
export function createDemand(report: (demand: readonly Demanded[]) => void): Demand {
  const counts = new Map<string, number>();
  const peaks = new Map<string, number>();
  let quiet: NodeJS.Timeout | undefined;

  function flush() {
    quiet = undefined;
    if (peaks.size === 0) return;
    report([...peaks].map(([route, most]): Demanded => [route, most, counts.get(route) ?? 0]));
    peaks.clear();
    quiet = setTimeout(flush, quietMs).unref();
  }

  function add(route: string, change: 1 | -1) {
    const count = (counts.get(route) ?? 0) + change;
    peaks.set(route, Math.max(peaks.get(route) ?? 0, count));
    if (count > 0) counts.set(route, count);
    else counts.delete(route);
    if (quiet === undefined) flush();
  }

  return {
    begin(route) {
      add(route, 1);
      let isOver = false;
      return () => {
        if (!isOver) add(route, -1);
        isOver = true;
      };
    },
    stop: () => clearTimeout(quiet),
  };
}
