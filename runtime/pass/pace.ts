import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { hashOfName } from '../../rules/canonical.ts';
import type { Ensure } from '../contract/ensure.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { CacheReader } from '../cache/reader.ts';

/** The next run of each polling ensure, by the monotonic clock (ms). */
export type PaceMemory = Map<string, number>;

const most = 0xffff_ffff;

/** A share of a duration: constant for a name and evenly spread over many names. */
export const shareOf = (name: string, ms: number): number =>
  Math.floor((Number.parseInt(hashOfName(name).slice(0, 8), 16) / most) * ms);

/** In how many ms an ensure may run; 0 for now, null when it does not apply. */
export const restOf = Effect.fnUntraced(function* (
  name: string,
  { schedule }: Ensure<KubeObject>,
  { object, paces, reader }: { readonly object: KubeObject; readonly paces: PaceMemory; readonly reader: CacheReader },
): Effect.fn.Return<number | null> {
  const poll = schedule?.poll;
  if (!poll) return 0;
  if (!poll.applies(object)) return null;
  const now = yield* monotonicMs;
  const due = paces.get(name) ?? now + shareOf(object.metadata.name, poll.firstWithinMs(reader));
  paces.set(name, due);
  return Math.max(0, Math.ceil(due - now));
});

/** Stores the next run that an ensure requested. */
export const rest = Effect.fnUntraced(function* (
  name: string,
  { schedule }: Ensure<KubeObject>,
  { paces, afterMs }: { readonly paces: PaceMemory; readonly afterMs: number },
): Effect.fn.Return<void> {
  if (schedule?.poll) paces.set(name, (yield* monotonicMs) + afterMs);
});
