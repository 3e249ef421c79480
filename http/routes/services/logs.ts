import type { RouterContext } from '@koa/router';
import { Result } from 'effect';
import { linePlace } from '../../../rules/serviceLog/line.ts';
import { sinceSeconds } from '../../../rules/serviceLog/since.ts';
import { refuse } from '../../orThrow.ts';
import type { ServiceLog } from '../apps/logShapes.ts';
import type { Streams } from '../../events/streams.ts';
import { sendJson } from '../../response.ts';
import type { Asked } from '../../openapi/schemas.ts';
import type { Routes } from '../../registeredRoutes.ts';
import { copiesOf } from '../../serviceLogs/copies.ts';
import type { LogHub } from '../../serviceLogs/hub.ts';
import { logLineOf } from '../../serviceLogs/line.ts';
import { readCopies } from '../../serviceLogs/read.ts';
import { newestOf } from '../../serviceLogs/newest.ts';
import { streamLog } from '../../serviceLogs/stream.ts';
import type { ServerContext } from '../../context.ts';
import { serviceIn } from '../apps/serviceIn.ts';

type Query = Asked<'GET /apps/{app}/logs'>['query'];

const tailOf = ({ tail = 200 }: Query): number => tail;
/** A reader that reads nothing for so long has gone. */
const stalledAtMostMs = 30_000;

function sinceOf(ctx: RouterContext, { since }: Query): number | undefined {
  if (since === undefined) return undefined;
  return sinceSeconds(since) ?? refuse(ctx, 400, 'since must be a duration such as 48h, at most 168h');
}

/** The logs of all copies of a service, at once and live. */
export function serviceLogRoutes(
  routes: Routes,
  context: ServerContext,
  { streams, hub }: { readonly streams: Streams; readonly hub: LogHub },
): void {
  const { operator, run, now } = context;

  routes.on('GET /apps/{app}/logs', async function readLogs(ctx, access, { query }) {
    const app = serviceIn(ctx, context, access);
    const seconds = sinceOf(ctx, query);
    const tail = tailOf(query);
    const copies = copiesOf(app, operator.caches);
    const wanted = { q: query.q ?? '', level: query.level };
    const since = seconds === undefined ? {} : { sinceSeconds: seconds };
    const read = await run(readCopies(copies, { tailLines: tail, ...since }));
    const all = Result.isSuccess(read) ? read.success : [];
    const items = newestOf(all, wanted, tail).map((shown) => logLineOf(app, shown.copy, shown));
    const missing = all.flatMap((one) => (one.is === 'missing' ? [{ pod: one.copy.pod, why: one.why }] : []));
    sendJson(ctx, { items, missing } satisfies ServiceLog);
  });

  routes.on('GET /apps/{app}/logs/stream', function followLogs(ctx, access, { query }) {
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
    const channel = streams.open(ctx, { beat: 'comment', stalledAtMostMs });
    streamLog({ operator, hub, app, wanted }, channel);
  });
}
