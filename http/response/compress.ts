import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { acceptedCoding, type Coding } from '../../runtime/embedded/index.ts';
import { makeByteCache } from './byteCache.ts';

/** A shorter text fits into one packet without compression. */
const minLength = 1_024;
/** The size of the cache of compressed answers. */
const keptBytes = 4 * 1_024 * 1_024;

/** At these levels compressing costs little more processor time than making the answer. */
const compressors: Readonly<Record<Coding, (text: string | Buffer) => Promise<Buffer>>> = {
  gzip: (text) => promisify(gzip)(text, { level: constants.Z_BEST_SPEED }),
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};
const offered: readonly Coding[] = ['gzip', 'br'];

/** What an answer will be compressed to, and the tag of its text where it has one. */
interface Announced {
  readonly coding: Coding;
  readonly etag: string | undefined;
}

/** Says in the headers whether a text will be compressed, as the request accepts it; the middleware then does it. */
export function announceCoding(ctx: Context, text: string | Buffer, etag?: string): boolean {
  ctx.vary('Accept-Encoding');
  const coding = text.length < minLength ? null : acceptedCoding(ctx.req.headers['accept-encoding'], offered);
  if (coding === null) return false;
  ctx.state['announced'] = { coding, etag } satisfies Announced;
  return true;
}

/** Compresses the texts that were announced so; streams, sign-ins and secrets never are. */
export function compressed(): Middleware {
  const keptCompressed = makeByteCache(keptBytes);
  return async (ctx, next) => {
    await next();
    const announced = ctx.state['announced'] as Announced | undefined;
    const { body } = ctx;
    if (announced === undefined || !(typeof body === 'string' || Buffer.isBuffer(body))) return;
    const { coding, etag } = announced;
    const compress = () => compressors[coding](body);
    const bytes = await (etag === undefined ? compress() : keptCompressed(`${coding} ${etag}`, compress));
    ctx.res.setHeader('Content-Encoding', coding);
    ctx.body = bytes;
  };
}
