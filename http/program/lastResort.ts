import { catchUncaught } from '../../runtime/embedded/index.ts';
import { logLine } from '../../runtime/services/log.ts';
import { uncaughtTo, type UncaughtFrom } from '../../runtime/services/uncaught.ts';

/** Counts uncaught errors, in this thread and in those that report theirs. */
export interface LastResort {
  readonly count: (from: UncaughtFrom) => void;
  readonly counted: () => Readonly<Record<UncaughtFrom, number>>;
}

interface LastResortOptions {
  /** Called once, when errors outside requests come too often for the process to be sound. */
  readonly giveUp: () => void;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/** As many errors outside requests, within this time, end the process. */
export const maxUncaught = { errors: 10, withinMs: 60_000 } as const;

/** Decides whether errors outside requests come too often. Errors of requests end their requests, and nothing else. */
export function makeLastResort({ giveUp, now = () => performance.now() }: LastResortOptions): LastResort {
  const counted = { request: 0, process: 0 };
  let recent: readonly number[] = [];
  let hasGivenUp = false;
  return {
    count: (from) => {
      counted[from]++;
      if (from === 'request' || hasGivenUp) return;
      const at = now();
      recent = [...recent, at].filter((one) => at - one < maxUncaught.withinMs);
      if (recent.length < maxUncaught.errors) return;
      hasGivenUp = true;
      logLine('error', 'too many uncaught errors', maxUncaught);
      giveUp();
    },
    counted: () => counted,
  };
}

/** Handles uncaught errors of the main thread. */
export function installLastResort(options: LastResortOptions): LastResort {
  const lastResort = makeLastResort(options);
  catchUncaught(uncaughtTo(lastResort.count));
  return lastResort;
}
