import { Clock, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { eventsReadAt, isReadDue, type VolumeEvent, volumeText } from '../../rules/cause/creating.ts';
import { isDeleting } from '../../rules/deleting.ts';
import type { StartingPod } from '../../rules/pods.ts';
import { createdAtMs } from '../../rules/time.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Deriving } from '../contract/controller.ts';
import { done, type Ensure, holds } from '../contract/ensure.ts';
import { Cluster } from '../services/cluster/cluster.ts';
import { objectEvents } from '../services/cluster/resources.ts';
import { lru } from '../services/lru.ts';

/** Enough for the pods that wait for a volume at one time. */
const keptPods = 2_000;
const withinMs = 5_000;

/** What the Events of the pod with a uid said; undefined while they were not read. */
export type VolumeEventOf = (uid: string) => VolumeEvent | undefined;

/** What the Events of pods in ContainerCreating said about their volumes; kept by this process alone. */
export interface VolumeEvents<O> {
  /**
   * Reads the Events of the oldest pod that stays in ContainerCreating, and asks for a pass when they are to be read; a
   * failure fails no pass.
   */
  readonly ensure: Ensure<O>;
  readonly of: VolumeEventOf;
}

/** Deriving causes by pods, of which some wait for volumes. */
export interface DerivingOfPods extends Deriving {
  readonly volumeEvent: VolumeEventOf;
}

export function volumeEvents<O extends KubeObject>(
  podsOf: (object: O, reader: CacheReader) => readonly StartingPod[],
): VolumeEvents<O> {
  const known = lru<VolumeEvent>(keptPods);
  const readEvents = Effect.fnUntraced(function* (
    { metadata: { uid = '', namespace = '' } }: StartingPod,
    now: number,
  ) {
    const cluster = yield* Cluster;
    const listed = yield* cluster
      .list(objectEvents, { namespace, fieldSelector: `involvedObject.uid=${uid}` })
      .pipe(Effect.timeout(withinMs), Effect.result);
    const text = listed._tag === 'Success' ? volumeText(listed.success.items) : (known.get(uid)?.text ?? null);
    known.set(uid, { text, readAt: now });
    return done;
  });
  return {
    of: (uid) => known.get(uid),
    ensure: {
      run: ({ object, reader }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const oldest = oldestCreating(podsOf(object, reader), known.get);
          if (oldest === undefined) return Effect.succeed(holds);
          const { pod, at } = oldest;
          return isReadDue(at, now)
            ? readEvents(pod, now)
            : Effect.succeed({ is: 'waits', afterMs: at - now } as const);
        }),
    },
  };
}

/** The oldest pod in ContainerCreating, and when its Events are to be read (ms). */
function oldestCreating(
  pods: readonly StartingPod[],
  knownOf: (uid: string) => VolumeEvent | undefined,
): { readonly pod: StartingPod; readonly at: number } | undefined {
  const creating = pods
    .filter((pod) => !isDeleting(pod))
    .flatMap((pod) => {
      const at = eventsReadAt(pod, knownOf(pod.metadata.uid ?? ''));
      return at === null ? [] : [{ pod, at }];
    });
  return creating.toSorted((one, other) => createdAtMs(one.pod) - createdAtMs(other.pod))[0];
}
