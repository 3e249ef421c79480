import { Optional as optional, Type } from '@sinclair/typebox';
import { Effect, Result } from 'effect';
import { sse } from '../events/channel.ts';
import { overlapMs, placeOf, resumeFrom } from '../events/resume.ts';
import type { SuccessResponse } from '../openapi/schema.ts';
import { type Resource, route } from '../route.ts';
import { streamed } from './machines/events.ts';
import { isoTime } from '../../rules/time.ts';
import { Journal } from '../../runtime/services/journal.ts';

const events: SuccessResponse = {
  when: 'Every transition when it happens.',
  content: [{ is: 'events', events: streamed }],
};

/** The event stream, resumed where a client stopped. */
export const eventRoutes = {
  'GET /events': route(
    {
      group: 'Machines',
      summary: 'Streams transitions as server-sent events, resuming after the last event of the client.',
      path: {},
      query: Type.Object({
        lastEventId: optional(
          Type.String({ description: 'The same as the header Last-Event-ID, which takes precedence.' }),
        ),
      }),
      answers: { 200: events },
    },
    ({ operator, settings, run, now, streams, feed }) =>
      async function streamEvents(ctx, { view }, { query }) {
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
        if (resumed?.is === 'resumed') channel.write(resumed.chunks.join(''));
        if (channel.isOpen()) channel.onClose(feed.subscribe(view, channel.write));
      },
  ),
} satisfies Resource;
