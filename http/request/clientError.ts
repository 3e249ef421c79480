import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecurityHeaders } from '../response/securityHeaders.ts';

interface Fault {
  readonly status: number;
  readonly message: string;
}

const malformed: Fault = { status: 400, message: 'the request is malformed' };

/** The errors of the HTTP parser; any other request is malformed. */
const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'request headers too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the body is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request took too long' },
};

/** A request that cannot be parsed gets a response too, with the same headers, and its connection is closed. */
export function answerMalformed(server: Server, headers: SecurityHeaders): void {
  const end = (socket: Duplex, { status, message }: Fault) => {
    if (!socket.writable) return socket.destroy();
    const body = JSON.stringify({ error: message });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ].join('\r\n');
    return socket.end(`${head}\r\n${headers.lines}\r\n${body}`);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answeredBefore = (socket as { readonly bytesWritten?: number }).bytesWritten ?? 0;
    const fault = faults[error.code ?? ''] ?? malformed;
    // A second response must not break into one that is being sent.
    if (fault.status === 408 && answeredBefore > 0) socket.destroy();
    else end(socket, fault);
  });
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    end(socket, { status: 405, message: 'method not allowed' });
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    refuseEarly(response, headers, { status: 417, message: 'expectation not supported' });
  });
}

/** Refuses a request before any route sees it, and closes its connection. */
export function refuseEarly(response: ServerResponse, headers: SecurityHeaders, fault: Fault = malformed): void {
  headers.set(response, undefined);
  response.writeHead(fault.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(JSON.stringify({ error: fault.message }));
}
