import { createHash } from 'node:crypto';
import type { Context } from 'koa';

const etagOf = (text: string) => `"${createHash('sha1').update(text).digest('base64url')}"`;

const names = (header: string, etag: string) =>
  header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/**
 * Answers a read with JSON and a strong ETag, or with 304 when the caller has it already. `private, no-cache` is what
 * lets a browser keep the answer and still ask every time; all else under /api/ is `no-store` (decision 24).
 */
export function sendRead(ctx: Context, value: object): void {
  const text = JSON.stringify(value);
  const etag = etagOf(text);
  ctx.res.setHeader('ETag', etag);
  ctx.res.setHeader('Cache-Control', 'private, no-cache');
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && names(known, etag)) {
    ctx.status = 304;
    return;
  }
  sendText(ctx, text);
}

/** Answers with JSON that nobody keeps. */
export function sendJson(ctx: Context, value: object, status = 200): void {
  ctx.status = status;
  sendText(ctx, JSON.stringify(value));
}

function sendText(ctx: Context, text: string) {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
}
