import { connect } from 'node:net';
import { bytesOf, type Wire } from './request.ts';

/** What came of a request: what was answered, if anything, and whether anybody had to be cut off. */
export interface Came {
  readonly text: string;
  readonly ended: 'answered' | 'closed' | 'hung';
}

const isStream = (text: string) => /^content-type: text\/event-stream/im.test(text) && text.includes('\r\n\r\n');

/** Sends a request and waits for the connection to end, a stream to begin or the patience to be over. */
export const sendWire = (port: number, wire: Wire, patienceMs: number): Promise<Came> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    const bytes = bytesOf(wire);
    const text = () => Buffer.concat(parts).toString('latin1');
    const socket = connect(port, '127.0.0.1', () => {
      if (wire.pace === 'whole') socket.write(bytes);
      else if (wire.pace === 'held') socket.write(bytes.subarray(0, Math.ceil(bytes.length * 0.6)));
      else socket.end(bytes);
    });
    const done = (ended: Came['ended']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: text(), ended });
    };
    const timer = setTimeout(() => done('hung'), patienceMs);
    socket.on('data', (part) => {
      parts.push(part);
      if (isStream(text())) done('answered');
    });
    // A server that refuses what it has not read may reset the connection; what came before that counts.
    socket.on('error', () => {});
    socket.on('close', () => done(parts.length > 0 ? 'answered' : 'closed'));
  });
