import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import type { DeployAsked } from '../../../rules/draftDeploy/facts.ts';
import { recordName } from '../../../rules/deploymentRecord/name.ts';
import { stateOf } from '../../../rules/state.ts';
import { savedOrThrow } from '../../orThrow.ts';
import type { Deployed } from '../resource.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import type { ServerContext } from '../../context.ts';
import { placedOn } from '../../views/placed.ts';
import { noService } from './serviceIn.ts';

/** A command for one machine of a service; one that depends on the stored service may turn out to be none. */
export interface ServiceCommand {
  readonly machine: 'draftDeploy' | 'provisionRetry';
  readonly asked: DeployAsked | 'retry' | ((stored: CoreApp) => DeployAsked | null);
}

/** Runs a command on a service; the object after it. */
export async function commanded(
  ctx: RouterContext,
  { operator, settings, run }: ServerContext,
  access: Access,
  { name, machine, asked }: ServiceCommand & { readonly name: string },
): Promise<CoreApp> {
  const { controller, lifecycle } = placedOn(operator, settings.machines, { kind: 'CoreApp', machine });
  const by = callerIn(access).username;
  const command =
    typeof asked === 'function' ? { follow: (stored: KubeObject) => asked(stored as CoreApp), by } : { asked, by };
  const moved = await run(operator.move(controller, lifecycle, name, command));
  return savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noService(name) } }) as CoreApp;
}

/** The name of a new record, which is the revision of its deploy too. */
export const drawnRecord = ({ random }: ServerContext, app: string): string => recordName(app, random(5));

export const deployedAs = (app: CoreApp, deployment: string, note?: string): Deployed => ({
  name: app.metadata.name,
  kind: 'CoreApp',
  deployed: true,
  deployment,
  state: stateOf(app),
  ...(note === undefined ? {} : { note }),
});
