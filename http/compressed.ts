import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { acceptedCoding, type Coding } from '../runtime/embedded/index.ts';

/** A shorter text fits into one packet as it is. */
const leastLength = 1_024;

/** At these levels an answer costs little more of the processor than its own making. */
const compressors: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  gzip: (text) => promisify(gzip)(text, { level: constants.Z_BEST_SPEED }),
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};
const offered: readonly Coding[] = ['gzip', 'br'];

/** Says in the headers whether a text will be compressed, as the request accepts it; the middleware then does it. */
export function announceCoding(ctx: Context, text: string): boolean {
  ctx.vary('Accept-Encoding');
  const coding = text.length < leastLength ? null : acceptedCoding(ctx.req.headers['accept-encoding'], offered);
  if (coding === null) return false;
  ctx.state['coding'] = coding;
  return true;
}

/** Compresses the texts that were announced so; streams, sign-ins and secrets never are. */
export const compressed: Middleware = async (ctx, next) => {
  await next();
  const coding = ctx.state['coding'] as Coding | undefined;
  if (coding === undefined || typeof ctx.body !== 'string') return;
  const bytes = await compressors[coding](ctx.body);
  ctx.res.setHeader('Content-Encoding', coding);
  ctx.body = bytes;
};
