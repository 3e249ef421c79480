import { apps } from '../../runtime/kinds.ts';
import { refuse } from '../answer.ts';
import type { Items, Summary } from '../api.ts';
import { isInScope } from '../auth/guard.ts';
import { keptReads, sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { appRead, appSummary } from '../views/app.ts';

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/** Services, with their states. */
export function appRoutes(routes: Routes, { operator }: Serving): void {
  const sendApp = keptReads(appRead);

  routes.on('GET /apps', function listApps(ctx, access) {
    const items = operator.caches
      .list(apps)
      .filter(({ spec }) => isInScope(access, spec))
      .map((app) => appSummary(app, access.view))
      .toSorted(byName);
    sendRead(ctx, { items } satisfies Items<Summary>);
  });

  routes.on('GET /apps/{app}', function readApp(ctx, access, { path: { app: name } }) {
    const app = operator.caches.get(apps, name);
    if (!app || !isInScope(access, app.spec)) return refuse(ctx, 404, `service "${name}" was not found`);
    return sendApp(ctx, app, access.view);
  });
}
