import type { Counts } from '../verdict.ts';

/** A failed write to the cluster or to a provider. */
interface Failed {
  readonly _tag: string;
  readonly status?: number;
  readonly message?: string;
  readonly what?: string;
}

/** The message of a write to a kind without a definition, which may come later (decision 197). */
export const unservedKind = 'the API serves no such kind';

/**
 * Permanent failures, which a retry does not resolve: a bad request, a missing or refused identity, an invalid object.
 */
const forGood: readonly number[] = [400, 401, 403, 422];
/** A terminating namespace and a quota are also refused with 403, but both are transient. */
const passing = /being terminated|exceeded quota/;

/**
 * The effect of a failed write on the counted failures: a timeout, a conflict, 429 and 5xx neither count nor reset
 * them.
 */
export function retryOf({ _tag, status = 0, message = '', what = '' }: Failed): Counts {
  if (_tag === 'Unavailable' || _tag === 'Conflict' || _tag === 'Gone' || what === unservedKind) return 'waiting';
  return forGood.includes(status) && !passing.test(message) ? 'permanent' : 'counted';
}
