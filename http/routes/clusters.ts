import { clusters } from '../../runtime/services/cluster/kinds.ts';
import { answerSaved } from '../answer.ts';
import { sendJson } from '../json.ts';
import { sendSorted } from '../lists/items.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { clusterRead } from '../views/node.ts';

/** The clusters that projects run on, with their settings. */
export function clusterRoutes(routes: Routes, serving: Serving): void {
  const { operator, run } = serving;

  routes.on('GET /clusters', function listClusters(ctx, access, { query }) {
    const items = operator.caches.list(clusters).map((cluster) => clusterRead(cluster, access.view));
    sendSorted(ctx, serving, { access, query, items, placeOf: ({ resource }) => [resource.name] });
  });

  routes.on('PATCH /clusters/{cluster}', async function changeCluster(ctx, { view }, { path, body }) {
    // An empty text clears a setting.
    const { acmeEmail, defaultRegion, addons } = body;
    const spec = {
      ...(acmeEmail === undefined ? {} : { acmeEmail: acmeEmail || null }),
      ...(defaultRegion === undefined ? {} : { defaultRegion: defaultRegion || null }),
      ...(addons === undefined ? {} : { addons }),
    };
    const edited = await run(
      operator.edit(clusters, path.cluster, () => ({
        patch: Object.keys(spec).length === 0 ? null : { spec },
        result: null,
      })),
    );
    const { object } = answerSaved(ctx, edited, {
      NotFound: { status: 404, text: `cluster "${path.cluster}" was not found` },
    });
    sendJson(ctx, clusterRead(object, view));
  });
}
