import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isolateRequests } from '../../embedded/index.ts';
import { bodyText } from '../../services/bodyText.ts';
import { connectionLimits, stopOf } from '../../services/connections.ts';
import { logLine } from '../../services/log.ts';
import { provider, type ProviderRequest, type ProviderResponse } from './provider.ts';
import { providerState } from './state.ts';

export interface ManagedDbOptions {
  /** The file of its databases; null keeps them in memory. */
  readonly file: string | null;
  readonly host: string;
  readonly now: () => number;
}

export interface RunningManagedDb {
  /** Base of the API. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const base = '/v1/organizations/';
const maxBody = 64 * 1024;

async function requestOf(request: IncomingMessage): Promise<ProviderRequest | null> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider');
  if (!pathname.startsWith(base)) return null;
  const body = await bodyText(request, maxBody);
  return {
    method: request.method ?? 'GET',
    path: pathname.slice(base.length).split('/').map(decodeURIComponent),
    query: searchParams,
    token: request.headers.authorization ?? '',
    body: body === '' ? {} : (JSON.parse(body) as ProviderRequest['body']),
  };
}

function send(response: ServerResponse, { status, body }: ProviderResponse): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Simulates the managed database provider on loopback, on any free port, without real databases. */
export async function startManagedDb({ file, host, now }: ManagedDbOptions): Promise<RunningManagedDb> {
  const answer = provider(providerState(file), now);
  const server = createServer(connectionLimits, (request, response) => {
    requestOf(request).then(
      (asked) => send(response, asked === null ? { status: 404 } : answer(asked)),
      () => send(response, { status: 400 }),
    );
  });
  isolateRequests(server, {
    onError: ({ message }) => logLine('warn', 'server failed', { part: 'managed databases', error: message }),
  });
  const stop = stopOf(server, 0);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, host, listening);
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/v1`, stop };
}
