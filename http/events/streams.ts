import type { Context } from 'koa';
import { isoTime } from '../../rules/time.ts';
import { cookieIn } from '../auth/cookie.ts';
import type { Sessions } from '../auth/sessions.ts';
import { type Channel, openChannel, sse } from './channel.ts';

/** Every stream that is open: each ends when its session does, and all when the server stops. */
export interface Streams {
  readonly open: (ctx: Context) => Channel;
  readonly stop: () => void;
  readonly count: () => number;
}

const tickMs = 15_000;

interface Open {
  readonly channel: Channel;
  readonly cookie: string | null;
}

export function makeStreams(sessions: Sessions, now: () => number): Streams {
  const streams = new Set<Open>();

  const endThoseSignedOut = () => {
    for (const { channel, cookie } of streams) if (sessions.callerOf(cookie)?.role !== 'admin') channel.end();
  };
  const forget = sessions.onChange(endThoseSignedOut);
  // Sessions also run out by themselves.
  const ticking = setInterval(() => {
    endThoseSignedOut();
    const tick = sse('tick', JSON.stringify({ now: isoTime(now()) }));
    for (const { channel } of streams) channel.write(tick);
  }, tickMs).unref();

  return {
    open: (ctx) => {
      const stream = { channel: openChannel(ctx), cookie: cookieIn(ctx.req.headers.cookie) };
      streams.add(stream);
      stream.channel.onClose(() => streams.delete(stream));
      return stream.channel;
    },
    stop: () => {
      clearInterval(ticking);
      forget();
      for (const { channel } of streams) channel.end();
    },
    count: () => streams.size,
  };
}
