import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { json as jsonBody } from 'node:stream/consumers';
import { at, listAt, textAt } from '../../api/json.ts';

/** What podman answered instead of what was asked for; `away`: nobody answered. */
export type Refusal = 'absent' | 'conflict' | 'refused' | 'away';

/** A call that podman did not carry out, in its words. */
export class PodmanError extends Error {
  override readonly name = 'PodmanError';
  readonly is: Refusal;
  constructor(is: Refusal, message: string) {
    super(message);
    this.is = is;
  }
}

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Asks Docker's form of the API, which podman speaks too, instead of podman's own. */
  readonly docker?: true;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; a stream or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gone?: AbortSignal;
  /** How long podman may say nothing until its answer begins, and within that of a call; usually two minutes. */
  readonly silentMs?: number;
}

/** podman's REST API behind its socket. */
export interface Libpod {
  readonly socket: string;
  /** The JSON of the answer; null where there is none. */
  readonly call: (asked: Asked) => Promise<unknown>;
  /** The answer as it comes. */
  readonly stream: (asked: Asked) => Promise<IncomingMessage>;
  /** The connection itself, for what is written and read at the same time. */
  readonly hijack: (asked: Asked) => Promise<Duplex>;
  readonly close: () => void;
}

/** As long as a kubelet waits for its runtime: a service that hangs must not hold a pod for ever. */
export const usualSilentMs = 120_000;
const base = '/v4.0.0/libpod';
const dockerBase = '/v1.40';
const kinds: Readonly<Record<number, Refusal>> = { 404: 'absent', 409: 'conflict' };

/** Whether podman says that what was asked about is not there. */
export const isAbsent = (why: unknown): boolean => why instanceof PodmanError && why.is === 'absent';
export const isAway = (why: unknown): boolean => why instanceof PodmanError && why.is === 'away';

/** Does nothing where what was asked about is not there. */
export async function unlessAbsent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (why) {
    if (isAbsent(why)) return null;
    throw why;
  }
}

export const labelled = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify({ label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) });

export function libpod(socket: string): Libpod {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  function open(asked: Asked, upgrade: boolean): ClientRequest {
    const { method, path, docker, query, body, headers = {}, gone, silentMs = usualSilentMs } = asked;
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const isStream = typeof (body as { pipe?: unknown } | undefined)?.pipe === 'function';
    const asJson = body !== undefined && !isStream && !Buffer.isBuffer(body);
    const sent = request({
      socketPath: socket,
      method,
      path: (docker ? dockerBase : base) + path + search,
      ...(upgrade ? { agent: false } : { agent }),
      headers: {
        ...(asJson && { 'Content-Type': 'application/json' }),
        ...(upgrade && { Connection: 'Upgrade', Upgrade: 'tcp' }),
        ...headers,
      },
      ...(gone && { signal: gone }),
    });
    sent.setTimeout(silentMs, () => sent.destroy(new Error(`it says nothing for ${silentMs / 1_000} seconds`)));
    // What fails of either is heard of where the answer is awaited.
    if (isStream) pipeline(body as Readable, sent, () => {});
    else sent.end(asJson ? JSON.stringify(body) : body);
    return sent;
  }

  const away = (why: Error) => new PodmanError('away', `podman does not answer at ${socket}: ${why.message}`);

  async function refusalOf(response: IncomingMessage): Promise<PodmanError> {
    const { statusCode = 0 } = response;
    const said: unknown = await jsonBody(response).catch(() => null);
    // What goes away while it is looked at is told with another status than what is not there.
    const isGone = /^no such (pod|container|volume|network|image|exec session)/.test(textAt(said, 'cause'));
    const is = isGone ? 'absent' : (kinds[statusCode] ?? 'refused');
    const errors = listAt(said, 'Errs').filter((one) => typeof one === 'string');
    return new PodmanError(is, textAt(said, 'message') || errors.join('; ') || `status ${statusCode}`);
  }

  /** The answer as soon as it begins; what comes of it is still bounded by the silence that is borne. */
  async function answered(asked: Asked): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((done, fail) =>
      open(asked, false)
        .once('response', done)
        .on('error', (why) => fail(away(why))),
    );
    if ((response.statusCode ?? 500) >= 400) throw await refusalOf(response);
    return response;
  }

  return {
    socket,
    stream: async (asked) => (await answered(asked)).setTimeout(0),
    async call(asked) {
      const response = await answered(asked);
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch (why) {
        throw away(why as Error);
      }
      const text = Buffer.concat(chunks).toString('utf8').trim();
      return text === '' || text === 'OK' ? null : (JSON.parse(text) as unknown);
    },
    hijack: (asked) =>
      new Promise((done, fail) =>
        open(asked, true)
          .once('upgrade', (_: IncomingMessage, connection: Duplex, head: Buffer) => {
            (connection as Socket).setTimeout(0);
            if (head.length > 0) connection.unshift(head);
            done(connection);
          })
          .once('response', (response: IncomingMessage) => void refusalOf(response).then(fail))
          .on('error', (why) => fail(away(why))),
      ),
    close: () => agent.destroy(),
  };
}

/** The id that podman gave what was made. */
export const idOf = (made: unknown): string => textAt(made, 'Id') || textAt(made, 'id');

/** The answers of a stream, each a JSON text on a line of its own. */
export async function* jsonLines(response: AsyncIterable<unknown>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as unknown;
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as unknown;
}

/** What a pull or a build says that failed it; empty where nothing did. */
export const errorOf = (line: unknown): string => {
  const error = at(line, 'error');
  return typeof error === 'string' ? error : '';
};
