import type { RouterContext } from '@koa/router';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { DeployAsked } from '../../../rules/draftDeploy/facts.ts';
import { databases } from '../../../runtime/services/cluster/kinds.ts';
import { savedOrThrow, refuse } from '../../orThrow.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import type { ServerContext } from '../../context.ts';
import { placedOn } from '../../views/placed.ts';

const noDatabase = (name: string) => `database "${name}" was not found`;

/** The database with that name. */
export const databaseIn = (ctx: RouterContext, { operator }: ServerContext, name: string): CoreDatabase =>
  operator.caches.get(databases, name) ?? refuse(ctx, 404, noDatabase(name));

/** A command for one machine of a database. */
export interface DatabaseCommand {
  readonly name: string;
  readonly machine: 'draftDeploy' | 'provisionRetry';
  readonly asked: DeployAsked | 'deploy' | 'stop' | 'retry';
}

/** Runs a command on a database; the object after it. */
export async function commandedDatabase(
  ctx: RouterContext,
  context: ServerContext,
  access: Access,
  { name, machine, asked }: DatabaseCommand,
): Promise<CoreDatabase> {
  const { operator, settings, run } = context;
  databaseIn(ctx, context, name);
  const { controller, lifecycle } = placedOn(operator, settings.machines, { kind: 'CoreDatabase', machine });
  const moved = await run(operator.move(controller, lifecycle, name, { asked, by: callerIn(access).username }));
  return savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noDatabase(name) } }) as CoreDatabase;
}
