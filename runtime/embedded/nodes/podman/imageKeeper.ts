import type { Bucket, Change, Store } from '../../store.ts';
import type { Log } from '../../surroundings.ts';
import type { Clock } from '../clock.ts';
import { collectImages, youngMs } from './imageGarbage.ts';
import type { Libpod } from './libpod.ts';
import { type OwnImages, createOwnImages } from './ownImages.ts';

/** Notes the images that come, and lets those go that nobody names any more. */
export interface ImageKeeper extends Pick<OwnImages, 'bring'> {
  readonly heard: (change: Change) => void;
  readonly stop: () => void;
}

interface World {
  readonly podman: Libpod;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: string;
  readonly holders: readonly Bucket[];
}

/** The kinds of Kubernetes that run containers; a ReplicaSet is remembered far longer than its pods. */
const running = ['/pods', 'apps/deployments', 'batch/jobs', 'batch/cronjobs'] as const;
const againMs = 5 * 60_000;

/** Looks only after something came or went, so that a node at rest asks podman nothing. */
export function createImageKeeper({ podman, store, clock, log, file, holders }: World): ImageKeeper {
  const all: readonly Bucket[] = [...running, ...holders];
  let cancel: (() => void) | null = null;
  let stopped = false;
  const own = createOwnImages({ podman, file, now: clock.now, brought: () => lookIn(youngMs) });

  function lookIn(ms: number) {
    if (!stopped) cancel ??= clock.at(clock.now() + ms, () => void look());
  }

  async function look() {
    try {
      const isLeft = await collectImages({ podman, store, own, holders: all, now: clock.now });
      cancel = null;
      if (isLeft) lookIn(youngMs);
    } catch (why) {
      log('warn', 'failed to list images', { why: String(why) });
      cancel = null;
      lookIn(againMs);
    }
  }

  lookIn(youngMs);
  return {
    bring: own.bring,
    heard({ type, bucket }) {
      if (holders.includes(bucket) || (type === 'DELETED' && all.includes(bucket))) lookIn(againMs);
    },
    stop() {
      stopped = true;
      cancel?.();
    },
  };
}
