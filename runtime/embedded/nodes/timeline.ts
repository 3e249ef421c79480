import type { RestartPolicy } from './shapes.ts';

/** A run that came to its end at another time than was planned; with what it wrote, where a program did. */
export interface CutShort {
  readonly at: number;
  readonly exitCode: number;
  readonly log?: readonly (readonly [at: number, text: string])[];
}

/** How one container runs, as its pod remembers it: `afterSeconds` null runs for ever. */
export interface Course {
  readonly afterSeconds: number | null;
  readonly exitCode: number;
  /** So many runs, counted from this pod's first, end with exit code 1. */
  readonly fails: number;
  /** Runs, by their number from 0, that were ended before their time. */
  readonly ends?: Readonly<Record<number, CutShort>>;
  /** How long after a start the container is ready; null: never. Left out: at once. */
  readonly readyAfterSeconds?: number | null;
  /** Why the container never starts. */
  readonly waiting?: string;
  /** What of its environment is not there yet, in a kubelet's words. */
  readonly lacks?: string;
  /** It does not start before: then what it lacked was there. */
  readonly notBefore?: number;
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
    const until = endOf(course, count, startedAt);
    if (now < until) return { is: 'running', restarts: count, startedAt, until, last };
    const run = { startedAt, endedAt: until, exitCode: exitCodeOf(course, count) };
    if (staysEnded(restarts, run.exitCode)) return { is: 'ended', restarts: count, run, last };
    startedAt = until + backoffMs(base, count + 1);
    if (now < startedAt) return { is: 'backingOff', restarts: count, until: startedAt, last: run };
    last = run;
  }
}

function endOf({ afterSeconds, ends }: Course, count: number, startedAt: number): number {
  const planned = afterSeconds === null ? Infinity : startedAt + afterSeconds * 1000;
  return Math.min(planned, Math.max(startedAt, ends?.[count]?.at ?? Infinity));
}

const exitCodeOf = (course: Course, count: number) =>
  course.ends?.[count]?.exitCode ?? (failsFirst(course, count) ? 1 : course.exitCode);

/** When a run that started then becomes ready. */
export const readyAt = ({ readyAfterSeconds = 0 }: Course, startedAt: number): number =>
  readyAfterSeconds === null ? Infinity : startedAt + readyAfterSeconds * 1000;

const staysEnded = ({ policy, init }: Restarts, exitCode: number) =>
  policy === 'Never' || (exitCode === 0 && (init || policy === 'OnFailure'));
