import { Effect, Stream } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { badRequest } from '../../../runtime/embedded/api/status.ts';
import { annotatedLogs } from '../../../runtime/embedded/api/verbs/log.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { pods } from '../../../runtime/resources.ts';
import type { ClusterShape, Name, ReadError } from '../../../runtime/services/cluster.ts';
import { ofRead } from '../../../runtime/services/kube/failure.ts';
import { placeOf } from './place.ts';
import { refusalOf } from './refusal.ts';
import type { MemoryStore } from './store.ts';

const logs = annotatedLogs(annotation.podLog);
type Limits = Parameters<typeof logs.read>[2];

/** A pod that was put by hand without containers has any. */
function checkContainer({ metadata, spec }: Stored, container: string): void {
  const all = ['initContainers', 'containers'].flatMap((field) => listAt(spec, field));
  if (all.length > 0 && !all.some((one) => textAt(one, 'name') === container))
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`);
}

/** The logs of pods: as they were given by name, or as the pod's annotation has it. */
export function memoryLogs(
  store: MemoryStore,
  given: ReadonlyMap<string, string>,
  now: () => number,
): Pick<ClusterShape, 'podLog' | 'foldLog' | 'logLines'> {
  const read = (name: Name, container: string, limits: Limits): Effect.Effect<string, ReadError> =>
    Effect.try({
      try: () => {
        const pod = store.existing(placeOf(pods, name));
        checkContainer(pod, container);
        if (limits.previous === true) throw badRequest(`previous terminated container "${container}" not found`);
        const log = given.get(name.name) ?? pod.metadata.annotations?.[annotation.podLog] ?? '';
        const metadata = { ...pod.metadata, annotations: { [annotation.podLog]: log } };
        return logs.read({ ...pod, metadata }, container, limits);
      },
      catch: (thrown) => ofRead(refusalOf(thrown)),
    });
  const linesOf = (log: string) => (log === '' ? [] : log.replace(/\n$/, '').split('\n'));

  /** So small that whatever is looked for stands in several. */
  const piecesOf = (log: string) => log.match(/[^]{1,16}/g) ?? [];

  return {
    foldLog: (name, container, { start, next }) =>
      Effect.map(read(name, container, {}), (log) => piecesOf(log).reduce(next, start)),
    podLog: (name, { container, ...limits }) => read(name, container, limits),
    logLines: (name, { container, sinceSeconds, sinceTime, ...wanted }) => {
      const sinceMs = sinceTime === undefined ? undefined : Date.parse(sinceTime);
      const since = sinceSeconds === undefined ? sinceMs : now() - sinceSeconds * 1_000;
      const options = { ...wanted, ...(since === undefined ? {} : { sinceMs: since }) };
      return Stream.unwrap(Effect.map(read(name, container, options), (log) => Stream.fromIterable(linesOf(log))));
    },
  };
}
