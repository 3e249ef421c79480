import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, encoded, etagOf, matches, Refusal, refusalAnswer } from './answer.ts';
import { type AccessChecks, tokenIn } from './credentials.ts';
import { faultAnswer, type Faults } from './faults.ts';
import { GitMissing } from './git.ts';
import { largeFilesAnswer } from './largeFiles.ts';
import { rateLimit } from './rateLimit.ts';
import { type Route, routed } from './route.ts';
import { type GitRequest, gitRequestOf } from './smartHttp.ts';

export interface Served {
  readonly checks: AccessChecks;
  readonly faults: Faults;
  readonly serveGit: (asked: GitRequest, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly routes: readonly Route[];
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** Handles every request of the Git host: the tester's faults first, then git's own protocol or a route. */
export function handler({ checks, faults, serveGit, routes, log }: Served): RequestListener {
  const limits = rateLimit();

  const serveRoute = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const { route, call } = routed(routes, request, url);
    checks[route.access](request);
    const { status, bytes, headers } = encoded(await route.run(call));
    const etag = request.method === 'GET' && status === 200 ? etagOf(bytes) : null;
    const unchanged = etag !== null && matches(request.headers['if-none-match'], etag);
    const limit = route.access === 'token' ? limits.headers(tokenIn(request) ?? '', unchanged ? 0 : 1) : {};
    const all = { ...headers, ...limit, ...(etag === null ? {} : { etag, vary: 'Accept, Authorization' }) };
    if (unchanged) response.writeHead(304, all).end();
    else response.writeHead(status, { ...all, 'content-length': bytes.length }).end(bytes);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = urlOf(request);
    const fault = url.pathname.startsWith('/testing/') ? null : faults.take(url.pathname);
    if (fault?.silent === true) return;
    if (fault?.delayMs !== undefined) await wait(fault.delayMs, undefined, { ref: false });
    const instead = fault && faultAnswer(fault);
    if (instead) return send(response, instead);
    const refused = largeFilesAnswer(url);
    if (refused) return send(response, refused);
    const asked = gitRequestOf(request.method, url);
    if (asked === null) return serveRoute(request, response, url);
    checks.tokenOrLocal(request);
    return serveGit(asked, request, response);
  };

  const refuse = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal.status === 500) log('request failed', { path: request.url, error: String(error) });
    if (response.headersSent) response.destroy();
    else send(response, refusalAnswer(refusal));
  };

  return (request, response) => {
    serve(request, response)
      .catch((error: unknown) => refuse(request, response, error))
      .catch((error: unknown) => {
        log('failed to send refusal', { path: request.url, error: String(error) });
        response.destroy();
      });
  };
}

function urlOf({ url = '/', headers }: IncomingMessage): URL {
  const base = `http://${headers.host ?? 'localhost'}`;
  if (!URL.canParse(url, base) || !url.startsWith('/')) throw new Refusal(400, 'the address cannot be read');
  return new URL(`${base}${url}`);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof GitMissing) return new Refusal(503, error.message);
  if (!(error instanceof Refusal)) return new Refusal(500);
  // Git asks its user for a password only when the response names the scheme.
  if (error.status === 401) return new Refusal(401, error.message, { 'www-authenticate': 'Basic realm="Git host"' });
  return error;
}

/** Responds without reading the rest of the request. */
function send(response: ServerResponse, answer: Answer): void {
  const { status, bytes, headers } = encoded(answer);
  const none = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(none ? {} : { 'content-length': bytes.length }) });
  response.end(none ? undefined : bytes);
}
