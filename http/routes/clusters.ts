import { clusters } from '../../runtime/kinds.ts';
import { answerSaved } from '../answer.ts';
import type { Items, Read } from '../api.ts';
import { sendJson, sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { clusterRead } from '../views/node.ts';

const byName = (a: Read, b: Read) => (a.resource.name < b.resource.name ? -1 : 1);

/** The clusters that projects run on, with their settings. */
export function clusterRoutes(routes: Routes, { operator, run }: Serving): void {
  routes.on('GET /clusters', function listClusters(ctx, { view }) {
    const items = operator.caches.list(clusters).map((cluster) => clusterRead(cluster, view));
    sendRead(ctx, { items: items.toSorted(byName) } satisfies Items<Read>);
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
