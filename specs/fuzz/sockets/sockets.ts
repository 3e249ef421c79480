import { connect, type Socket } from 'node:net';
import { type Console, serveConsole } from '../../http/console/given.ts';
import { numbers } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { drawnFrames, drawnHandshake } from './frames.ts';

export interface SocketsOutcome {
  /** How often each status was answered, and how often a terminal was opened. */
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}

const answeredWithinMs = 5_000;
/** A client that says nothing more is left by its pings. */
const pingMs = 100;

interface Raw {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<void>;
}

function rawTo(url: string): Promise<Raw> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  return new Promise((open, failed) => {
    socket.once('connect', () => open({ socket, text: () => text, closed }));
    socket.on('error', failed);
  });
}

const statusOf = (text: string) => /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? '';
const right = (path: string, token: string) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${token}`,
    '',
    '',
  ].join('\r\n');

/** Broken handshakes and frames at the socket of terminals; afterwards nothing is open, and every line has its pair. */
export async function fuzzSockets(runs: number, seed: number): Promise<SocketsOutcome> {
  const draw = numbers(seed);
  const console = await serveConsole({ pingMs });
  const token = console.bearer.authorization.replace('Bearer ', '');
  const counts: Record<string, number> = {};
  const findings: string[] = [];
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const pathOf = (name: string) => `/api/apps/web/console/ws?session=${name}`;

  async function handshake(name: string): Promise<void> {
    const sent = drawnHandshake(draw, pathOf(name), token);
    const raw = await rawTo(console.served.url);
    const cut = draw() < 0.3 ? Math.floor(draw() * sent.length) : sent.length;
    raw.socket.write(sent.slice(0, cut), 'latin1');
    // Half a handshake: the client goes away in the middle of it.
    if (cut === sent.length) await until(() => statusOf(raw.text()) !== '', sent, answeredWithinMs).catch(() => {});
    raw.socket.destroy();
    const status = statusOf(raw.text());
    if (cut === sent.length && (status === '' || Number(status) >= 500))
      findings.push(`${status || 'silence'}: ${sent}`);
    count(cut === sent.length ? status : 'left half-way');
  }

  async function terminal(name: string): Promise<void> {
    const raw = await rawTo(console.served.url);
    raw.socket.write(right(pathOf(name), token));
    await until(() => statusOf(raw.text()) !== '', 'the handshake is answered', answeredWithinMs);
    count(statusOf(raw.text()));
    const frames = drawnFrames(draw);
    for (const frame of frames) if (raw.socket.writable) raw.socket.write(frame);
    if (draw() < 0.3) raw.socket.destroy();
    // It answers no ping, so that at the latest these end it.
    await Promise.race([raw.closed, until(() => raw.socket.destroyed, 'it is closed', answeredWithinMs)]).catch(() =>
      findings.push(`stays open: ${frames.map((frame) => frame.subarray(0, 24).toString('hex')).join(' ')}`),
    );
    raw.socket.destroy();
  }

  try {
    for (let run = 0; run < runs; run++) {
      const name = await console.create();
      await (draw() < 0.4 ? handshake(name) : terminal(name));
    }
    findings.push(...(await leftOf(console)));
  } finally {
    await console.stop();
  }
  return { counts, findings };
}

async function leftOf({ world, lines, served }: Console): Promise<readonly string[]> {
  const open = () => served.terminals.terminals.count();
  const running = () => world.exec.shells().length;
  const [opened, closed] = ['Console terminal opened', 'Console terminal closed'];
  const isOver = () => open() === 0 && running() === 0 && lines(opened ?? '').length === lines(closed ?? '').length;
  await until(isOver, 'all of it is over', answeredWithinMs).catch(() => {});
  const [first, last] = [lines('Console terminal opened').length, lines('Console terminal closed').length];
  const failed = served.lines.filter(({ message }) => message === 'request failed');
  return [
    ...(open() > 0 ? [`${open()} terminals are open`] : []),
    ...(running() > 0 ? [`${running()} shells run`] : []),
    ...(first === last ? [] : [`${first} terminals were opened, ${last} closed`]),
    ...failed.map(({ fields }) => `logged: ${JSON.stringify(fields)}`),
  ];
}
