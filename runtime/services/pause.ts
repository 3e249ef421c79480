import type { Unavailable } from './cluster/cluster.ts';

/** An exponential backoff: from the first pause, doubling to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The longest Retry-After that is followed. */
const maxAskedMs = 60_000;

/** The pause after this many failures in a row, counted from 1. */
export const pauseAfter = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));

/** The server's Retry-After, at most a minute; 0 for none. */
export const askedMs = (failure: { readonly _tag: string } & Partial<Pick<Unavailable, 'retryAfterMs'>>): number =>
  failure._tag === 'Unavailable' ? Math.min(maxAskedMs, failure.retryAfterMs ?? 0) : 0;

/** The shorter of two waits; null means forever. */
export const soonest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
