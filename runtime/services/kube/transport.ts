import { createSecureContext } from 'node:tls';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { Effect } from 'effect';
import { type buildConnector, Pool } from 'undici';
import type { Unavailable } from '../cluster/cluster.ts';
import { type Answer, collected } from './collected.ts';
import { type Credentials, makeCredentials, type Tls, userAgent } from './credentials.ts';
import { silence } from './failure.ts';
import type { Body, Response } from './response.ts';

/** One request to the Kubernetes API, aborted when nothing arrives for `silenceMs`. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
}

export interface Transport {
  /** Sends a request and returns the response once its headers arrive; rejects without a response. */
  readonly open: (ask: Ask) => Promise<Response>;
  /** Sends a request and reads the whole response. */
  readonly exchange: (ask: Ask) => Effect.Effect<Answer, Unavailable>;
}

/** How long an idle connection is kept, unless the server states its own timeout. */
const keptAliveMs = 60_000;

/** Each watch has its own connection; they share the TLS context, whose creation is the costliest part. */
const connectorOf = (origin: string, tls: Tls): buildConnector.BuildOptions =>
  origin.startsWith('https:') ? { ...tls, secureContext: createSecureContext(tls) } : tls;

/** HTTP/1.1 with keep-alive connections, authenticated by the kubeconfig, with renewed credentials. */
export function makeTransport(first: KubeConfig, renewed: () => KubeConfig = () => first): Transport {
  const { origin, prefix, known, current, replaced } = makeCredentials(first, renewed);
  let pool: Pool | undefined;
  let material = '';
  let poolOf: Tls | undefined;

  const poolFor = (tls: Tls) => {
    if (pool && poolOf === tls) return pool;
    poolOf = tls;
    const wanted = JSON.stringify(tls);
    if (pool && wanted === material) return pool;
    material = wanted;
    // Running requests finish on the old pool.
    void pool?.close();
    pool = new Pool(origin, { connect: connectorOf(origin, tls), keepAliveTimeout: keptAliveMs });
    return pool;
  };
  const optionsOf = ({ method, path, body, contentType, silenceMs }: Ask, { headers }: Credentials) => ({
    method,
    path: prefix + path,
    headers: {
      ...headers,
      Accept: 'application/json',
      'User-Agent': userAgent,
      ...(body === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
    },
    body: body ?? null,
    // A DELETE with a body would cost its connection.
    reset: false,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });

  const opened = (ask: Ask, used: Credentials) =>
    poolFor(used.tls).request({ ...optionsOf(ask, used), signal: ask.signal ?? null });
  const open = async (ask: Ask) => {
    const used = await current();
    const response = await opened(ask, used);
    if (response.statusCode !== 401) return response;
    const next = await replaced(used).catch(() => null);
    if (next === null) return response;
    await response.body.dump();
    return opened(ask, next);
  };

  const once = (ask: Ask, used: Credentials) => collected(poolFor(used.tls), optionsOf(ask, used));
  const exchanged = (ask: Ask, used: Credentials) =>
    Effect.flatMap(once(ask, used), (answer) => {
      if (answer.statusCode !== 401) return Effect.succeed(answer);
      const renewedOnce = Effect.promise(() => replaced(used).catch(() => null));
      return Effect.flatMap(renewedOnce, (next) => (next === null ? Effect.succeed(answer) : once(ask, next)));
    });
  const exchange = (ask: Ask) =>
    Effect.suspend(() => {
      const used = known();
      if (used) return exchanged(ask, used);
      const read = Effect.tryPromise({ try: current, catch: silence });
      return Effect.flatMap(read, (credentials) => exchanged(ask, credentials));
    });

  return { open, exchange };
}

/** The text of a response in the pieces it arrives in; reads no more from the connection than is consumed. */
export async function* chunksOf(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

/**
 * Reads a response line by line. A separate timer ends a silent response, because the connection's own may be a second
 * late.
 */
export function eachLine(
  { body, silenceMs, longest = Infinity }: LinesOf,
  to: { readonly line: (line: string) => void; readonly end: () => void; readonly fail: (error: Error) => void },
): void {
  const decoder = new TextDecoder();
  let rest = '';
  const silent = setTimeout(() => body.destroy(new Error(`nothing heard for ${silenceMs} ms`)), silenceMs);
  const send = (line: string) => to.line(line.length > longest ? line.slice(0, longest) : line);
  body.on('data', (chunk: Buffer) => {
    silent.refresh();
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = (parts.pop() ?? '').slice(0, longest);
    parts.forEach(send);
  });
  body.on('end', () => {
    if (rest !== '') send(rest);
    to.end();
  });
  body.on('error', to.fail);
  body.on('close', () => clearTimeout(silent));
}

interface LinesOf {
  readonly body: Body;
  readonly silenceMs: number;
  readonly longest?: number;
}
