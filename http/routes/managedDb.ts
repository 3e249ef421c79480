import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import { Result } from 'effect';
import type { ServerContext } from '../context.ts';
import { itemsOf, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { uncached } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { sizesOf } from './databases/sizes.ts';
import { managedKind } from '../../rules/managedDatabase/kind.ts';
import { accountOf } from '../../runtime/controllers/database/read.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import type { ProviderAccount } from '../../runtime/services/managedDb.ts';

const clusterSize = Type.Object(
  {
    name: text('The name that `clusterSize` takes.'),
    displayName: text(),
    cpu: text(),
    memoryBytes: Type.Number(),
    storageBytes: Type.Number(),
    architecture: text(),
  },
  { title: 'ClusterSize' },
);
/** GET /api/v1/managed-db/cluster-sizes: a size that the provider of managed databases offers. */
export type ClusterSize = ReadonlyStatic<typeof clusterSize>;

/** What the provider of managed databases offers. */
export const managedDbRoutes = {
  'GET /managed-db/cluster-sizes': route(
    {
      group: 'Databases',
      summary: 'Lists the sizes that the provider of managed databases offers.',
      path: {},
      query: Type.Object({
        project: text('The project of the connection.'),
        connection: text('The CoreCloudConnection that the provider is asked by.'),
        engine: text('`MySQL` or `Postgres`.'),
      }),
      answers: { 200: uncached(itemsOf(clusterSize), "The sizes, in the provider's order.") },
      refusals: {
        404: 'There is no such connection.',
        409: 'The connection belongs to another project, or is unavailable.',
        502: 'The provider did not answer.',
      },
    },
    (context) =>
      async function listClusterSizes(ctx, _, { query }) {
        const { project, connection, engine } = query;
        if (managedKind(engine) === null)
          return refuse(ctx, 400, `ManagedDb hosts MySQL and Postgres databases, not ${engine}`);
        const sizes = await sizesOf(context, accountIn(ctx, context, connection, project), engine);
        if (Result.isSuccess(sizes)) return sendJson(ctx, { items: sizes.success });
        return refuse(ctx, 502, `ManagedDb did not answer: ${sizes.failure.message}`);
      },
  ),
} satisfies Resource;

/** The account of a connection that belongs to the project; any other is refused in the words of a database. */
function accountIn(
  ctx: RouterContext,
  { operator }: ServerContext,
  connection: string,
  project: string,
): ProviderAccount {
  const found = operator.caches.get(cloudConnections, connection);
  if (!found) return refuse(ctx, 404, `cloud connection "${connection}" was not found`);
  const scope = found.spec.project ?? '';
  if (scope === '') return refuse(ctx, 409, `cloud connection "${connection}" must be scoped to a project`);
  if (scope !== project) return refuse(ctx, 409, `cloud connection "${connection}" is scoped to project "${scope}"`);
  const account = accountOf(connection, project, operator.caches);
  return account ?? refuse(ctx, 409, `cloud connection "${connection}" is unavailable`);
}
