import type { RouterContext } from '@koa/router';
import type { BuildAsked } from '../../rules/build/facts.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, refuse, type Refusal } from '../orThrow.ts';
import type { Done } from './resource.ts';
import { type Access, callerIn, isInScope } from '../auth/guard.ts';
import { sendJson } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { currentBuildOf } from '../views/build.ts';
import { placedOn } from '../views/placed.ts';

const rebuild = { is: 'rebuild' } satisfies BuildAsked;
const cancel = { is: 'cancel' } satisfies BuildAsked;
const notBuilt: Refusal = { status: 409, text: 'the app has not been built yet' };
const finished: Refusal = { status: 409, text: 'the build has already finished, so there is nothing to cancel' };

interface Wanted {
  readonly app: string;
  readonly asked: BuildAsked;
}

/** The actions on the current build of a service: one command each, decided by the machine (document 000). */
export function actionRoutes(routes: Routes, context: ServerContext): void {
  routes.on('POST /apps/{app}/build', (ctx, access, { path }) =>
    command(ctx, access, { app: path.app, asked: rebuild }),
  );
  routes.on('POST /apps/{app}/build/cancel', (ctx, access, { path }) =>
    command(ctx, access, { app: path.app, asked: cancel }),
  );

  async function command(ctx: RouterContext, access: Access, { app, asked }: Wanted) {
    const { operator, settings, run } = context;
    const service = operator.caches.get(apps, app);
    if (!service || !isInScope(access, service.spec)) return refuse(ctx, 404, `service "${app}" was not found`);
    const build = currentBuildOf(operator.caches, app);
    if (!build) return refuse(ctx, notBuilt.status, notBuilt.text);
    const { controller, lifecycle } = placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' });
    const { name } = build.metadata;
    const by = callerIn(access).username;
    const moved = await run(operator.move(controller, lifecycle, name, { asked, by }));
    // If it was deleted in between, the service has no build, and makes a new one in its next pass.
    const object = orThrow(ctx, moved, { NoAnswer: finished, NotFound: notBuilt });
    return sendJson(ctx, { name, state: lifecycle.shown(object) } satisfies Done);
  }
}
