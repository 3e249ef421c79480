import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A request that a receiver of webhooks got. */
interface Got {
  readonly delivery: string;
  readonly event: string;
  readonly body: string;
  /** Whether it is signed with the secret of its webhook over its own timestamp. */
  readonly isSigned: boolean;
  readonly timestamp: string;
}

export type Answering = (got: Got, response: ServerResponse, count: number) => void;
export const status =
  (code: number): Answering =>
  (_, response) =>
    void response.writeHead(code, { location: 'http://127.0.0.1:1/' }).end('not read');

/** A receiver of webhooks at a public address, which answers as it is told. */
export async function startReceiver(address: string, answering: Answering) {
  const got: Got[] = [];
  const told = { secret: '', answering };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const header = (name: string) => String(request.headers[name] ?? '');
      const timestamp = header('x-core-timestamp');
      const signed = createHmac('sha256', told.secret).update(`${timestamp}.${body}`).digest('hex');
      const one = {
        delivery: header('x-core-delivery'),
        event: header('x-core-event'),
        body,
        timestamp,
        isSigned: told.secret !== '' && header('x-core-signature') === `t=${timestamp},v1=${signed}`,
      };
      got.push(one);
      told.answering(one, response, got.length);
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  const listening = server.address();
  const port = listening !== null && typeof listening === 'object' ? listening.port : 0;
  return {
    got,
    told,
    port,
    url: `http://${address}:${port}/hook`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
