import { Effect, Queue, Stream } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { at, listAt, numberAt } from '../../../runtime/embedded/api/json.ts';
import { linesFrom, type LogLine, logText, stampedLine } from '../../../runtime/embedded/api/podLogs.ts';
import { checkWritten, logOptions } from '../../../runtime/embedded/api/verbs/log.ts';
import { containerOf, containerStatusOf } from '../../../runtime/embedded/api/verbs/podContainer.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import {
  type ClusterShape,
  type LogLinesOptions,
  longestLine,
  type Name,
  type ReadError,
} from '../../../runtime/services/cluster/cluster.ts';
import { ofRead } from '../../../runtime/services/kube/failure.ts';
import { placeOf } from './place.ts';
import { refusalOf } from './refusal.ts';
import type { MemoryStore } from './store.ts';

export interface LoggingStore {
  readonly store: MemoryStore;
  /** The whole log of a pod, by its name. */
  readonly given: ReadonlyMap<string, string>;
  /** Of a pod whose container was run again, the log of the run before. */
  readonly before: ReadonlyMap<string, string>;
  readonly now: () => number;
}

export interface MemoryLogs extends Pick<ClusterShape, 'podLog' | 'foldLog' | 'logLines'> {
  /** A container writes one more line now. */
  readonly write: (pod: Name, text: string) => void;
  /** Something changed that followers may wait for. */
  readonly changed: () => void;
}

interface LogRequest {
  readonly pod: Stored;
  readonly container: string;
  readonly limits: ReturnType<typeof logOptions>;
}

const queryOf = (options: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
const textsOf = (log: string) => (log === '' ? [] : log.replace(/\n$/, '').split('\n'));
/** So small that whatever is looked for stands in several. */
const chunksOf = (log: string) => log.match(/[^]{1,16}/g) ?? [];

/** A pod that was put by hand without containers has any. */
const containerIn = (pod: Stored, query: URLSearchParams): string =>
  ['initContainers', 'containers'].some((field) => listAt(pod, 'spec', field).length > 0)
    ? containerOf(pod, query)
    : (query.get('container') ?? '');

/** Which run of a container is under way; null while none is. */
function runOf(pod: Stored, container: string): number | null {
  const status = containerStatusOf(pod, container);
  return at(status, 'state', 'running') === undefined ? null : numberAt(status, 'restartCount');
}

/** The logs of pods: as they were given by name, or as the pod's annotation has it, and what was written since. */
export function memoryLogs({ store, given, before, now }: LoggingStore): MemoryLogs {
  const written = new Map<string, LogLine[]>();
  const followers = new Set<() => void>();

  const asked = (name: Name, options: object): Effect.Effect<LogRequest, ReadError> =>
    Effect.try({
      try: () => {
        const pod = store.existing(placeOf(pods, name));
        const query = queryOf(options);
        const limits = logOptions(query, now());
        const container = containerIn(pod, query);
        checkWritten(pod, container, limits);
        return { pod, container, limits };
      },
      catch: (thrown) => ofRead(refusalOf(thrown)),
    });
  const linesOf = ({ metadata }: Stored, limits: LogRequest['limits'] = {}): readonly LogLine[] => {
    const { name, uid, annotations, creationTimestamp } = metadata;
    const current = given.get(name) ?? annotations?.[annotation.podLog] ?? '';
    const createdMs = Date.parse(creationTimestamp);
    const stamped = (text: string) => ({ text, at: createdMs });
    if (limits.previous === true) return textsOf(before.get(name) ?? '').map(stamped);
    return [...textsOf(current).map(stamped), ...(written.get(uid) ?? [])];
  };
  const textOf = ({ pod, limits }: LogRequest): string => logText(linesOf(pod, limits), limits);

  function followed({ pod, container, limits }: LogRequest): Stream.Stream<LogLine> {
    const run = runOf(pod, container);
    return Stream.callback<LogLine>(
      (queue) => {
        let said: number | null = null;
        const look = () => {
          const found = store.get(placeOf(pods, pod.metadata));
          const isThere = found?.metadata.uid === pod.metadata.uid;
          const lines = linesOf(isThere ? found : pod);
          for (const line of said === null ? linesFrom(lines, limits) : lines.slice(said))
            Queue.offerUnsafe(queue, line);
          said = lines.length;
          if (!isThere || run === null || runOf(found, container) !== run) Queue.endUnsafe(queue);
        };
        return Effect.acquireRelease(
          Effect.sync(() => {
            followers.add(look);
            look();
          }),
          () => Effect.sync(() => void followers.delete(look)),
        );
      },
      { bufferSize: Number.POSITIVE_INFINITY },
    );
  }

  const linesAsked = (asking: LogRequest, follow: boolean): Stream.Stream<string> => {
    const lines =
      follow && asking.limits.previous !== true
        ? followed(asking)
        : Stream.fromIterable(linesFrom(linesOf(asking.pod, asking.limits), asking.limits));
    const { timestamps = false } = asking.limits;
    return Stream.map(lines, (line) => (timestamps ? stampedLine(line) : line.text).slice(0, longestLine));
  };
  const changed = () => followers.forEach((look) => look());

  return {
    foldLog: (name, container, { start, next }) =>
      Effect.map(asked(name, { container }), (asking) => chunksOf(textOf(asking)).reduce(next, start)),
    podLog: (name, options) => Effect.map(asked(name, options), textOf),
    logLines: (name, options: LogLinesOptions) =>
      Stream.unwrap(Effect.map(asked(name, options), (asking) => linesAsked(asking, options.follow === true))),
    write: (name, text) => {
      const { uid } = store.existing(placeOf(pods, name)).metadata;
      written.set(uid, [...(written.get(uid) ?? []), { text, at: now() }]);
      changed();
    },
    changed,
  };
}
