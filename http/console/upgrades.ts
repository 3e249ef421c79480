import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { RouterContext } from '@koa/router';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuse } from '../orThrow.ts';

/** The largest frame that a client may send. */
const largestFrame = 64 * 1_024;

/** A connection that may become a WebSocket, and what came on it after the request. */
interface Offered {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const offers = new WeakMap<IncomingMessage, Offered>();

/** Serves requests for a WebSocket like any other, so that the same checks and refusals apply to them. */
export function serveUpgrades(server: Server, serve: RequestListener): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A client that leaves while it is being answered.
    socket.on('error', () => {});
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    offers.set(request, { socket, head });
    serve(request, response);
  });
}

/** Whether a request can become a WebSocket. */
export const offersSocket = ({ req }: RouterContext): boolean => offers.has(req);

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: largestFrame,
  perMessageDeflate: false,
});

/** Refuses a handshake that cannot succeed, before anything is done for it. */
export function checkHandshake(ctx: RouterContext): void {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = ctx.req.headers;
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key) || version !== '13')
    refuse(ctx, 400, 'the WebSocket handshake is malformed: version 13 is spoken here');
}

/** Answers with 101 and the headers of the response so far; `left` is called when the client is gone before or after. */
export function acceptSocket(ctx: RouterContext, left: () => void, then: (socket: WebSocket) => void): void {
  const { req, res } = ctx;
  const offered = offers.get(req);
  if (offered === undefined) throw new Error('the request offers no WebSocket');
  const { socket, head } = offered;
  if (socket.destroyed) return left();
  socket.once('close', left);
  const headers = Object.entries(res.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`);
  ctx.respond = false;
  res.detachSocket(socket as Socket);
  const withHeaders = (lines: string[], upgraded: IncomingMessage) => {
    if (upgraded === req) lines.push(...headers);
  };
  server.on('headers', withHeaders);
  server.handleUpgrade(req, socket, head, then);
  server.off('headers', withHeaders);
  res.statusCode = 101;
  res.emit('close');
}
