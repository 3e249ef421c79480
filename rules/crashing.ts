import { msOf } from './time.ts';

/** The parts of a container's status that show how often it ended, and since when it runs. */
export interface EndsSeen {
  readonly restartCount?: number;
  readonly state?: { readonly running?: { readonly startedAt?: string }; readonly terminated?: object };
  readonly lastState?: { readonly terminated?: object };
}

interface PodEnds {
  readonly status?: { readonly containerStatuses?: readonly EndsSeen[] };
}

/** A container that ended so often crashes, until it has run for a while. */
const crashingFromEnds = 3;
/** A container that ended so often is started after a pause, and counts as failed until it is available. */
export const backedOffFromEnds = 2;
const steadyAfterMs = 60_000;

/** How often a container ended. */
export const endsOf = ({ restartCount = 0, state, lastState }: EndsSeen): number =>
  restartCount + (state?.running === undefined && (state?.terminated ?? lastState?.terminated) !== undefined ? 1 : 0);

/**
 * When a container that ended `fromEnds` times or more has run for a minute (ms): infinite while it does not run, null
 * for one that ended less often.
 */
export function steadyAt(container: EndsSeen, fromEnds: number): number | null {
  if (endsOf(container) < fromEnds) return null;
  const { running } = container.state ?? {};
  return running === undefined ? Infinity : (msOf(running.startedAt ?? '') || 0) + steadyAfterMs;
}

/** The time, and since when the copies were available (ms); 0 where that is not known. */
export interface Crashes {
  readonly now: number;
  readonly availableSince: number;
}

/**
 * Whether a container of a pod crashes: it ended `fromEnds` times or more, and has not run for a minute since. One that
 * runs since before its copies were available has not crashed yet, and a start in the future comes from a clock that was
 * set back since.
 */
export const isCrashing = (
  { status }: PodEnds,
  { now, availableSince }: Crashes,
  fromEnds = crashingFromEnds,
): boolean =>
  (status?.containerStatuses ?? []).some((container) => {
    const at = steadyAt(container, fromEnds);
    if (at === null || at === Infinity) return at !== null;
    return now < at && now > at - 2 * steadyAfterMs && at - steadyAfterMs > availableSince;
  });
