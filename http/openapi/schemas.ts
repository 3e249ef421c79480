import type { RouteId } from '../../rules/access/routes.ts';
import { accessSchemas } from './routes/access.ts';
import { backupSchemas } from './routes/backups.ts';
import { buildRoutes } from '../routes/builds.ts';
import { schemasOf } from '../route.ts';
import { cloudSchemas } from './routes/clouds.ts';
import { consoleSchemas } from './routes/consoles.ts';
import { countSchemas } from './routes/counts.ts';
import { databaseSchemas } from './routes/databases.ts';
import { functionSchemas } from './routes/functions.ts';
import { gitSchemas } from './routes/git.ts';
import { logicalDatabaseSchemas } from './routes/logicalDatabases.ts';
import { infrastructureSchemas } from './routes/infrastructure.ts';
import { machineSchemas } from './routes/machines.ts';
import { objectStoreSchemas } from './routes/objectStores.ts';
import { nodeSchemas } from './routes/nodes.ts';
import { gitApplicationSchemas } from './routes/gitApplication.ts';
import { settingsSchemas } from './routes/settings.ts';
import { platformSchemas } from './routes/platform.ts';
import { serviceActionSchemas } from './routes/serviceActions.ts';
import { projectSchemas } from './routes/projects.ts';
import { serviceSchemas } from './routes/services.ts';
import { tokenSchemas } from './routes/tokens.ts';
import { usageSchemas } from './routes/usage.ts';
import { webhookSchemas } from './routes/webhooks.ts';
import type { AskedOf, Schemas } from './schema.ts';

/** The schema of every route in the authorization table; a route without one is a type error. */
export const schemas = {
  ...accessSchemas,
  ...tokenSchemas,
  ...serviceSchemas,
  ...serviceActionSchemas,
  ...functionSchemas,
  ...schemasOf(buildRoutes),
  ...consoleSchemas,
  ...databaseSchemas,
  ...logicalDatabaseSchemas,
  ...backupSchemas,
  ...projectSchemas,
  ...countSchemas,
  ...gitSchemas,
  ...infrastructureSchemas,
  ...cloudSchemas,
  ...objectStoreSchemas,
  ...machineSchemas,
  ...platformSchemas,
  ...nodeSchemas,
  ...settingsSchemas,
  ...usageSchemas,
  ...webhookSchemas,
  ...gitApplicationSchemas,
} as const satisfies Schemas<RouteId>;

/** A request to a route, typed by its schema. */
export type Asked<R extends RouteId> = AskedOf<R, (typeof schemas)[R]>;
