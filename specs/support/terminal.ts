import { WebSocket } from 'ws';
import { until } from './until.ts';

/** A terminal as a script opens it. */
export interface Terminal {
  readonly socket: WebSocket;
  /** All that was shown. */
  readonly shown: () => string;
  readonly bytes: () => number;
  /** The text frames. */
  readonly told: readonly string[];
  readonly type: (text: string) => void;
  readonly say: (frame: object) => void;
  /** Waits until this was shown. */
  readonly sees: (text: string | RegExp) => Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A handshake that was answered with something else than 101. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const socketUrl = (url: string) => url.replace(/^http/, 'ws');

/** Opens a WebSocket with exactly these headers; resolves with the terminal, or with how it was refused. */
export function dial(url: string, headers: Readonly<Record<string, string>>): Promise<Terminal | Refused> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketUrl(url), { headers: { ...headers }, perMessageDeflate: false });
    const parts: Buffer[] = [];
    const told: string[] = [];
    let answered: Terminal['headers'] = {};
    socket.on('message', (data, isBinary) => {
      if (isBinary) parts.push(data as Buffer);
      else told.push((data as Buffer).toString());
    });
    socket.on('upgrade', (response) => (answered = response.headers));
    const closed = new Promise<{ code: number; reason: string }>((done) =>
      socket.once('close', (code, reason) => done({ code, reason: reason.toString() })),
    );
    socket.on('error', reject);
    socket.once('unexpected-response', (_, response) => {
      const body: Buffer[] = [];
      response.on('data', (part: Buffer) => body.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(body).toString(), headers: response.headers }),
      );
    });
    const shown = () => Buffer.concat(parts).toString();
    socket.once('open', () =>
      resolve({
        socket,
        shown,
        bytes: () => parts.reduce((sum, { length }) => sum + length, 0),
        told,
        type: (text) => socket.send(Buffer.from(text)),
        say: (frame) => socket.send(JSON.stringify(frame)),
        sees: async (text) => {
          await until(
            () => (typeof text === 'string' ? shown().includes(text) : text.test(shown())),
            `the terminal shows ${String(text)}, it shows ${JSON.stringify(shown().slice(-400))}`,
          );
        },
        closed,
        headers: answered,
      }),
    );
  });
}

export async function openTerminal(url: string, headers: Readonly<Record<string, string>>): Promise<Terminal> {
  const found = await dial(url, headers);
  if ('status' in found) throw new Error(`the handshake was answered ${found.status}: ${found.text}`);
  return found;
}

export async function refusedTerminal(url: string, headers: Readonly<Record<string, string>>): Promise<Refused> {
  const found = await dial(url, headers);
  if ('status' in found) return found;
  found.socket.terminate();
  throw new Error('a terminal was opened');
}
