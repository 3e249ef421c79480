import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { isLoopback } from '../backends.ts';
import { isWithin } from '../ranges.ts';
import { answerTo, type Resolving, type Way } from './answer.ts';
import { framed } from './upstream.ts';

export interface DnsOptions extends Resolving {
  readonly address: string;
  readonly port: number;
}

const idleMs = 10_000;
const mostHeld = 64 * 1_024;

/** Answers pods and the machine itself, over UDP and TCP; gives what ends it. */
export async function startDns(options: DnsOptions): Promise<() => void> {
  const { address, port, ranges } = options;
  const isOurs = (ip: string) => ip === address || isLoopback(ip) || isWithin(ip, ranges.pods);

  /** A packet that cannot be answered is as one that never came. */
  const answered = (packet: Buffer, from: string, way: Way) => answerTo(options, packet, from, way).catch(() => null);

  const udp = createSocket('udp4');
  udp.on('message', (packet, { address: from, port: back }) => {
    if (!isOurs(from)) return;
    void answered(packet, from, 'udp').then((answer) => answer && udp.send(answer, back, from, () => {}));
  });

  const tcp = createServer((socket) => {
    const from = socket.remoteAddress ?? '';
    if (!isOurs(from)) return socket.destroy();
    socket.setTimeout(idleMs, () => socket.destroy()).on('error', () => socket.destroy());
    return readFrames(socket, async (packet) => {
      const answer = await answered(packet, from, 'tcp');
      if (answer === null) socket.destroy();
      else socket.write(framed(answer));
    });
  });

  await new Promise<void>((done, failed) => udp.on('error', failed).bind(port, address, done));
  await new Promise<void>((done, failed) => tcp.on('error', failed).listen({ port, host: address }, done)).catch(
    (why: unknown) => {
      udp.close();
      throw why;
    },
  );
  return () => {
    udp.close();
    tcp.close();
  };
}

function readFrames(socket: Socket, take: (packet: Buffer) => Promise<void>): void {
  let held = Buffer.alloc(0);
  socket.on('data', (piece) => {
    held = Buffer.concat([held, piece]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const length = held.readUInt16BE(0);
      void take(held.subarray(2, 2 + length));
      held = held.subarray(2 + length);
    }
    if (held.length > mostHeld) socket.destroy();
  });
}
