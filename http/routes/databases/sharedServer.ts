import type { RouterContext } from '@koa/router';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { isShared } from '../../../rules/database/effective.ts';
import { byServer } from '../../../runtime/services/cluster/indexes.ts';
import { logicalDatabases } from '../../../runtime/services/cluster/kinds.ts';
import { refuse } from '../../orThrow.ts';
import type { ServerContext } from '../../context.ts';

/** Refuses what would take the data of the logical databases on a shared server (decision 154). */
export function refuseServerInUse(
  ctx: RouterContext,
  { operator }: ServerContext,
  { metadata: { name }, spec }: CoreDatabase,
): void {
  if (!isShared(spec)) return;
  const users = operator.caches.indexed(logicalDatabases, byServer.name, name);
  if (users.length > 0)
    refuse(ctx, 409, `the shared server is used by ${users.map(({ metadata }) => metadata.name).join(', ')}`);
}
