import type { Counts } from '../verdict.ts';
import type { ManagedKind } from './facts.ts';

/** Where a login is at the provider: a database, and what kind of server it has. */
export interface LoginPlace {
  readonly database: string;
  readonly kind: ManagedKind;
}

/** Why the provider did not do what it was asked; `status` is 0 where no response came. */
export interface ProviderFailure {
  readonly message: string;
  readonly status: number;
  /** When a rate limit ends, ms since the epoch. */
  readonly until?: number | undefined;
}

/** Nobody mends these by trying again: a bad request, a refused identity or permission, an invalid value. */
const forGood: readonly number[] = [400, 401, 403, 422];
/** Another writer came first, and a rate limit. */
const passing: readonly number[] = [409, 429];

/** What a failure of the provider does to the row of failures: silence, 409, 429 and 5xx neither count nor end it. */
export function providerRetry({ status, until }: Omit<ProviderFailure, 'message'>): Counts {
  if (until !== undefined || status === 0 || status >= 500 || passing.includes(status)) return 'waiting';
  return forGood.includes(status) ? 'permanent' : 'counted';
}
