import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import { isManaged } from '../../rules/database/effective.ts';
import { managedKind } from '../../rules/managedDatabase/kind.ts';
import { accountOf } from '../../runtime/controllers/database/read.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import { ManagedDb, type ProviderAccount } from '../../runtime/services/managedDb.ts';
import { refuse } from '../orThrow.ts';
import type { Items } from '../openapi/paging.ts';
import type { ClusterSize } from '../openapi/shapes/infrastructure.ts';
import { sendJson } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

const sizesOf = ({ run }: ServerContext, account: ProviderAccount, engine: string) =>
  run(Effect.flatMap(ManagedDb, (provider) => provider.sizes(account, managedKind(engine) ?? 'postgresql')));

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

/** What the provider of managed databases offers. */
export function managedDbRoutes(routes: Routes, context: ServerContext): void {
  routes.on('GET /managed-db/cluster-sizes', async function listClusterSizes(ctx, _, { query }) {
    const { project, connection, engine } = query;
    if (managedKind(engine) === null)
      return refuse(ctx, 400, `ManagedDb hosts MySQL and Postgres databases, not ${engine}`);
    const sizes = await sizesOf(context, accountIn(ctx, context, connection, project), engine);
    if (Result.isSuccess(sizes)) return sendJson(ctx, { items: sizes.success } satisfies Items<ClusterSize>);
    return refuse(ctx, 502, `ManagedDb did not answer: ${sizes.failure.why}`);
  });
}

/** Refuses a size that the provider does not offer; where it cannot be asked, the size is taken as it is. */
export async function refuseUnknownSize(
  ctx: RouterContext,
  context: ServerContext,
  spec: DatabaseSpec,
  before?: string,
): Promise<void> {
  const { clusterSize = '', connectionRef, project = '', engine } = spec;
  if (!isManaged(spec) || clusterSize === '' || clusterSize === before) return;
  const account = accountOf(connectionRef?.name ?? '', project, context.operator.caches);
  if (account === null) return;
  const sizes = await sizesOf(context, account, engine);
  if (Result.isFailure(sizes) || sizes.success.some(({ name }) => name === clusterSize)) return;
  refuse(ctx, 400, `ManagedDb offers no cluster size "${clusterSize}" for ${engine}`);
}
