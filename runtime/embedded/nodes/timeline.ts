import type { RestartPolicy } from './shapes.ts';

/** How one container runs, as its pod remembers it: `afterSeconds` null runs for ever. */
export interface Course {
  readonly afterSeconds: number | null;
  readonly exitCode: number;
  /** So many runs, counted from this pod's first, end with exit code 1. */
  readonly fails: number;
}

export interface Ended {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exitCode: number;
}

/** Where a container is at a moment; `until` is when that changes by itself, `last` the run before this one. */
export type Moment =
  | { readonly is: 'backingOff'; readonly restarts: number; readonly until: number; readonly last: Ended }
  | {
      readonly is: 'running';
      readonly restarts: number;
      readonly startedAt: number;
      readonly until: number;
      readonly last: Ended | null;
    }
  | { readonly is: 'ended'; readonly restarts: number; readonly run: Ended; readonly last: Ended | null };

export interface Restarts {
  readonly policy: RestartPolicy;
  /** An init container is not run again once it succeeded, whatever the policy. */
  readonly init: boolean;
  readonly backoffSeconds: number;
}

const mostDoublings = 6;
const shortestRestartSeconds = 1;

/** Pod back-off: the base, doubled with each failure, at most 60 times the base. */
export const backoffMs = (baseSeconds: number, failures: number): number =>
  baseSeconds * 1000 * Math.min(60, 2 ** Math.min(failures - 1, mostDoublings));

/** Whether a run fails because the rule says that the first ones do. */
export const failsFirst = (course: Course, restarts: number): boolean => restarts < course.fails;

/** What has become of a container that first started at `from`. A pure function of time: it can be asked again. */
export function momentAt(course: Course, restarts: Restarts, from: number, now: number): Moment {
  const base = Math.max(restarts.backoffSeconds, shortestRestartSeconds);
  let startedAt = from;
  let last: Ended | null = null;
  for (let count = 0; ; count += 1) {
    const until = course.afterSeconds === null ? Infinity : startedAt + course.afterSeconds * 1000;
    if (now < until) return { is: 'running', restarts: count, startedAt, until, last };
    const run = { startedAt, endedAt: until, exitCode: failsFirst(course, count) ? 1 : course.exitCode };
    if (staysEnded(restarts, run.exitCode)) return { is: 'ended', restarts: count, run, last };
    startedAt = until + backoffMs(base, count + 1);
    if (now < startedAt) return { is: 'backingOff', restarts: count, until: startedAt, last: run };
    last = run;
  }
}

const staysEnded = ({ policy, init }: Restarts, exitCode: number) =>
  policy === 'Never' || (exitCode === 0 && (init || policy === 'OnFailure'));
