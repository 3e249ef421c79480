import { isObject } from '../../rules/json.ts';
import type { IncomingMessage } from 'node:http';
import { type ApiEvent, eventReader } from './events.ts';
import { ApiFailure, connectionMessage, ProxyUnreached } from './failure.ts';
import { makeTransport, type Transport } from './transport.ts';

/** What a request carries. A parameter of the query without a value is left out. */
export interface Sending {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly text?: { readonly type: string; readonly content: string };
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A stream of events, as they come; it ends when the server ends it. */
export type Events = AsyncIterable<readonly ApiEvent[]>;

/** The API of one installation, for one caller. Each request that gives nothing usable throws an ApiFailure. */
export interface ApiClient {
  /** The address of the installation. */
  readonly address: string;
  /** Sends a request and returns the JSON of its answer; a refusal throws with the text of the API. */
  readonly ask: (method: string, path: string, sending?: Sending) => Promise<unknown>;
  /** Sends a request and returns its answer, be it a refusal. */
  readonly exchange: (method: string, path: string, sending?: Sending) => Promise<Answered>;
  /** Sends a request whose answer may be a stream of events. */
  readonly follow: (
    method: string,
    path: string,
    sending?: Sending & { readonly lastEventId?: string },
  ) => Promise<Answered | { readonly events: Events }>;
  /** Gives up what was asked and is not answered yet, and closes the connections that are its own. */
  readonly close: () => void;
}

/** A server and the login for it; without a token, only routes that need none succeed. */
export interface ClientOptions {
  readonly address: string;
  readonly token?: string;
  /** What the client calls itself. */
  readonly agent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Connections to the address, where they are shared with other clients. */
  readonly transport?: Transport;
}

const answerWithinMs = 30_000;
/** The server sends something every 15 s. */
const maxSilentMs = 45_000;
/** Shorter values may occur in texts by chance. */
const shortestToken = 8;
const maxAnswer = 64 * 1024 * 1024;

function partOf(part: string): string {
  if (part === '' || part === '.' || part === '..') throw new ApiFailure(`"${part}" is no name`);
  return encodeURIComponent(part);
}

/** A path below `/api/v1`. A name that would lead elsewhere is refused. */
export const pathOf = (...parts: readonly string[]): string => `/${parts.map(partOf).join('/')}`;

/** The text of a refusal: the API's own, if it is one of the API. */
export function refusalText({ status, text }: Pick<Answered, 'status' | 'text'>, address: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed) && typeof parsed['error'] === 'string') return parsed['error'];
  } catch {
    // A proxy's page, for instance: its words are not for the user.
  }
  return `${address} answered ${status}, and not in the words of the API: is it the right address?`;
}

/** The JSON of an answer. */
export function jsonOf({ text }: Answered, address: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiFailure(`${address} answered with something that is no JSON: is it the right address?`);
  }
}

const textOf = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    response.on('data', (part: Buffer) => {
      length += part.length;
      parts.push(part);
      if (length <= maxAnswer) return;
      response.destroy(new Error(`its answer is longer than ${maxAnswer / 1024 / 1024} MiB`));
    });
    response.once('error', reject);
    response.once('end', () => {
      if (response.complete) resolve(Buffer.concat(parts, length).toString('utf8'));
      else reject(new Error('the connection ended in the middle of the answer'));
    });
  });

/** The events of an answer. A stream that stays silent for longer than the server ever is has broken. */
async function* eventsOf(response: IncomingMessage, explain: (error: unknown) => ApiFailure): Events {
  const read = eventReader();
  const timer = setTimeout(() => response.destroy(new Error('the stream fell silent')), maxSilentMs);
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      timer.refresh();
      const found = read(part);
      if (found.length > 0) yield found;
    }
  } catch (error) {
    throw explain(error);
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}

/** Follows no redirect: the token would reach whatever host it names. */
function refuseRedirect({ statusCode = 0, headers }: IncomingMessage, address: string): void {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return;
  const target = headers.location === undefined ? 'elsewhere' : `to ${headers.location}`;
  throw new ApiFailure(`${address} redirects ${target}, which is not followed: give that address itself`, statusCode);
}

/** Only a proxy answers so. */
function refuseUser({ statusCode }: IncomingMessage, address: string): void {
  if (statusCode === 407)
    throw new ApiFailure(`could not reach ${address}: the proxy wants a user and a password, in its variable`);
}

function headersOf({ token, agent }: ClientOptions, { body, text }: Sending): Readonly<Record<string, string>> {
  const type = text?.type ?? (body === undefined ? undefined : 'application/json');
  return {
    accept: 'application/json, text/event-stream;q=0.9, */*;q=0.1',
    'user-agent': agent,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
}

function urlOf(address: string, path: string, { query = {} }: Sending): URL {
  const url = new URL(`${address}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Makes a client of the API at an address that `addressOf` accepted. */
export function makeClient(options: ClientOptions): ApiClient {
  const { address, token, env } = options;
  const transport = options.transport ?? makeTransport(new URL(address), env);
  const open = new Set<{ readonly giveUp: () => void }>();
  const withoutToken = (text: string) =>
    token !== undefined && token.length >= shortestToken ? text.replaceAll(token, '…') : text;

  /** Sends, and reads with `use` what came, all within the time of the request. */
  async function within<T>(
    [method, path, sending]: readonly [string, string, Sending & { readonly lastEventId?: string }],
    use: (response: IncomingMessage, onStart: () => void) => Promise<T>,
  ): Promise<T> {
    const { body, text, signal, timeoutMs = answerWithinMs, lastEventId } = sending;
    let isLate = false;
    const running = { giveUp: () => {} };
    open.add(running);
    const timer = setTimeout(() => {
      isLate = true;
      running.giveUp();
    }, timeoutMs);
    const content = text?.content ?? (body === undefined ? undefined : JSON.stringify(body));
    const resume = lastEventId === undefined || lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    try {
      const response = await transport.send({
        url: urlOf(address, path, sending),
        method,
        headers: { ...headersOf(options, sending), ...resume },
        signal,
        onSent: (giveUp) => (running.giveUp = giveUp),
        ...(content === undefined ? {} : { body: content }),
      });
      refuseRedirect(response, address);
      refuseUser(response, address);
      return await use(response, () => clearTimeout(timer));
    } catch (error) {
      throw explain(error, isLate ? `no answer within ${timeoutMs / 1_000} seconds` : null);
    } finally {
      clearTimeout(timer);
      open.delete(running);
    }
  }

  function explain(error: unknown, why: string | null = null): ApiFailure {
    if (error instanceof ApiFailure) return new ApiFailure(withoutToken(error.message), error.status);
    const place = error instanceof ProxyUnreached ? `the proxy ${error.proxy}` : address;
    return new ApiFailure(withoutToken(`could not reach ${place}: ${why ?? connectionMessage(error)}`));
  }

  const answerOf = async (response: IncomingMessage): Promise<Answered> => ({
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    text: await textOf(response),
  });
  const exchange = (method: string, path: string, sending: Sending = {}) => within([method, path, sending], answerOf);

  return {
    address,
    exchange,
    ask: async (method, path, sending) => {
      const answer = await exchange(method, path, sending);
      if (answer.status >= 400) throw new ApiFailure(withoutToken(refusalText(answer, address)), answer.status);
      return jsonOf(answer, address);
    },
    follow: (method, path, sending = {}) =>
      within([method, path, sending], async (response, onStart) => {
        const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
        if (!isStream) return answerOf(response);
        onStart();
        return { events: eventsOf(response, explain) };
      }),
    close: () => {
      for (const { giveUp } of open) giveUp();
      if (options.transport === undefined) transport.close();
    },
  };
}
