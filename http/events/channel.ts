import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** One open stream of server-sent events. */
export interface Channel {
  /** Writes a piece as it is. A client that is too far behind is dropped. */
  readonly write: (piece: string) => void;
  /** As `write`, and waits until the client has room again or is gone. */
  readonly writeAll: (piece: string) => Promise<void>;
  readonly end: () => void;
  readonly isOpen: () => boolean;
  readonly onClose: (listener: () => void) => void;
}

/** A client that leaves so much unread does not read. */
export const behindAtMost = 4 * 1024 * 1024;

/** One event; its data is already JSON. */
export const sse = (event: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

/** Takes the response over from Koa and begins the stream. */
export function openChannel(ctx: Context): Channel {
  const { res } = ctx;
  ctx.respond = false;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // A proxy that gathers or compresses would hold events back.
  res.setHeader('Cache-Control', 'no-store, no-transform');
  res.setHeader('X-Accel-Buffering', 'no');
  res.writeHead(200);
  res.flushHeaders();
  if (ctx.method === 'HEAD') res.end();
  return channelOver(res);
}

function channelOver(res: ServerResponse): Channel {
  const isOpen = () => !res.writableEnded && !res.destroyed;
  // A broken connection is an end like any other.
  res.on('error', () => {});
  return {
    isOpen,
    write: (piece) => {
      if (!isOpen()) return;
      if (res.writableLength > behindAtMost) res.destroy();
      else res.write(piece);
    },
    writeAll: (piece) =>
      !isOpen() || res.write(piece)
        ? Promise.resolve()
        : new Promise((resolve) => {
            const go = () => {
              res.off('drain', go);
              res.off('close', go);
              resolve();
            };
            res.once('drain', go);
            res.once('close', go);
          }),
    end: () => {
      const { socket } = res;
      // A browser would keep the connection, and a server that stops would wait for it.
      if (isOpen()) res.end(() => socket?.end());
    },
    onClose: (listener) => {
      // Who has gone before the stream began is not told of again.
      if (res.destroyed) listener();
      else res.once('close', listener);
    },
  };
}
