import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { currentRequest } from '../runtime/embedded/index.ts';
import { challengeFor } from './auth/challenge.ts';
import type { SecurityHeaders } from './response/securityHeaders.ts';
import { sendPlain } from './response.ts';
import { type Refusal, refusalOn } from './auth/oauth.ts';
import type { AnsweredRequest } from './context.ts';
import type { Log } from './log.ts';

interface ErrorHandlerOptions {
  readonly headers: SecurityHeaders;
  readonly log: Log;
  readonly onAnswered: ((answered: AnsweredRequest) => void) | undefined;
}

const isApi = (path: string) => /^\/api(\/|$)/i.test(path);

/** The outermost middleware: security headers, the log line, and every failure as `{"error": text}`. */
export const errorHandler =
  ({ headers, log, onAnswered }: ErrorHandlerOptions): Middleware =>
  async (ctx, next) => {
    const startedAt = performance.now();
    const served = currentRequest();
    if (served) served.route = () => routeOf(ctx);
    headers.set(ctx.res, ctx.req.headers.host);
    if (isApi(ctx.path)) ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.once('close', () => {
      const ms = Math.round((performance.now() - startedAt) * 100) / 100;
      const { method, path } = ctx;
      const status = ctx.res.statusCode;
      // Neither caller nor body, and no query, which may contain search terms (SEC-034).
      log('info', 'request', { method, path, status, ms });
      onAnswered?.({ method, route: routeOf(ctx), status, seconds: ms / 1000 });
    });
    try {
      await next();
      describe(ctx);
    } catch (error) {
      fail(ctx, error, log);
    }
  };

/** The pattern and not the path, because the number of metrics must not grow with names. */
const routeOf = (ctx: Context): string => {
  const { _matchedRoute: route } = ctx as Partial<RouterContext>;
  return typeof route === 'string' ? route.replace('{/v1}', '/v1') : isApi(ctx.path) ? 'unknown' : 'page';
};

const messages: Readonly<Record<number, string>> = {
  404: 'not found',
  405: 'method not allowed',
  501: 'this method is not known',
};

/** Fills in the text of statuses that have none, such as those of the router. */
function describe(ctx: Context) {
  if (ctx.respond === false || ctx.body !== undefined) return;
  const text = messages[ctx.status];
  if (text !== undefined) sendRefusal(ctx, { status: ctx.status, error: text });
}

function sendRefusal(ctx: Context, refusal: Refusal) {
  const { status, error } = refusalOn(ctx.path, refusal);
  if (status === 401) ctx.set('WWW-Authenticate', challengeFor(ctx.req.headers));
  sendPlain(ctx, { error }, status);
}

const bodyFaults: Readonly<Record<number, string>> = {
  400: 'the body is malformed',
  413: 'the body is too large',
  415: 'the body is encoded in a way that is not understood',
};

/** The properties of a thrown value; anything may be thrown. */
interface Thrown {
  readonly status?: number;
  readonly expose?: boolean;
  readonly message?: string;
}

/** The text of a refusal, or of a body that could not be read; null for an unexpected error. */
function messageOf({ status = 500, expose = false, message = '' }: Thrown): string | null {
  return expose ? message : (bodyFaults[status] ?? null);
}

const unexpected = 'internal error; see the operator log';

/** A refusal keeps its text; an unexpected error is logged, and the response has no details. */
function fail(ctx: Context, error: unknown, log: Log) {
  const thrown: Thrown = typeof error === 'object' && error !== null ? error : {};
  const text = messageOf(thrown);
  if (text === null)
    log('error', 'request failed', { path: ctx.path, error: error instanceof Error ? error.stack : String(error) });
  if (ctx.res.headersSent) {
    ctx.res.destroy();
    return;
  }
  ctx.res.removeHeader('ETag');
  if (isApi(ctx.path)) ctx.res.setHeader('Cache-Control', 'no-store');
  sendRefusal(ctx, { status: text === null ? 500 : (thrown.status ?? 500), error: text ?? unexpected });
}
