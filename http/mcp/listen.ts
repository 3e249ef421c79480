import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { ApiClient } from '../apiClient/client.ts';
import { ApiFailure, isApiFailure } from '../apiClient/failure.ts';
import { descriptionOf, identityOf } from './caller.ts';
import type { Allowed } from './offered.ts';
import { messageIn } from './messageIn.ts';
import { namesOf, type Place } from './place.ts';
import { serverOf } from './server.ts';
import { makeToolCache } from './toolCache.ts';
import { toolsFor } from './toolsFor.ts';

export interface ListenOptions extends Place {
  readonly allowed: Allowed;
  /** Further names by which agents reach it. */
  readonly names: readonly string[];
  readonly now: () => number;
  /** A client of the API for the caller with this token; the server has no token of its own. */
  readonly clientFor: (token: string) => ApiClient;
}

const maxBody = 1024 * 1024;

/** Ends a request with a refusal; nothing is left to do for it. */
function refuse(
  to: ServerResponse,
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): null {
  to.writeHead(status, { 'content-type': 'application/json', ...headers });
  to.end(JSON.stringify({ error }));
  return null;
}

const unauthorized = (to: ServerResponse, error: string, challenge: string) =>
  refuse(to, 401, error, { 'www-authenticate': challenge });

/** In the words of the protocol: who sends what is no message is told why by its library. */
function refuseMessage(to: ServerResponse, { status, code, message }: Refused): null {
  to.writeHead(status, { 'content-type': 'application/json', ...(status === 413 && { connection: 'close' }) });
  to.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
  return null;
}

interface Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const unread = {
  'too long': { status: 413, code: -32_000, message: `the body is longer than ${maxBody} bytes` },
  'no JSON': { status: 400, code: -32_700, message: 'the body is no JSON' },
} as const;

/** Why a request is not for this server: a page elsewhere may have a name lead here that it calls its own. */
function notForUs({ headers }: IncomingMessage, names: readonly string[]): Refused | null {
  const forbidden = (message: string): Refused => ({ status: 403, code: -32_000, message });
  const host = validateHostHeader(headers.host, [...names]);
  if (!host.ok)
    return forbidden(
      host.errorCode === 'invalid_host'
        ? `this server does not answer as "${host.hostname}": core mcp --allow-host ${host.hostname} lets it`
        : host.message,
    );
  const origin = validateOriginHeader(headers.origin, [...names]);
  return origin.ok ? null : forbidden(`pages of "${headers.origin}" may not ask this server`);
}

const tokenIn = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

/** Serves agents over HTTP, each with the token that it sends, which is checked at every call. */
export async function listen({ host, port, allowed, names, now, clientFor }: ListenOptions) {
  const toolsOf = makeToolCache(now);

  /** What the caller may use; null where the request was refused. */
  async function admitted(request: IncomingMessage, response: ServerResponse) {
    const token = tokenIn(request);
    if (token === undefined)
      return unauthorized(response, 'send an API token: Authorization: Bearer <API_TOKEN>', 'Bearer');
    const client = clientFor(token);
    response.once('close', () => client.close());
    try {
      const identity = await identityOf(client);
      const tools = await toolsOf(token, async () => toolsFor(await descriptionOf(client), identity, allowed));
      return { client, tools };
    } catch (error) {
      if (!isApiFailure(error)) throw error;
      if (error.status === 401) return unauthorized(response, error.message, 'Bearer error="invalid_token"');
      return refuse(response, 502, error.message);
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const refused = notForUs(request, [...namesOf(host, request.socket.localAddress), ...names]);
    if (refused) return refuseMessage(response, refused);
    if (new URL(request.url ?? '/', 'http://agents').pathname !== '/mcp') return refuse(response, 404, 'not found');
    if (request.method !== 'POST') return refuse(response, 405, 'send a POST', { allow: 'POST' });
    const caller = await admitted(request, response);
    if (caller === null) return null;
    const body = await messageIn(request, maxBody);
    if (body.is !== 'message') return refuseMessage(response, unread[body.is]);
    const handler = createMcpHandler(() => serverOf(caller.tools, caller.client));
    return toNodeHandler(handler)(Object.assign(request, { method: 'POST', url: '/mcp' }), response, body.message);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'this is a defect of core');
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', ({ message }) => reject(new ApiFailure(`could not listen: ${message}`)));
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    /** Answers what was asked, and takes nothing more. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
