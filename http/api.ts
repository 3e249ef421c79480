/**
 * The JSON of the REST API, shared by the server, the dashboard and other clients, and inferred from the schemas that
 * describe it. Times are RFC 3339.
 */
export type { Items } from './openapi/paging.ts';
export type * from './routes/apps/logShapes.ts';
export type * from './routes/apps/shapes.ts';
export type * from './routes/attention/shapes.ts';
export type * from './routes/bootstrap.ts';
export type * from './routes/builds/explanation.ts';
export type * from './routes/builds/shapes.ts';
export type * from './routes/cause.ts';
export type * from './routes/compliance.ts';
export type * from './routes/consoles/shapes.ts';
export type * from './routes/counts.ts';
export type * from './routes/databases/shapes.ts';
export type * from './routes/device.ts';
export type * from './routes/functions/shapes.ts';
export type * from './routes/git.ts';
export type * from './routes/gitApplication.ts';
export type * from './routes/haReadiness.ts';
export type * from './routes/logicalDatabases/shapes.ts';
export type * from './routes/machines/events.ts';
export type * from './routes/machines/explanation.ts';
export type * from './routes/machines/shapes.ts';
export type * from './routes/managedDb.ts';
export type * from './routes/nodes/shapes.ts';
export type * from './routes/objectStores/shapes.ts';
export type * from './routes/platform.ts';
export type * from './routes/projectWebhooks/shapes.ts';
export type * from './routes/resource.ts';
export type * from './routes/session.ts';
export type * from './routes/settings/shapes.ts';
export type * from './routes/sharedVariables.ts';
export type * from './routes/tokens.ts';
export type * from './routes/usage.ts';
export type * from './routes/users.ts';
