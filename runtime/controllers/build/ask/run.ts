import { Clock, Effect } from 'effect';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { annotation, jobNameLabel } from '../../../../crds/names.ts';
import { jobName } from '../../../../rules/build/build.ts';
import { digestOf, type DigestScan, pushedDigest, scannedOn, unread } from '../../../../rules/build/image.ts';
import { newestFirst } from '../../../../rules/newest.ts';
import { msOf } from '../../../../rules/time.ts';
import type { Pod } from '../../../../crds/builtIn.ts';
import { jobs, pods } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Unavailable, Cluster, type ReadError, type Refused } from '../../../services/cluster/cluster.ts';

/** Whether a pod belongs to a run. */
export const isPodOf = ({ metadata }: Pod, run: string): boolean => metadata.annotations?.[annotation.run] === run;

/** The pods annotated with the claimed run, read directly, oldest first, of any Job. */
export const podsOfRun = Effect.fnUntraced(function* (
  build: CoreBuild,
): Effect.fn.Return<readonly Pod[], Refused | Unavailable, Cluster> {
  const cluster = yield* Cluster;
  const labelSelector = `${jobNameLabel}=${jobName(build.metadata.name)}`;
  const run = build.status?.startedAt;
  if (typeof run !== 'string') return [];
  const { items } = yield* (
    cluster
      .list(pods, { labelSelector })
      // A failed list is no proof of absence.
      .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Unavailable({ message: what }))))
  );
  return items.filter((pod) => isPodOf(pod, run)).toSorted((a, b) => newestFirst(b, a));
});

const builderState = (pod: Pod) => pod.status?.containerStatuses?.find(({ name }) => name === 'builder')?.state;

/** A list may be this stale about the pods of an ended Job. */
const podsInViewWithinMs = 30_000;

const hasSucceeded = (pod: Pod) => pod.status?.phase === 'Succeeded';

/**
 * The pods of a run whose Job has ended. Fails with Unavailable while the Job completed so recently that its succeeded pod may
 * not be listed yet.
 */
export const podsOfEndedRun = Effect.fnUntraced(function* (
  build: CoreBuild,
  reader: CacheReader,
): Effect.fn.Return<readonly Pod[], Refused | Unavailable, Cluster> {
  const found = yield* podsOfRun(build);
  const endedAt = reader.get(jobs, jobName(build.metadata.name))?.status?.completionTime;
  if (endedAt === undefined || found.some(hasSucceeded)) return found;
  const sinceMs = (yield* Clock.currentTimeMillis) - msOf(endedAt);
  return sinceMs >= 0 && sinceMs < podsInViewWithinMs
    ? yield* new Unavailable({ message: 'the pod of the Job that ended is not in view yet' })
    : found;
});

/**
 * The digest this run pushed: from the termination message of the succeeded pod, else from the line `Pushed …` of its
 * log; null when neither names one.
 */
export const digestOfRun = Effect.fnUntraced(function* (
  build: CoreBuild,
  reader: CacheReader,
): Effect.fn.Return<string | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const found = (yield* podsOfEndedRun(build, reader)).find(hasSucceeded);
  if (!found) return null;
  const reported = digestOf(builderState(found)?.terminated?.message ?? '');
  if (reported !== null) return reported;
  const image = build.spec.registry ?? '';
  const next = (scan: DigestScan, piece: string) => scannedOn(scan, piece, image);
  const scan = yield* cluster
    .foldLog({ name: found.metadata.name }, 'builder', { start: unread, next })
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(unread)));
  return pushedDigest(scan, image);
});

/** The whole builder log of this run; null when its pods are deleted. */
export const logOfRun = Effect.fnUntraced(function* (
  build: CoreBuild,
  reader: CacheReader,
): Effect.fn.Return<string | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const last = (yield* podsOfEndedRun(build, reader)).at(-1);
  if (!last) return null;
  return yield* cluster
    .podLog({ name: last.metadata.name }, { container: 'builder' })
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
});
