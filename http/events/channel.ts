import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** One open stream of server-sent events. */
export interface Channel {
  /** Writes a piece unchanged. A client that is too far behind is disconnected. */
  readonly write: (piece: string) => void;
  /** Like `write`, and waits until the client has room again or is gone. */
  readonly writeAll: (piece: string) => Promise<void>;
  readonly end: () => void;
  readonly isOpen: () => boolean;
  readonly onClose: (listener: () => void) => void;
}

/** A client with this much unread data has stopped reading. */
export const maxBehind = 4 * 1024 * 1024;

/** Less than this on each of the streams that a caller may have is never too much in all. */
const behindMuch = 512 * 1024;

/** One event; its data is already JSON. */
export const sse = (event: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

export interface ChannelOptions {
  /** A client that reads nothing for so long, while something is there to read, is disconnected. */
  readonly maxStalledMs?: number;
  /** Called when much was written that the client has not taken. */
  readonly onBehind?: () => void;
}

/** Takes the response over from Koa and begins the stream. */
export function openChannel(ctx: Context, options: ChannelOptions = {}): Channel {
  const { res } = ctx;
  ctx.respond = false;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // A proxy that buffers or compresses would delay events.
  res.setHeader('Cache-Control', 'no-store, no-transform');
  res.setHeader('X-Accel-Buffering', 'no');
  res.writeHead(200);
  res.flushHeaders();
  if (ctx.method === 'HEAD') res.end();
  return channelOver(res, options);
}

/** Destroys a response whose client has had something to read, and read none of it, for too long. */
function stallTimer(res: ServerResponse, afterMs: number): { readonly begin: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  res.on('drain', stop).on('close', stop);
  return {
    begin: () => {
      timer ??= setTimeout(() => res.destroy(), afterMs).unref();
    },
  };
}

function channelOver(res: ServerResponse, { maxStalledMs: stalledAtMostMs, onBehind }: ChannelOptions): Channel {
  const isOpen = () => !res.writableEnded && !res.destroyed;
  const stalled = stalledAtMostMs === undefined ? null : stallTimer(res, stalledAtMostMs);
  /** Whether the client took all of it. */
  const send = (piece: string): boolean => {
    const isTaken = res.write(piece);
    if (res.writableLength > behindMuch) onBehind?.();
    return isTaken;
  };
  // A broken connection ends the stream like any other close, so its error needs no handling.
  res.on('error', () => {});
  return {
    isOpen,
    write: (piece) => {
      if (!isOpen()) return;
      if (res.writableLength > maxBehind) res.destroy();
      else if (!send(piece)) stalled?.begin();
    },
    writeAll: (piece) =>
      !isOpen() || send(piece) || !isOpen()
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
      // A browser would keep the connection open, and a stopping server would wait for it.
      if (isOpen()) res.end(() => socket?.end());
    },
    onClose: (listener) => {
      // A client that disconnected before the stream began emits no further `close`.
      if (res.destroyed) listener();
      else res.once('close', listener);
    },
  };
}
