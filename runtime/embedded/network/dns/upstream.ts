import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const patienceMs = 2_000;

/** The servers that the machine itself asks. */
export function serversOf(resolvConf: string, own: string): readonly string[] {
  const lines = resolvConf.split('\n').map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([word, server = '']) => (word === 'nameserver' && server !== own ? [server] : []));
}

export function machineServers(own: string): readonly string[] {
  try {
    return serversOf(readFileSync('/etc/resolv.conf', 'utf8'), own);
  } catch {
    return [];
  }
}

/** What the first of some servers answers to a packet, unread; null where none does. */
export async function askServers(
  servers: readonly string[],
  packet: Buffer,
  way: 'udp' | 'tcp',
): Promise<Buffer | null> {
  for (const server of servers) {
    const answer = await (way === 'udp' ? byUdp(server, packet) : byTcp(server, packet));
    if (answer) return answer;
  }
  return null;
}

const byUdp = (server: string, packet: Buffer): Promise<Buffer | null> =>
  new Promise((done) => {
    const socket = createSocket(server.includes(':') ? 'udp6' : 'udp4');
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners('error').on('error', () => {});
      socket.close();
      done(answer);
    };
    const timer = setTimeout(() => end(null), patienceMs);
    socket.once('error', () => end(null));
    socket.on('message', (answer, { address }) => {
      // A stranger's answer is no answer, and neither is one to another question.
      if (address === server && answer.length > 2 && answer.readUInt16BE(0) === packet.readUInt16BE(0)) end(answer);
    });
    socket.connect(53, server, () => socket.send(packet));
  });

const byTcp = (server: string, packet: Buffer): Promise<Buffer | null> =>
  new Promise((done) => {
    const socket = connect({ host: server, port: 53 });
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    const timer = setTimeout(() => end(null), patienceMs);
    let got = Buffer.alloc(0);
    socket.on('error', () => end(null)).on('end', () => end(null));
    socket.on('data', (piece) => {
      got = Buffer.concat([got, piece]);
      if (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) end(got.subarray(2, 2 + got.readUInt16BE(0)));
    });
    socket.write(framed(packet));
  });

/** Over TCP the length of a packet goes before it. */
export function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return Buffer.concat([length, packet]);
}
