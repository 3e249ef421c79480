import { Effect, Stream } from 'effect';
import { stampedLine, unreadAfter } from '../../rules/serviceLog/line.ts';
import { isoTime } from '../../rules/time.ts';
import { Cluster, type LogLinesOptions, type ReadError } from '../../runtime/services/cluster/cluster.ts';
import type { Copy } from './copies.ts';
import { maxLines, type LineBuffer } from './lineBuffer.ts';
import { linesOf } from './read.ts';

const shortestPauseMs = 500;
/** After the end of a run, or while the API is away. */
const longestPauseMs = 5_000;
/** While a container waits to start. */
const startingPauseMs = 1_000;

export interface FollowedLog {
  readonly copy: Copy;
  /** How often the container was restarted, as far as the cache shows now. */
  readonly restarts: () => number;
  readonly kept: LineBuffer;
  /** Called once the lines that are there were read. */
  readonly begun: () => void;
}

/** Reads a log on from its last line. Kubernetes begins at the whole second, so what was read is left out. */
const readOn = (
  { copy, kept }: FollowedLog,
  options: Pick<LogLinesOptions, 'follow' | 'previous'>,
): Effect.Effect<void, ReadError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => {
    const reached = kept.reached();
    const isUnread = unreadAfter(reached);
    const second = reached && reached.last.at - (reached.last.at % 1_000);
    const lines = cluster.logLines(
      { name: copy.pod, namespace: copy.namespace },
      {
        ...options,
        container: copy.container,
        timestamps: true,
        ...(second === null ? {} : { sinceTime: isoTime(second) }),
      },
    );
    return Stream.runForEach(lines, (raw) =>
      Effect.sync(() => {
        const line = stampedLine(raw);
        if (line !== null && isUnread(line)) kept.add(line);
      }),
    );
  });

/** Why reading ended, if it was no end of the container. */
const failureOf = (effect: Effect.Effect<void, ReadError, Cluster>) =>
  Effect.match(effect, { onSuccess: () => null, onFailure: (failure) => failure._tag });

/**
 * Follows one container over restarts and broken connections, until its pod is gone. There is one connection at a
 * time; what the run before wrote last is read before the lines of a new run.
 */
export const followed = (following: FollowedLog): Effect.Effect<void, never, Cluster> =>
  Effect.gen(function* () {
    const { copy, kept, restarts } = following;
    const firstLines = yield* Effect.option(linesOf(copy, { tailLines: maxLines }));
    if (firstLines._tag === 'Some') firstLines.value.forEach(kept.add);
    following.begun();
    let run = copy.restarts;
    let pauseMs = shortestPauseMs;
    for (;;) {
      const before = kept.reached();
      const newest = restarts();
      if (newest > run) yield* failureOf(readOn(following, { previous: true }));
      run = newest;
      const failure = yield* failureOf(readOn(following, { follow: true }));
      if (failure === 'NotFound') return;
      pauseMs = kept.reached() === before ? Math.min(longestPauseMs, pauseMs * 2) : shortestPauseMs;
      yield* Effect.sleep(failure === 'Refused' ? startingPauseMs : pauseMs);
    }
  });
