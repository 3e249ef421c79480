import type { Context } from 'koa';
import { refuse } from '../orThrow.ts';

/** Refuses a request that does not repeat the name of what it deletes or stops. */
export function requireConfirmName(ctx: Context, given: string | undefined, name: string, kind: string): void {
  if (given !== name) refuse(ctx, 400, `confirmName must be the name of the ${kind}`);
}
