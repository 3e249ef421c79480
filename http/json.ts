import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { View } from '../rules/access/needs.ts';

/** A response that was serialized once, with its strong ETag. */
interface Written {
  readonly text: string;
  readonly etag: string;
}

interface Kept {
  readonly also: string;
  readonly written: Written;
}

function write(value: object): Written {
  const text = JSON.stringify(value);
  return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
}

const names = (header: string, etag: string) =>
  header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/**
 * Responds to a read with JSON and a strong ETag, or with 304 when the caller has it already. `private, no-cache` lets
 * a browser keep the response but revalidate it every time; all else under /api/ is `no-store` (decision 24).
 */
export const sendRead = (ctx: Context, value: object): void => sendWritten(ctx, write(value));

/**
 * Responses to reads of cached objects. A cached object is immutable, so the text for a view is sent again until
 * another object takes its place, or the one other value that the read shows has changed.
 */
export function keptReads<O extends object>(
  read: (object: O, view: View, also: string) => object,
): (ctx: Context, object: O, view: View, also?: string) => void {
  const kept = new WeakMap<O, Map<View, Kept>>();
  return (ctx, object, view, also = '') => {
    const ofViews = kept.get(object) ?? new Map<View, Kept>();
    const known = ofViews.get(view);
    if (known?.also === also) return sendWritten(ctx, known.written);
    const written = write(read(object, view, also));
    kept.set(object, ofViews.set(view, { also, written }));
    return sendWritten(ctx, written);
  };
}

/** Responds with JSON that must not be stored. */
export function sendJson(ctx: Context, value: object, status = 200): void {
  ctx.status = status;
  sendText(ctx, JSON.stringify(value));
}

function sendWritten(ctx: Context, { text, etag }: Written) {
  ctx.res.setHeader('ETag', etag);
  ctx.res.setHeader('Cache-Control', 'private, no-cache');
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && names(known, etag)) ctx.status = 304;
  else sendText(ctx, text);
}

function sendText(ctx: Context, text: string) {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
}
