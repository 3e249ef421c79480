import { apps } from '../../../runtime/services/cluster/kinds.ts';
import type { StatusItem } from '../apps/shapes.ts';
import { isInScope } from '../../auth/guard.ts';
import { objectAnswers } from '../instance.ts';
import { keptReads, sendRead } from '../../response.ts';
import { resourceList } from '../../lists/resources.ts';
import { sendInOrder } from '../../lists/items.ts';
import type { Routes } from '../../registeredRoutes.ts';
import type { ServerContext } from '../../context.ts';
import { appRead, appSummary } from '../../views/app.ts';
import { appPods } from '../../views/appPods.ts';
import { statusItem } from '../../views/appStatus.ts';
import { changesOf } from '../../views/changes.ts';
import { deploymentsOf } from '../../views/deployment.ts';
import { variablesOf } from '../../views/variables.ts';
import { serviceIn } from '../apps/serviceIn.ts';

/** Services, with their states and what belongs to them. */
export function serviceReads(routes: Routes, context: ServerContext): void {
  const { caches } = context.operator;
  const { explain, transitions, look } = objectAnswers(context, apps.kind);
  const sendApp = keptReads(appRead);
  const sendApps = resourceList(context, apps, { show: appSummary, gated: 'service' });

  routes.on('GET /apps', function listApps(ctx, access, { query }) {
    sendApps(ctx, { access, query, isIn: ({ spec }) => isInScope(access, spec) });
  });

  routes.on('GET /apps/{app}', (ctx, access) => sendApp(ctx, serviceIn(ctx, context, access), access.view));

  routes.on('GET /apps/{app}/status', (ctx, access) => {
    sendRead(ctx, statusItem(serviceIn(ctx, context, access), caches, access.view) satisfies StatusItem);
  });

  routes.on('GET /apps/{app}/changes', (ctx, access, { query }) => {
    const items = changesOf('CoreApp', serviceIn(ctx, context, access), access.view);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ path }) => path });
  });

  routes.on('GET /apps/{app}/pods', (ctx, access, { query }) => {
    const items = appPods(serviceIn(ctx, context, access), caches);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ name }) => name });
  });

  routes.on('GET /apps/{app}/deployments', (ctx, access, { query }) => {
    const items = deploymentsOf(serviceIn(ctx, context, access), caches, access.view);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ id }) => id });
  });

  routes.on('GET /apps/{app}/variables', (ctx, access, { query }) => {
    const items = variablesOf(serviceIn(ctx, context, access), caches);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ name }) => name });
  });

  routes.on('GET /apps/{app}/explain', (ctx, access) => explain(ctx, serviceIn(ctx, context, access), access.view));
  routes.on('GET /apps/{app}/transitions', (ctx, access) =>
    transitions(ctx, serviceIn(ctx, context, access), access.view),
  );
  routes.on('POST /apps/{app}/look', (ctx, access) => look(ctx, serviceIn(ctx, context, access)));
}
