import { createHash } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { View } from '../rules/access/needs.ts';
import { announceCoding } from './response/compress.ts';
import { isKnown } from './response/etag.ts';
import type { JsonText } from './response/jsonText.ts';

declare const answer: unique symbol;

/** Marks the context of a request whose route answers with a `T`, so that its schema types all that is sent. */
interface Answers<T> {
  readonly [answer]?: (value: T) => void;
}

/** The context of a request whose route answers with a `T`. */
export type AnswerContext<T> = RouterContext & Answers<T>;

/** A response that was serialized and encoded once, with its strong ETag. */
interface Written {
  readonly bytes: Buffer;
  readonly etag: string;
}

interface CachedAnswer {
  readonly also: string;
  readonly written: Written;
}

const write = (value: object): Written => written(JSON.stringify(value));

function written(text: string): Written {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/**
 * Responds to a read with JSON and a strong ETag, or with 304 when the caller has it already. `private, no-cache` lets
 * a browser keep the response but revalidate it every time; all else under /api/ is `no-store` (decision 24).
 */
export const sendRead = <T extends object>(ctx: Context & Answers<T>, value: NoInfer<T>): void =>
  sendWritten(ctx, write(value));

/** The same with JSON that was serialized in parts. */
export const sendReadText = <T extends object>(ctx: Context & Answers<T>, json: JsonText<NoInfer<T>>): void =>
  sendWritten(ctx, written(json));

/**
 * Responses to reads of cached objects. A cached object is immutable, so the text for a view is sent again until
 * another object takes its place, or the one other value that the read shows has changed.
 */
export function keptReads<O extends object, T extends object>(
  read: (object: O, view: View, also: string) => T,
): (ctx: AnswerContext<T>, object: O, view: View, also?: string) => void {
  const kept = new WeakMap<O, Map<View, CachedAnswer>>();
  return (ctx, object, view, also = '') => {
    const ofViews = kept.get(object) ?? new Map<View, CachedAnswer>();
    const known = ofViews.get(view);
    if (known?.also === also) return sendWritten(ctx, known.written);
    const fresh = write(read(object, view, also));
    kept.set(object, ofViews.set(view, { also, written: fresh }));
    return sendWritten(ctx, fresh);
  };
}

/** Responds with JSON that must not be stored. */
export function sendJson<T extends object>(ctx: Context & Answers<T>, value: NoInfer<T>, status = 200): void {
  const text = JSON.stringify(value);
  announceCoding(ctx, text);
  ctx.status = status;
  sendText(ctx, text);
}

/** The same for a sign-in, a secret or a refusal: never compressed, because the length would reveal the content. */
export function sendPlain<T extends object>(ctx: Context & Answers<T>, value: NoInfer<T>, status = 200): void {
  ctx.status = status;
  sendText(ctx, JSON.stringify(value));
}

function sendWritten(ctx: Context, { bytes, etag }: Written) {
  const isCompressed = announceCoding(ctx, bytes, etag);
  ctx.res.setHeader('ETag', isCompressed ? `W/${etag}` : etag);
  ctx.res.setHeader('Cache-Control', 'private, no-cache');
  if (isKnown(ctx.req.headers['if-none-match'], etag)) ctx.status = 304;
  else sendText(ctx, bytes);
}

function sendText(ctx: Context, text: string | Buffer) {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
}
