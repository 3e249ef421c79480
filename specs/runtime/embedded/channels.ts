import { WebSocket } from 'ws';
import { until } from '../../support/until.ts';
import { inSystem, type Started } from './started.ts';

export const [stdin, stdout, stderr, error, resize, close] = [0, 1, 2, 3, 4, 255] as const;

/** One message of the server: its channel, and what it says on it. */
interface Message {
  readonly channel: number;
  readonly data: Buffer;
}

/** A connection to a streaming subresource as it is on the wire. */
export interface Wire {
  readonly socket: WebSocket;
  readonly send: (channel: number, data?: string | Buffer) => void;
  readonly messages: readonly Message[];
  /** What came on a channel so far. */
  readonly text: (channel: number) => string;
  readonly shows: (channel: number, text: string) => Promise<unknown>;
  /** The status on the error channel; empty before it came. */
  readonly status: () => { readonly status?: string; readonly reason?: string; readonly message?: string };
  readonly exitCode: () => string | undefined;
  /** The code that the connection was closed with; fails when it is not. */
  readonly closed: Promise<number>;
}

/** Far more than a connection takes; one that is broken is told soon. */
const patienceMs = 120_000;
export const v5 = 'v5.channel.k8s.io';
export const v4 = 'v4.channel.k8s.io';

const socketTo = ({ url, caPem, token }: Started, path: string, protocols: readonly string[], headers: object = {}) =>
  new WebSocket(`${url.replace('https', 'wss')}${inSystem}/pods/${path}`, [...protocols], {
    ca: caPem,
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });

/** Opens a connection, by v5 where nothing else is said. */
export async function wire(api: Started, path: string, ...protocols: readonly string[]): Promise<Wire> {
  const socket = socketTo(api, path, protocols.length > 0 ? protocols : [v5]);
  const messages: Message[] = [];
  socket.on('message', (data: Buffer) => messages.push({ channel: data[0] ?? -1, data: data.subarray(1) }));
  const closed = new Promise<number>((done, failed) => {
    const late = setTimeout(() => failed(new Error('the connection was not closed')), patienceMs);
    socket.once('close', (code) => {
      clearTimeout(late);
      done(code);
    });
  });
  closed.catch(() => {});
  await new Promise((done, failed) => socket.once('open', done).once('error', failed));
  socket.on('error', () => {});
  const text = (channel: number) =>
    Buffer.concat(messages.filter((one) => one.channel === channel).map(({ data }) => data)).toString();
  const status = () => JSON.parse(text(error) || '{}') as ReturnType<Wire['status']>;
  return {
    socket,
    messages,
    text,
    status,
    closed,
    send: (channel, data = '') => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(data)])),
    shows: (channel, wanted) =>
      until(() => text(channel).includes(wanted), `${JSON.stringify(wanted)} on channel ${channel}`, patienceMs),
    exitCode: () => /"reason":"ExitCode","message":"(\d+)"/.exec(text(error))?.[1],
  };
}

/** The path of a command in the pod `web`, with the streams that it has. */
export const execPath = (command: readonly string[], streams: string, pod = 'web') =>
  `${pod}/exec?${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&${streams
    .split(' ')
    .map((name) => `${name}=true`)
    .join('&')}`;

/** What a request to upgrade is answered with where it is refused: the code, and the message. */
export function refusalOf(
  api: Started,
  path: string,
  { protocols = [v5], headers = {} }: { readonly protocols?: readonly string[]; readonly headers?: object } = {},
): Promise<string> {
  const socket = socketTo(api, path, protocols, headers);
  return new Promise((done, failed) => {
    socket.on('error', () => {});
    socket.once('open', () => {
      socket.terminate();
      failed(new Error('it was upgraded'));
    });
    socket.once('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('end', () => {
        const { message = '' } = JSON.parse(body || '{}') as { readonly message?: string };
        done(`${response.statusCode} ${message}`);
      });
    });
  });
}
