import type { Items } from '../openapi/paging.ts';
import type { KindCounts } from '../openapi/shapes/counts.ts';
import { sendRead } from '../response.ts';
import { environmentCounts, placeOf, rowText } from '../lists/environmentCounts.ts';
import { sortedFrom } from '../lists/page.ts';
import { sendList } from '../lists/send.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

/** How many resources stand in each environment and of each kind; every view lists all of these kinds. */
export function countRoutes(routes: Routes, context: ServerContext): void {
  const counts = environmentCounts(context.operator.caches);

  routes.on('GET /counts/environments', function countEnvironments(ctx, access, { query }) {
    sendList(ctx, context, {
      access,
      query,
      from: (after) => sortedFrom(counts.environments(), placeOf, after),
      placeOf,
      isIn: ({ project }) => query.project === undefined || query.project === project,
      text: rowText,
    });
  });

  routes.on('GET /counts/kinds', function countKinds(ctx, _, { query }) {
    sendRead(ctx, { items: counts.kinds(query) } satisfies Items<KindCounts>);
  });
}
