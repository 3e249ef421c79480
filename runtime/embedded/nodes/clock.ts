/** Time as the simulated nodes know it, so that a test can turn it by hand. */
export interface Clock {
  readonly now: () => number;
  /** Runs once when the time has come, or earlier if that is too far away for a timer. Returns the canceller. */
  readonly at: (time: number, run: () => void) => () => void;
}

const longestTimer = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  at(time, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, time - Date.now()), longestTimer));
    return () => clearTimeout(timer);
  },
};

/** A time as Kubernetes writes it: to the second. */
export const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
