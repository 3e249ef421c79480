import type { Router } from '@koa/router';
import { apps } from '../../runtime/kinds.ts';
import { refuse } from '../answer.ts';
import type { Items, Summary } from '../api.ts';
import { keptReads, sendRead } from '../json.ts';
import { nameIn } from '../query.ts';
import type { Serving } from '../serving.ts';
import { appRead, appSummary } from '../views/app.ts';

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/** Services, as they stand. */
export function appRoutes(router: Router, { operator }: Serving): void {
  const sendApp = keptReads(appRead);

  router.get('/apps', function listApps(ctx) {
    const items = operator.caches.list(apps).map(appSummary).toSorted(byName);
    sendRead(ctx, { items } satisfies Items<Summary>);
  });

  router.get('/apps/:app', function readApp(ctx) {
    const name = nameIn(ctx, 'app');
    const app = operator.caches.get(apps, name);
    if (!app) return refuse(ctx, 404, `service "${name}" was not found`);
    return sendApp(ctx, app);
  });
}
