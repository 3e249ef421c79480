import http, { type IncomingMessage } from 'node:http';
import https, { type AgentOptions, type RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node';

/** One request to the Kubernetes API. `silenceMs`: how long nothing may be heard before it is given up. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
}

/** Sends a request and hands over the response with its body still to be read; rejects when there is no answer. */
export type Transport = (ask: Ask) => Promise<IncomingMessage>;

/** Credentials may be renewed under us (a projected token, an exec plugin): they are asked for again after this. */
const credentialsKeptMs = 60_000;

/** What the API server takes the name of a field's manager from, where a write names none. */
const userAgent = 'core';

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: AgentOptions;
  readonly until: number;
}

async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, auth } = options;
  const headers = { ...(options.headers as Record<string, string> | undefined) };
  if (auth) headers['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  const tls = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)) as AgentOptions;
  return { headers, tls: given, until: performance.now() + credentialsKeptMs };
}

/** HTTP/1.1 with kept-alive connections, authenticated as the kubeconfig says, or as it says by now. */
export function makeTransport(first: KubeConfig, renewed: () => KubeConfig = () => first): Transport {
  const server = first.getCurrentCluster()?.server;
  if (server === undefined) throw new Error('the kubeconfig names no cluster');
  const base = new URL(server);
  const client = base.protocol === 'http:' ? http : https;
  const prefix = base.pathname.replace(/\/+$/, '');
  let config = first;
  let credentials: Promise<Credentials> | undefined;
  let agent: http.Agent | undefined;
  let material = '';
  let agentOf: AgentOptions | undefined;

  const current = async () => {
    const known = await credentials?.catch(() => undefined);
    if (known && known.until > performance.now()) return known;
    credentials = credentialsOf(config);
    return credentials;
  };
  const agentFor = (tls: AgentOptions) => {
    if (agent && agentOf === tls) return agent;
    agentOf = tls;
    const wanted = JSON.stringify(tls);
    if (agent && wanted === material) return agent;
    material = wanted;
    agent = new client.Agent({ ...tls, keepAlive: true });
    return agent;
  };
  /** Those that came in the place of refused ones; null where the kubeconfig has no others. */
  const replaced = async (refused: Credentials): Promise<Credentials | null> => {
    if ((await current()) === refused) {
      config = renewed();
      credentials = undefined;
    }
    const next = await current();
    return isDeepStrictEqual(next.headers, refused.headers) ? null : next;
  };

  const send = ({ method, path, body, contentType, silenceMs, signal }: Ask, { headers, tls }: Credentials) =>
    new Promise<IncomingMessage>((answer, fail) => {
      const request = client.request(
        {
          protocol: base.protocol,
          hostname: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          method,
          path: prefix + path,
          agent: agentFor(tls),
          headers: {
            ...headers,
            Accept: 'application/json',
            'User-Agent': userAgent,
            ...(body === undefined
              ? {}
              : { 'Content-Type': contentType ?? 'application/json', 'Content-Length': Buffer.byteLength(body) }),
          },
          ...(signal ? { signal } : {}),
        },
        answer,
      );
      request.setTimeout(silenceMs, () => request.destroy(new Error(`nothing heard for ${silenceMs} ms`)));
      request.on('error', fail);
      request.end(body);
    });

  return async (ask) => {
    const used = await current();
    const response = await send(ask, used);
    if (response.statusCode !== 401) return response;
    const next = await replaced(used).catch(() => null);
    if (next === null) return response;
    response.resume();
    return send(ask, next);
  };
}

export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a response in the pieces it comes in; no more is read from the connection than is taken. */
export async function* piecesOf(response: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of response) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

/** Reads a response line by line. */
export function eachLine(
  response: IncomingMessage,
  to: { readonly line: (line: string) => void; readonly end: () => void; readonly fail: (error: Error) => void },
): void {
  const decoder = new TextDecoder();
  let rest = '';
  response.on('data', (chunk: Buffer) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(to.line);
  });
  response.on('end', () => {
    if (rest !== '') to.line(rest);
    to.end();
  });
  response.on('error', to.fail);
}
