import { isObject } from '../../rules/json.ts';
import type { Context } from 'koa';
import { refuse } from '../orThrow.ts';
import { maxBodyBytes } from './bodyLimits.ts';
import { rawBody } from './rawBody.ts';
import { repeatedName } from './repeatedName.ts';

/** The fields of a body: JSON values, or the strings of a form. */
export type Body =
  | { readonly is: 'values'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly is: 'words'; readonly words: URLSearchParams };

const none: Body = { is: 'values', fields: {} };
const bodies = new WeakMap<Context['req'], Promise<Body>>();

/**
 * The fields of a body, sent as JSON or as a form. Other types are refused, and so are bodies over the limit; the
 * body is read once.
 */
export function bodyIn(ctx: Context, mayBeAbsent = false, maxBytes = maxBodyBytes): Promise<Body> {
  const known = bodies.get(ctx.req);
  if (known) return known;
  const body = readBody(ctx, mayBeAbsent, maxBytes);
  bodies.set(ctx.req, body);
  return body;
}

async function readBody(ctx: Context, mayBeAbsent: boolean, maxBytes: number): Promise<Body> {
  const { headers } = ctx.req;
  const isAbsent = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isAbsent && mayBeAbsent) return none;
  const type = ctx.is('json', 'urlencoded') || refuse(ctx, 415, 'send the fields as JSON or as a form');
  if (!isPlain(ctx)) refuse(ctx, 415, 'the body is encoded in a way that is not understood');
  const text = textOf(ctx, await rawBody(ctx, maxBytes));
  return type === 'json' ? { is: 'values', fields: jsonFields(ctx, text) } : formFields(ctx, text);
}

const isPlain = ({ request }: Context): boolean =>
  /^(identity)?$/i.test(request.get('content-encoding')) && /^(utf-?8|us-ascii)?$/i.test(request.charset);

const malformed = (ctx: Context) => refuse(ctx, 400, 'the body is malformed');

function textOf(ctx: Context, body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return malformed(ctx);
  }
}

function jsonFields(ctx: Context, text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const value = parsed(ctx, text);
  if (!isObject(value)) return refuse(ctx, 400, 'the body must be an object');
  refuseRepeated(ctx, repeatedName(text));
  return value;
}

function parsed(ctx: Context, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return malformed(ctx);
  }
}

function formFields(ctx: Context, text: string): Body {
  const words = new URLSearchParams(text);
  const names = [...words.keys()];
  refuseRepeated(ctx, names.length === new Set(names).size ? null : firstRepeated(names));
  return { is: 'words', words };
}

function firstRepeated(names: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

function refuseRepeated(ctx: Context, name: string | null): void {
  if (name !== null) refuse(ctx, 400, `${JSON.stringify(name.slice(0, 80))} is given more than once`);
}
