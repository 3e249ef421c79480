import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the server. */
interface Reached {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** What the server does: an answer, or anything with the response itself. */
export type Answer =
  { readonly status?: number; readonly json: unknown } | ((response: ServerResponse, reached: Reached) => void);

/** A server that says only what it is told to, for what a healthy one never says. */
export async function scriptedServer() {
  const reached: Reached[] = [];
  const answers = new Map<string, Answer[]>();
  let others: Answer[] = [];

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://server');
      const one: Reached = {
        method: request.method ?? '',
        path: url.pathname.replace(/^\/api\/v1/, ''),
        query: Object.fromEntries(url.searchParams),
        body: Buffer.concat(parts).toString(),
        headers: request.headers,
      };
      reached.push(one);
      const queue = answers.get(`${one.method} ${one.path}`) ?? others;
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      if (typeof answer === 'function') return answer(response, one);
      response.statusCode = answer === undefined ? 404 : (answer.status ?? 200);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer === undefined ? { error: 'not found' } : answer.json));
    });
  });
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    /** `GET /apps web` of the requests so far. */
    asked: () => reached.map(({ method, path }) => `${method} ${path}`),
    /** Answers one after another, the last one from then on. */
    on: (route: string, ...given: readonly Answer[]) => void answers.set(route, [...given]),
    /** Answers what nothing else was said about. */
    otherwise: (...given: readonly Answer[]) => void (others = [...given]),
    forget: () => {
      others = [];
      reached.length = 0;
      answers.clear();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type Scripted = Awaited<ReturnType<typeof scriptedServer>>;
