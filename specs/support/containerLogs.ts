import { Cause, Effect, Queue, Stream } from 'effect';
import {
  Unavailable,
  type ClusterShape,
  type LogLinesOptions,
  NotFound,
  type ReadError,
  Refused,
} from '../../runtime/services/cluster/cluster.ts';

interface Line {
  readonly stamp: string;
  readonly text: string;
}

interface Reader {
  readonly line: (line: Line) => void;
  readonly end: () => void;
  readonly fail: (error: ReadError) => void;
}

/** The containers of pods as a kubelet serves their logs: runs, followers, and what goes wrong with them. */
export function containerLogs() {
  const runs = new Map<string, Line[][]>();
  const readers = new Map<string, Set<Reader>>();
  const silent = new Set<string>();
  const state = { opened: 0, most: 0 };

  const readersOf = (pod: string) => {
    const known = readers.get(pod) ?? new Set<Reader>();
    readers.set(pod, known);
    return known;
  };
  const openNow = () => [...readers.values()].reduce((sum, { size }) => sum + size, 0);
  const isRecent = ({ stamp }: Line, sinceTime: string | undefined): boolean =>
    sinceTime === undefined || Date.parse(stamp) >= Date.parse(sinceTime);
  const selected = (lines: readonly Line[], { tailLines, sinceTime }: LogLinesOptions) => {
    const recent = lines.filter((line) => isRecent(line, sinceTime));
    return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  };
  const stamped = ({ stamp, text }: Line) => `${stamp} ${text}`;

  const linesNow = (pod: string, options: LogLinesOptions): Effect.Effect<readonly Line[], ReadError> => {
    const all = runs.get(pod);
    if (all === undefined) return Effect.fail(new NotFound({ what: `pods "${pod}" not found` }));
    const run = options.previous === true ? all.at(-2) : all.at(-1);
    if (run === undefined)
      return Effect.fail(new Refused({ status: 400, message: `container in pod "${pod}" is waiting to start` }));
    return Effect.succeed(selected(run, options));
  };
  const followed = (pod: string, now: readonly Line[]): Stream.Stream<Line, ReadError> =>
    Stream.callback<Line, ReadError>(
      (queue) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const reader: Reader = {
              line: (line) => void Queue.offerUnsafe(queue, line),
              end: () => void Queue.endUnsafe(queue),
              fail: (error) => void Queue.failCauseUnsafe(queue, Cause.fail(error)),
            };
            now.forEach(reader.line);
            readersOf(pod).add(reader);
            state.opened += 1;
            state.most = Math.max(state.most, readersOf(pod).size);
            return reader;
          }),
          (reader) => Effect.sync(() => void readersOf(pod).delete(reader)),
        ),
      { bufferSize: Number.POSITIVE_INFINITY },
    );

  const logLines: ClusterShape['logLines'] = ({ name }, options) =>
    silent.has(name)
      ? Stream.never
      : Stream.unwrap(
          Effect.map(linesNow(name, options), (now) =>
            options.follow === true ? followed(name, now) : Stream.fromIterable(now),
          ),
        ).pipe(Stream.map(stamped));

  return {
    logLines,
    /** A container that waits to start has no run. */
    add: (pod: string) => void runs.set(pod, []),
    /** The container is run (again): what was followed ends. */
    start: (pod: string) => {
      runs.set(pod, [...(runs.get(pod) ?? []), []]);
      for (const reader of readersOf(pod)) reader.end();
    },
    write: (pod: string, text: string, stamp: string, heard: 'heard' | 'unheard' = 'heard') => {
      runs.get(pod)?.at(-1)?.push({ stamp, text });
      if (heard === 'heard') for (const reader of readersOf(pod)) reader.line({ stamp, text });
    },
    remove: (pod: string) => {
      runs.delete(pod);
      for (const reader of readersOf(pod)) reader.end();
    },
    breakOff: (pod: string) => {
      for (const reader of readersOf(pod)) reader.fail(new Unavailable({ message: 'the connection broke' }));
    },
    silence: (pod: string) => void silent.add(pod),
    /** How many were ever opened, are open, and were open at once for one container. */
    connections: () => ({ opened: state.opened, open: openNow(), most: state.most }),
  };
}
