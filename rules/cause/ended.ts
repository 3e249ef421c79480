import { backedOffFromEnds, steadyAt } from '../crashing.ts';
import { isoTime } from '../time.ts';
import { sentence, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { type CopyContainer, type Ended, lastEndOf } from './containers.ts';
import { lastLine } from './lastLine.ts';

/** How long an end is told of a container that runs again. */
const toldForMs = 600_000;

interface Ending {
  readonly on: ObjectRef;
  /** The values of Secrets that the container reads. */
  readonly secrets: () => readonly string[];
  readonly now: number;
}

/** A container that ended within ten minutes, or waits to be started again; only one killed for its memory, or no such. */
export function causeOfEnd(
  container: CopyContainer,
  isForMemory: boolean,
  { on, secrets, now }: Ending,
): FoundCause | undefined {
  const end = lastEndOf(container);
  if (end === undefined || (end.reason === 'OOMKilled') !== isForMemory || isOver(container, end, now))
    return undefined;
  const logLine = lastLine(end.message, secrets());
  return {
    ...(isForMemory ? killed(container) : crashed(container, end)),
    on,
    count: container.ends,
    ...(end.atMs === 0 ? {} : { lastAt: isoTime(end.atMs) }),
    exitCode: end.exitCode,
    ...(logLine === '' ? {} : { logLine }),
  };
}

/** An end in the future comes from a clock that was set back since. */
const isOver = ({ state }: CopyContainer, { atMs }: Ended, now: number): boolean =>
  state?.running !== undefined && Math.abs(now - atMs) >= toldForMs;

/** When an end counts no more and when it is told no more, by time alone (ms). */
export function momentsOf(container: CopyContainer): readonly number[] {
  const end = lastEndOf(container);
  if (end === undefined || container.state?.running === undefined) return [];
  const steady = steadyAt({ ...container, restartCount: container.ends }, backedOffFromEnds);
  return [end.atMs + toldForMs, ...(steady === null ? [] : [steady])];
}

const killed = ({ memory, ends }: CopyContainer) =>
  ({
    reason: 'OutOfMemory',
    message: sentence('a copy was killed at its memory limit of {limit}, {count} times', {
      limit: toViewers(memory),
      count: toViewers(ends),
    }),
  }) as const;

const crashed = ({ ends }: CopyContainer, { exitCode }: Ended) =>
  ({
    reason: 'CrashLoop',
    message: sentence('the program ends by itself: exit code {code}, {count} restarts', {
      code: toViewers(exitCode),
      count: toViewers(ends),
    }),
  }) as const;
