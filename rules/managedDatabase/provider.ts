import type { Counts } from '../verdict.ts';
import type { ManagedKind } from './facts.ts';

/** The place of a login at the provider: a database, and its kind of server. */
export interface LoginPlace {
  readonly database: string;
  readonly kind: ManagedKind;
}

/** A failed request to the provider; `status` is 0 without a response. */
export interface ProviderFailure {
  readonly message: string;
  readonly status: number;
  /** When a rate limit ends, ms since the epoch. */
  readonly until?: number | undefined;
}

/**
 * Permanent failures, which a retry does not resolve: a bad request, a refused identity or permission, an invalid
 * value.
 */
const forGood: readonly number[] = [400, 401, 403, 422];
/** Transient failures: a conflict with another writer, and a rate limit. */
const passing: readonly number[] = [409, 429];

/**
 * The effect of a provider failure on the counted failures: a timeout, 409, 429 and 5xx neither count nor reset them.
 */
export function providerRetry({ status, until }: Omit<ProviderFailure, 'message'>): Counts {
  if (until !== undefined || status === 0 || status >= 500 || passing.includes(status)) return 'waiting';
  return forGood.includes(status) ? 'permanent' : 'counted';
}
