import type { Context } from 'koa';
import { refuse } from '../orThrow.ts';

/** The body as bytes; refused as soon as it is larger than the limit. */
export async function rawBody(ctx: Context, limit: number): Promise<Buffer> {
  const tooLarge = () => {
    // The rest is not read, so the connection cannot be reused.
    ctx.res.setHeader('Connection', 'close');
    return refuse(ctx, 413, 'the body is too large');
  };
  if (Number(ctx.req.headers['content-length'] ?? 0) > limit) return tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > limit) break;
      parts.push(part);
    }
  } catch {
    return refuse(ctx, 400, 'request body aborted');
  }
  return length > limit ? tooLarge() : Buffer.concat(parts);
}
