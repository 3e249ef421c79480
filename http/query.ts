import type { Context } from 'koa';
import { refuse } from './answer.ts';

/** One parameter of the query, or undefined when it is absent or empty; given twice it is refused. */
export function textIn(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  if (Array.isArray(value)) return refuse(ctx, 400, `${name} is given more than once`);
  return value === '' ? undefined : value;
}

/** A whole number within bounds. */
export function countIn(
  ctx: Context,
  name: string,
  bounds: { readonly least: number; readonly most: number },
): number | undefined {
  const text = textIn(ctx, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < bounds.least || value > bounds.most)
    return refuse(ctx, 400, `${name} must be a whole number from ${bounds.least} to ${bounds.most}`);
  return value;
}

export function flagIn(ctx: Context, name: string): boolean | undefined {
  const text = textIn(ctx, name);
  if (text === undefined) return undefined;
  if (text === 'true') return true;
  return text === 'false' ? false : refuse(ctx, 400, `${name} must be true or false`);
}

const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The name of an object in the path. */
export function nameIn(ctx: Context & { readonly params: Readonly<Record<string, string>> }, name: string): string {
  const text = ctx.params[name] ?? '';
  return objectName.test(text) ? text : refuse(ctx, 400, `"${text.slice(0, 80)}" is not a name`);
}
