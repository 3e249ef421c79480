import type { RouterContext } from '@koa/router';
import type { Static } from '@sinclair/typebox';
import { Result } from 'effect';
import { uncached } from '../../openapi/schema.ts';
import { refuse } from '../../orThrow.ts';
import { sendJson } from '../../response.ts';
import { type Resource, route } from '../../route.ts';
import { group, noService, path } from './described.ts';
import { logEvents, logQuery, serviceLog } from './logShapes.ts';
import { serviceIn } from './serviceIn.ts';
import { copiesOf } from '../../serviceLogs/copies.ts';
import { logLineOf } from '../../serviceLogs/line.ts';
import { newestOf } from '../../serviceLogs/newest.ts';
import { readCopies } from '../../serviceLogs/read.ts';
import { streamLog } from '../../serviceLogs/stream.ts';
import { linePlace } from '../../../rules/serviceLog/line.ts';
import { sinceSeconds } from '../../../rules/serviceLog/since.ts';

type Query = Static<typeof logQuery>;

const tailOf = ({ tail = 200 }: Query): number => tail;
/** A reader that reads nothing for so long has gone. */
const maxStalledMs = 30_000;
const refusals = { 404: noService };

function sinceOf(ctx: RouterContext, { since }: Query): number | undefined {
  if (since === undefined) return undefined;
  return sinceSeconds(since) ?? refuse(ctx, 400, 'since must be a duration such as 48h, at most 168h');
}

/** The logs of all copies of a service, at once and live. */
export const appLogRoutes = {
  'GET /apps/{app}/logs': route(
    {
      group,
      summary: 'Reads the newest lines of the logs of all copies of a service, the oldest first.',
      path,
      query: logQuery,
      answers: { 200: uncached(serviceLog, 'The lines, and the copies that could not be read.') },
      refusals,
    },
    (context) => {
      const { run, caches } = context;
      return async function readLogs(ctx, access, { query }) {
        const app = serviceIn(ctx, context, access);
        const seconds = sinceOf(ctx, query);
        const tail = tailOf(query);
        const copies = copiesOf(app, caches);
        const wanted = { q: query.q ?? '', level: query.level };
        const since = seconds === undefined ? {} : { sinceSeconds: seconds };
        const read = await run(readCopies(copies, { tailLines: tail, ...since }));
        const all = Result.isSuccess(read) ? read.success : [];
        const items = newestOf(all, wanted, tail).map((shown) => logLineOf(app, shown.copy, shown));
        const missing = all.flatMap((one) => (one.is === 'missing' ? [{ pod: one.copy.pod, why: one.message }] : []));
        sendJson(ctx, { items, missing });
      };
    },
  ),
  'GET /apps/{app}/logs/stream': route(
    {
      group,
      summary: 'Follows the logs of all copies of a service, those that come later too, as server-sent events.',
      path,
      query: logQuery,
      answers: { 200: { when: 'Each line as it is written.', content: [{ is: 'events', events: logEvents }] } },
      refusals,
    },
    (context) => {
      const { operator, now, streams, hub } = context;
      return function followLogs(ctx, access, { query }) {
        const app = serviceIn(ctx, context, access);
        const seconds = sinceOf(ctx, query);
        const id = ctx.get('last-event-id');
        const wanted = {
          q: query.q ?? '',
          level: query.level,
          tail: tailOf(query),
          since: seconds === undefined ? 0 : now() - seconds * 1_000,
          after: linePlace(id),
        };
        const channel = streams.open(ctx, { beat: 'comment', maxStalledMs });
        streamLog({ operator, hub, app, wanted }, channel);
      };
    },
  ),
} satisfies Resource;
