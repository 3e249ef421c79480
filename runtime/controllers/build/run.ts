import { Effect } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { annotation } from '../../../crds/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import { digestOf, pushedDigest } from '../../../rules/build/image.ts';
import { type Pod, pods } from '../../resources.ts';
import { Cluster, type ReadError } from '../../services/cluster.ts';

/** Enough of a log's end to hold the line that names the digest. */
const digestLines = 200;

/** The pods of the claimed run, by a direct read: those that carry its name, of whatever Job. */
export const podsOfRun = Effect.fnUntraced(function* (build: CoreBuild) {
  const cluster = yield* Cluster;
  const labelSelector = `batch.kubernetes.io/job-name=${jobName(build.metadata.name)}`;
  const { items } = yield* cluster.list(pods, { labelSelector });
  const run = build.status?.startedAt;
  return items.filter(({ metadata }) => typeof run === 'string' && metadata.annotations?.[annotation.run] === run);
});

const builderState = (pod: Pod) => pod.status?.containerStatuses?.find(({ name }) => name === 'builder')?.state;

/**
 * The digest this run pushed: from the termination message of the pod that succeeded, else from the line `Pushed …` of
 * its log; null when neither names one.
 */
export const digestOfRun = Effect.fnUntraced(function* (
  build: CoreBuild,
): Effect.fn.Return<string | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const found = (yield* podsOfRun(build).pipe(Effect.catchTag('Gone', () => Effect.succeed([] as const)))).find(
    (pod) => pod.status?.phase === 'Succeeded',
  );
  if (!found) return null;
  const told = digestOf(builderState(found)?.terminated?.message ?? '');
  if (told !== null) return told;
  const log = yield* cluster
    .podLog({ name: found.metadata.name }, { container: 'builder', tailLines: digestLines })
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed('')));
  return pushedDigest(log, build.spec.registry ?? '');
});

/** The builder's log of this run, whole; null when no pod of it is left. */
export const logOfRun = Effect.fnUntraced(function* (
  build: CoreBuild,
): Effect.fn.Return<string | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const found = yield* podsOfRun(build).pipe(Effect.catchTag('Gone', () => Effect.succeed([] as const)));
  const last = found
    .toSorted((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1))
    .at(-1);
  if (!last) return null;
  return yield* cluster
    .podLog({ name: last.metadata.name }, { container: 'builder' })
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
});
