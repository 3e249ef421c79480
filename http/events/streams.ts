import type { Context } from 'koa';
import { type CallerClass, callerKey, classOf } from '../../rules/access/caller.ts';
import { isoTime } from '../../rules/time.ts';
import type { OpenResponses } from '../../runtime/embedded/index.ts';
import { refuse } from '../orThrow.ts';
import type { Callers } from '../auth/callers.ts';
import { type Channel, type ChannelOptions, openChannel, sse } from './channel.ts';

interface StreamOptions extends ChannelOptions {
  /** The keep-alive of the connection: an event `tick` with the time, or a comment. */
  readonly beat?: 'tick' | 'comment';
}

/** Every open stream: a stream ends when its caller changes, and all end when the server stops. */
export interface Streams {
  /** Refused with 429 where the caller has too many. */
  readonly open: (ctx: Context, options?: StreamOptions) => Channel;
  readonly stop: () => void;
  readonly count: () => number;
}

const tickMs = 15_000;

interface Open {
  readonly channel: Channel;
  readonly beat: 'tick' | 'comment';
  /** The headers that opened it, which identify its caller at every check. */
  readonly headers: Context['req']['headers'];
  readonly as: CallerClass;
}

export function makeStreams(callers: Callers, held: OpenResponses, now: () => number): Streams {
  const streams = new Set<Open>();

  const endThoseSignedOut = () => {
    for (const { channel, headers, as } of streams) if (classOf(callers.of(headers)) !== as) channel.end();
  };
  const forget = callers.onChange(endThoseSignedOut);
  // Sessions and tokens also expire without an event.
  const ticking = setInterval(() => {
    endThoseSignedOut();
    const tick = sse('tick', JSON.stringify({ now: isoTime(now()) }));
    for (const { channel, beat } of streams) channel.write(beat === 'tick' ? tick : ': beat\n\n');
  }, tickMs).unref();

  return {
    open: (ctx, { beat = 'tick', ...options } = {}) => {
      const { headers } = ctx.req;
      const caller = callers.of(headers);
      const key = caller === null ? '' : callerKey(caller);
      if (!held.addStream(key, ctx.res)) return refuse(ctx, 429, 'too many open streams');
      const channel = openChannel(ctx, { ...options, onBehind: () => held.check(key) });
      const stream = { channel, beat, headers, as: classOf(caller) };
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
