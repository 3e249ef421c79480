import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readQuery, valuesOf } from './usageQuery.ts';
import { isolateRequests } from '../../requests.ts';
import type { Log } from '../../surroundings.ts';
import type { UsageRing } from './usageRing.ts';

/** Answers range queries over a ring as Prometheus does. */
export interface UsageServer {
  /** Its address, with a part that nobody guesses: who knows it may read. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const longestQuery = 16_384;

export async function startUsageServer(ring: UsageRing, log: Log): Promise<UsageServer> {
  const base = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== `${base}/api/v1/query_range`)
      return void response.writeHead(404).end();
    answer(ring, request, response).catch(() => response.destroy());
  });
  isolateRequests(server, {
    onError: ({ message }) => log('warn', 'server failed', { part: 'usage', error: message }),
    routeOf: () => '/api/v1/query_range',
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(ring: UsageRing, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = new URLSearchParams((await text(request)).slice(0, longestQuery));
  const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(asked.get(name)));
  const query = readQuery(asked.get('query') ?? '');
  const say = (status: number, body: object) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (!query) return say(400, { status: 'error', error: 'only the sum of a metric, or of its rate, is answered' });
  if (start === undefined || end === undefined || !(step !== undefined && step > 0))
    return say(400, { status: 'error', error: 'start, end and step must be seconds' });
  const values = valuesOf(ring, query, { start, end, step }).map(([at, value]) => [at / 1_000, String(value)]);
  const result = values.length === 0 ? [] : [{ metric: {}, values }];
  say(200, { status: 'success', data: { resultType: 'matrix', result } });
}
