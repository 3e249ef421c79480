import type { Context } from 'koa';
import { refuse } from '../orThrow.ts';

const shape = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Refuses a name that no new object may have. */
export function requireNewName(ctx: Context, name: string, maxLength = 36): void {
  if (shape.test(name) && name.length <= maxLength) return;
  const rule = `lowercase letters, digits and hyphens, begin with a letter and be no more than ${maxLength} characters`;
  refuse(ctx, 400, `name must be ${rule}`);
}
