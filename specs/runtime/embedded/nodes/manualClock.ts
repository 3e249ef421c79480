import type { Clock } from '../../../../runtime/embedded/nodes/clock.ts';

/** A clock that a spec advances: due timers run on the way, and their effects are awaited. */
export interface ManualClock extends Clock {
  readonly turn: (seconds: number) => Promise<void>;
  /** Sets the time without running anything, as a program that is down sees it. */
  readonly jump: (seconds: number) => void;
}

const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
};

export function manualClock(start = Date.parse('2030-01-01T00:00:00Z')): ManualClock {
  let now = start;
  const timers = new Set<{ readonly time: number; readonly run: () => void }>();
  return {
    now: () => now,
    at(time, run) {
      const timer = { time, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async turn(seconds) {
      const end = now + seconds * 1000;
      await settle();
      for (;;) {
        const next = [...timers].reduce((first, { time }) => Math.min(first, time), Infinity);
        if (next > end) break;
        now = Math.max(now, next);
        for (const timer of [...timers].filter(({ time }) => time <= now)) if (timers.delete(timer)) timer.run();
        await settle();
      }
      now = end;
    },
    jump: (seconds) => {
      now += seconds * 1000;
    },
  };
}
