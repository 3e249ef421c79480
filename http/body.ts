import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { refuse } from './answer.ts';

const bodyAtMost = '64kb';
const parse = bodyParser({ enableTypes: ['json', 'form'], jsonLimit: bodyAtMost, formLimit: bodyAtMost });

/** The fields of a body, sent as JSON or as a form. Nothing else is read, and no more than 64 kB. */
export async function formOrJson(ctx: Context): Promise<Readonly<Record<string, unknown>>> {
  if (!ctx.is('json', 'urlencoded')) refuse(ctx, 415, 'send the fields as JSON or as a form');
  await parse(ctx, () => Promise.resolve());
  return (ctx.request.body ?? {}) as Readonly<Record<string, unknown>>;
}
