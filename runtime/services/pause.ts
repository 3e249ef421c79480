import type { Unavailable } from './cluster/cluster.ts';

/** How pauses between tries grow: from the first, doubling to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** A server may ask for patience, but for no longer than anybody would wait. */
const maxAskedMs = 60_000;

/** The pause after this many failures in a row, counted from 1. */
export const pauseAfter = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));

/** How long the server asked the caller to wait, a minute at most; 0 where it did not ask. */
export const askedMs = (failure: { readonly _tag: string } & Partial<Pick<Unavailable, 'retryAfterMs'>>): number =>
  failure._tag === 'Unavailable' ? Math.min(maxAskedMs, failure.retryAfterMs ?? 0) : 0;

/** The shorter of two waits, where null is for ever. */
export const soonest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
