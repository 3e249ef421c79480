import { connect } from 'node:net';

/** Writes bytes unchanged, one piece after another, and returns everything received until the connection ended. */
export const sendRaw = (url: string, ...parts: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let got = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of parts) socket.write(Buffer.from(piece, 'latin1'));
    });
    socket.setTimeout(120_000, () => {
      socket.destroy();
      reject(new Error(`nothing ended the connection, which said ${JSON.stringify(got)}`));
    });
    socket.on('data', (part) => (got += part.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });

/** The statuses of all responses on one connection. */
export const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
