import { Effect, Result } from 'effect';
import { isoTime } from '../../rules/time.ts';
import { Journal } from '../../runtime/services/journal.ts';
import { sse } from '../events/channel.ts';
import type { Feed } from '../events/feed.ts';
import { overlapMs, placeOf, resumeFrom } from '../events/resume.ts';
import type { Streams } from '../events/streams.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

/** The event stream, resumed where a client stopped. */
export function eventRoutes(
  routes: Routes,
  { operator, settings, run, now }: ServerContext,
  { feed, streams }: { readonly feed: Feed; readonly streams: Streams },
): void {
  routes.on('GET /events', async function streamEvents(ctx, { view }, { query }) {
    const header = ctx.req.headers['last-event-id'];
    const id = (Array.isArray(header) ? header[0] : header) || query.lastEventId;
    const place = id === undefined ? null : placeOf(id);
    const tombstones = place && (await run(Effect.flatMap(Journal, ({ since }) => since(place.at - overlapMs))));
    // From here on nothing is asynchronous: the feed has all later events, the histories all earlier ones.
    const resumed =
      id === undefined
        ? null
        : resumeFrom(place, {
            operator,
            tables: settings.machines,
            feed,
            tombstones: tombstones && Result.isSuccess(tombstones) ? tombstones.success : [],
            now: now(),
            view,
          });
    const channel = streams.open(ctx);
    channel.write(sse('hello', JSON.stringify({ now: isoTime(now()), resumed: resumed?.is === 'resumed' })));
    if (resumed?.is === 'lost') channel.write(sse('reset', JSON.stringify({ reason: resumed.reason })));
    if (resumed?.is === 'resumed') channel.write(resumed.pieces.join(''));
    if (channel.isOpen()) channel.onClose(feed.subscribe(view, channel.write));
  });
}
