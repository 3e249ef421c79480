import type { Routes } from '../../registeredRoutes.ts';
import type { ServerContext } from '../../context.ts';
import { serviceActions } from './actions.ts';
import { createService } from '../apps/create.ts';
import { environmentRoutes } from '../projects/deployEnvironment.ts';
import { serviceLogRoutes } from './logs.ts';
import { patchService } from '../apps/patch.ts';
import { serviceReads } from './reads.ts';
import { variableRoutes } from './variables.ts';

/** Services: reading, creating, changing, deploying and deleting them. */
export function serviceRoutes(
  routes: Routes,
  context: ServerContext,
  logs: Parameters<typeof serviceLogRoutes>[2],
): void {
  serviceReads(routes, context);
  routes.on('POST /apps', createService(context));
  routes.on('PATCH /apps/{app}', patchService(context));
  serviceActions(routes, context);
  variableRoutes(routes, context);
  environmentRoutes(routes, context);
  serviceLogRoutes(routes, context, logs);
}
