import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { ServerContext } from '../../context.ts';
import { refuse } from '../../orThrow.ts';
import { isManaged } from '../../../rules/database/effective.ts';
import { managedKind } from '../../../rules/managedDatabase/kind.ts';
import { accountOf } from '../../../runtime/controllers/database/read.ts';
import { ManagedDb, type ProviderAccount } from '../../../runtime/services/managedDb.ts';

/** The sizes that the provider offers for an engine. */
export const sizesOf = ({ run }: ServerContext, account: ProviderAccount, engine: string) =>
  run(Effect.flatMap(ManagedDb, (provider) => provider.sizes(account, managedKind(engine) ?? 'postgresql')));

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
