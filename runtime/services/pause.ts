import type { Away } from './cluster.ts';

/** How pauses between tries grow: the first, doubling to the longest. */
export interface Growing {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** A server may ask for patience, but not for so much that nobody would wait for it. */
const mostAskedMs = 60_000;

/** The pause after so many failures in a row, the first one being 1. */
export const pauseAfter = (failures: number, { firstMs, mostMs }: Growing): number =>
  Math.min(mostMs, firstMs * 2 ** (failures - 1));

/** How long whoever refused a call asked to be left in peace, a minute at most; 0 where nothing was asked. */
export const askedMs = (failure: { readonly _tag: string } & Partial<Pick<Away, 'retryAfterMs'>>): number =>
  failure._tag === 'Away' ? Math.min(mostAskedMs, failure.retryAfterMs ?? 0) : 0;
