import type { Router, RouterContext } from '@koa/router';
import { apps } from '../../runtime/kinds.ts';
import { answer, refuse, type Refusal } from '../answer.ts';
import type { Done } from '../api.ts';
import { callerOf } from '../auth/guard.ts';
import { sendJson } from '../json.ts';
import { nameIn } from '../query.ts';
import type { Serving } from '../serving.ts';
import { currentBuildOf } from '../views/build.ts';
import { placedMachine } from '../views/placed.ts';

const notBuilt: Refusal = { status: 409, text: 'the app has not been built yet' };
const finished: Refusal = { status: 409, text: 'the build has already finished, so there is nothing to cancel' };

/** What can be asked of the current build of a service: one command each, answered by the machine (document 000). */
export function actionRoutes(router: Router, serving: Serving): void {
  router.post('/apps/:app/build', (ctx) => command(ctx, { event: 'rebuildAsked', text: 'asked to build again' }));
  router.post('/apps/:app/build/cancel', (ctx) => command(ctx, { event: 'cancelAsked', text: 'asked to cancel' }));

  async function command(ctx: RouterContext, { event, text }: { readonly event: string; readonly text: string }) {
    const { operator, settings, run } = serving;
    const app = nameIn(ctx, 'app');
    if (!operator.caches.get(apps, app)) return refuse(ctx, 404, `service "${app}" was not found`);
    const build = currentBuildOf(operator.caches, app);
    if (!build) return refuse(ctx, notBuilt.status, notBuilt.text);
    const { controller, lifecycle } = placedMachine(operator, settings.machines, 'build');
    const { name } = build.metadata;
    const moved = await run(operator.move(controller, lifecycle, name, { event, by: callerOf(ctx).username, text }));
    // Deleted in between, it has not been built either: the service makes a new one at its next look.
    const object = answer(ctx, moved, { NoArrow: finished, NotFound: notBuilt });
    return sendJson(ctx, { name, state: lifecycle.shown(object) } satisfies Done);
  }
}
