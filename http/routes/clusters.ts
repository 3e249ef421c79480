import { clusters } from '../../runtime/services/cluster/kinds.ts';
import { savedOrThrow } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { sendSorted } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { clusterRead } from '../views/node.ts';

/** The clusters that projects run on, with their settings. */
export function clusterRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;

  routes.on('GET /clusters', function listClusters(ctx, access, { query }) {
    const items = operator.caches.list(clusters).map((cluster) => clusterRead(cluster, access.view));
    sendSorted(ctx, context, { access, query, items, placeOf: ({ resource }) => [resource.name] });
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
    const { object } = savedOrThrow(ctx, edited, {
      NotFound: { status: 404, text: `cluster "${path.cluster}" was not found` },
    });
    sendJson(ctx, clusterRead(object, view));
  });
}
