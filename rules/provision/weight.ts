import type { Counts } from '../verdict.ts';

/** A failed write of the cluster, or of a provider. */
interface Failed {
  readonly _tag: string;
  readonly status?: number;
  readonly message?: string;
  readonly what?: string;
}

/** What is said of a write of a kind without a definition; its definition may come later (decision 197). */
export const unservedKind = 'the API serves no such kind';

/** Nobody mends these by trying again: a bad request, a missing or refused identity, an invalid object. */
const forGood: readonly number[] = [400, 401, 403, 422];
/** A namespace that is going, and a quota, are refused with 403 as well; both can be over in a moment. */
const passing = /being terminated|exceeded quota/;

/** What a failed write does to the row of failures: silence, a conflict, 429 and 5xx neither count nor end it. */
export function retryOf({ _tag, status = 0, message = '', what = '' }: Failed): Counts {
  if (_tag === 'Unavailable' || _tag === 'Conflict' || _tag === 'Gone' || what === unservedKind) return 'waiting';
  return forGood.includes(status) && !passing.test(message) ? 'permanent' : 'counted';
}
