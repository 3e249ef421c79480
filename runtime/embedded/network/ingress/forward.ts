import { type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { connectFirst } from '../connect.ts';
import type { Backend } from '../view.ts';
import { answered, asked, isRepeatable } from './headers.ts';

/** Who may answer a request: those of the moment in which it came, and those of now. */
export interface Standing {
  readonly backends: readonly Backend[];
  readonly now: () => readonly Backend[];
}

/** How one attempt came out: answered, or lost before an answer came. */
type Came = 'answered' | 'lost' | 'left' | Garbled;

/** An answer that is not HTTP, and why. */
export interface Garbled {
  readonly why: string;
}

const placeOf = ({ ip, port }: Backend) => `${ip}:${port}`;

/**
 * Passes a request on to the first backend that takes it. One that breaks off before it answers is passed on to the
 * next where that is harmless, and in the end to those that came meanwhile: a rollout may have replaced all that were
 * there. Says where nobody answered, or only one that does not speak HTTP.
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { backends, now }: Standing,
): Promise<'done' | 'unanswered' | Garbled> {
  const tried = new Set<string>();
  const isNew = (one: Backend) => !tried.has(placeOf(one));
  for (let left = backends; left.length > 0;) {
    for (const one of left) tried.add(placeOf(one));
    const connected = await connectFirst(left);
    const came = connected && (await pass(request, response, connected.socket));
    if (came === 'answered' || came === 'left') return 'done';
    if (came !== null && came !== 'lost') return came;
    if (came === 'lost' && !isRepeatable(request)) return 'unanswered';
    left = connected && connected.left.length > 0 ? connected.left : now().filter(isNew);
  }
  return 'unanswered';
}

/** A connection of its own for each request: none is ever used that its other end is about to close. */
function pass(request: IncomingMessage, response: ServerResponse, socket: Socket): Promise<Came> {
  const { method = 'GET', url = '/' } = request;
  return new Promise((done) => {
    if (response.destroyed) {
      socket.destroy();
      return done('left');
    }
    const upstream = requestOf({ method, path: url, headers: asked(request), createConnection: () => socket });
    const leave = () => {
      upstream.destroy();
      done('left');
    };
    response.once('close', leave);
    upstream.on('error', (why: NodeJS.ErrnoException) => {
      response.off('close', leave);
      done(garbledBy(why) ?? 'lost');
    });
    upstream.on('response', (answer) => {
      done('answered');
      give(answer, response);
    });
    // What is left of a request whose pod broke off is kept, because another pod may take it.
    pipeline(request.iterator({ destroyOnReturn: false }), upstream, () => {});
  });
}

/** What the parser says of an answer; null where the connection broke off before one was whole. */
function garbledBy({ code = '', message }: NodeJS.ErrnoException): Garbled | null {
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return null;
  return { why: message.replace(/^Parse Error: /, '') };
}

function give(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', answered(answer.rawHeaders));
  response.flushHeaders();
  answer.on('end', () => {
    if (answer.rawTrailers.length > 0) response.addTrailers(Object.entries(answer.trailers) as [string, string][]);
  });
  // An answer that breaks off breaks off for the visitor, too: an orderly end would pass for the whole of it.
  pipeline(answer, response, () => {});
}
