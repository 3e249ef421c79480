import { Optional as optional, Type } from '@sinclair/typebox';
import { type ClusterSpec, coreCluster } from '../../crds/coreCluster.ts';
import { sendSorted } from '../lists/items.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { requestedFields } from '../openapi/requestedFields.ts';
import { uncached } from '../openapi/schema.ts';
import { savedOrThrow } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { nameOrNone } from './nodes/shapes.ts';
import { resourceRead } from './resource.ts';
import { clusterRead } from '../views/node.ts';
import { clusters } from '../../runtime/services/cluster/kinds.ts';

const group = 'Platform';

const { addons = {} } = requestedFields(coreCluster.spec, []);

const clusterSettings = Type.Object(
  {
    acmeEmail: optional(text('Contact address of the certificate issuer; empty for no issuer.')),
    defaultRegion: optional(nameOrNone('Region of projects that name none.')),
    addons: optional(Type.Unsafe<NonNullable<ClusterSpec['addons']>>(addons)),
  },
  { title: 'ClusterSettings' },
);

/** The clusters that projects run on, with their settings. */
export const clusterRoutes = {
  'GET /clusters': route(
    {
      group,
      summary: 'Lists the clusters with their settings, by name.',
      path: {},
      query: Type.Object(pageQuery),
      ...pages(resourceRead, 'The clusters.'),
    },
    (context) => {
      const { caches } = context;
      return function listClusters(ctx, access, { query }) {
        const items = caches.list(clusters).map((cluster) => clusterRead(cluster, access.view));
        sendSorted(ctx, context, { access, query, items, placeOf: ({ resource }) => [resource.name] });
      };
    },
  ),
  'PATCH /clusters/{cluster}': route(
    {
      group,
      summary: 'Changes the settings of a cluster, which apply at once.',
      path: { cluster: objectName },
      body: { schema: clusterSettings },
      answers: { 200: uncached(resourceRead, 'The cluster with its new settings.') },
      refusals: { 404: 'There is no such cluster.' },
    },
    ({ operator, run }) =>
      async function changeCluster(ctx, { view }, { path, body }) {
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
      },
  ),
} satisfies Resource;
