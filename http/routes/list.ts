import type { AllRoutes } from '../route.ts';
import { appRoutes } from './apps.ts';
import { attentionRoutes } from './attention.ts';
import { backupArchiveRoutes } from './backupArchives.ts';
import { backupStorageRoutes } from './backupStorage.ts';
import { bootstrapRoutes } from './bootstrap.ts';
import { buildRoutes } from './builds.ts';
import { cloudConnectionRoutes } from './cloudConnections.ts';
import { clusterRoutes } from './clusters.ts';
import { complianceRoutes } from './compliance.ts';
import { consoleRoutes } from './consoles.ts';
import { countRoutes } from './counts.ts';
import { databaseRoutes } from './databases.ts';
import { deviceRoutes } from './device.ts';
import { eventRoutes } from './events.ts';
import { functionRoutes } from './functions.ts';
import { gitRoutes } from './git.ts';
import { gitApplicationRoutes } from './gitApplication.ts';
import { haReadinessRoutes } from './haReadiness.ts';
import { logicalDatabaseRoutes } from './logicalDatabases.ts';
import { machineRoutes } from './machines.ts';
import { managedDbRoutes } from './managedDb.ts';
import { nodeRoutes } from './nodes.ts';
import { objectStoreRoutes } from './objectStores.ts';
import { platformRoutes } from './platform.ts';
import { projectWebhookRoutes } from './projectWebhooks.ts';
import { projectRoutes } from './projects.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';
import { sharedVariableRoutes } from './sharedVariables.ts';
import { tokenRoutes } from './tokens.ts';
import { usageRoutes } from './usage.ts';
import { userRoutes } from './users.ts';

/** Every route of the API: a route of the authorization table that is missing here is a type error. */
export const allRoutes = {
  ...sessionRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...deviceRoutes,
  ...appRoutes,
  ...functionRoutes,
  ...buildRoutes,
  ...consoleRoutes,
  ...databaseRoutes,
  ...logicalDatabaseRoutes,
  ...objectStoreRoutes,
  ...backupArchiveRoutes,
  ...projectRoutes,
  ...sharedVariableRoutes,
  ...complianceRoutes,
  ...projectWebhookRoutes,
  ...gitRoutes,
  ...cloudConnectionRoutes,
  ...backupStorageRoutes,
  ...countRoutes,
  ...attentionRoutes,
  ...usageRoutes,
  ...machineRoutes,
  ...eventRoutes,
  ...platformRoutes,
  ...bootstrapRoutes,
  ...clusterRoutes,
  ...nodeRoutes,
  ...managedDbRoutes,
  ...haReadinessRoutes,
  ...settingsRoutes,
  ...gitApplicationRoutes,
} satisfies AllRoutes;
