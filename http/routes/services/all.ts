import type { Routes } from '../../route.ts';
import type { Serving } from '../../serving.ts';
import { serviceActions } from './actions.ts';
import { createService } from './create.ts';
import { environmentRoutes } from './environment.ts';
import { serviceLogRoutes } from './logs.ts';
import { patchService } from './patch.ts';
import { serviceReads } from './reads.ts';
import { variableRoutes } from './variables.ts';

/** Services: reading, creating, changing, deploying and deleting them. */
export function serviceRoutes(routes: Routes, serving: Serving, logs: Parameters<typeof serviceLogRoutes>[2]): void {
  serviceReads(routes, serving);
  routes.on('POST /apps', createService(serving));
  routes.on('PATCH /apps/{app}', patchService(serving));
  serviceActions(routes, serving);
  variableRoutes(routes, serving);
  environmentRoutes(routes, serving);
  serviceLogRoutes(routes, serving, logs);
}
