import type { RouterContext } from '@koa/router';
import { stateOf } from '../../rules/state.ts';
import { databases } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, refuse } from '../orThrow.ts';
import type { Deleted, Deployed, Done } from './resource.ts';
import type { Access } from '../auth/guard.ts';
import { objectAnswers } from './instance.ts';
import { keptReads, sendJson } from '../response.ts';
import { resourceList } from '../lists/resources.ts';
import { sendInOrder } from '../lists/items.ts';
import { dependentsSender } from '../lists/dependents.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { changesOf } from '../views/changes.ts';
import { createDatabase } from './databases/create.ts';
import { databaseConnection } from './databases/connection.ts';
import { commandedDatabase, type DatabaseCommand, databaseIn } from './databases/databaseIn.ts';
import { patchDatabase } from './databases/patch.ts';
import { queryDatabase } from './databases/query.ts';
import { refuseServerInUse } from './databases/sharedServer.ts';
import { databaseRead, databaseSummary } from '../views/database.ts';
import { placedOn } from '../views/placed.ts';

const confirmed = 'confirmName must be the name of the database';

/** Databases, with their states and actions: the machine that a route names decides. */
export function databaseRoutes(routes: Routes, context: ServerContext): void {
  const { operator, settings, run } = context;
  const sendDependents = dependentsSender(context);
  const { explain, transitions, look } = objectAnswers(context, databases.kind);
  const sendDatabase = keptReads(databaseRead);

  const sendDatabases = resourceList(context, databases, { show: databaseSummary, gated: 'database' });

  routes.on('GET /databases', (ctx, access, { query }) => sendDatabases(ctx, { access, query }));

  routes.on('GET /databases/{database}', function readDatabase(ctx, { view }, { path }) {
    return sendDatabase(ctx, databaseIn(ctx, context, path.database), view);
  });

  routes.on('GET /databases/{database}/dependents', function listDependents(ctx, access, { path, query }) {
    const { name } = databaseIn(ctx, context, path.database).metadata;
    sendDependents(ctx, access, query, { kind: 'CoreDatabase', name });
  });

  routes.on('POST /databases', createDatabase(context));
  routes.on('PATCH /databases/{database}', patchDatabase(context));
  routes.on('GET /databases/{database}/connection', databaseConnection(context));
  routes.on('POST /databases/{database}/query', queryDatabase(context));

  routes.on('GET /databases/{database}/changes', function listChanges(ctx, access, { path, query }) {
    const items = changesOf('CoreDatabase', databaseIn(ctx, context, path.database), access.view);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ path: at }) => at });
  });

  routes.on('DELETE /databases/{database}', async function deleteDatabase(ctx, _, { path, query }) {
    const database = databaseIn(ctx, context, path.database);
    const { name } = database.metadata;
    if (query.confirmName !== name) return refuse(ctx, 400, confirmed);
    refuseServerInUse(ctx, context, database);
    orThrow(ctx, await run(operator.remove(placed('draftDeploy').controller, database)));
    return sendJson(ctx, { name, kind: 'CoreDatabase', deleted: true } satisfies Deleted);
  });

  routes.on('GET /databases/{database}/explain', function explainDatabase(ctx, { view }, { path }) {
    return explain(ctx, databaseIn(ctx, context, path.database), view);
  });

  routes.on('GET /databases/{database}/transitions', function listTransitions(ctx, { view }, { path }) {
    transitions(ctx, databaseIn(ctx, context, path.database), view);
  });

  routes.on('POST /databases/{database}/look', function lookAtDatabase(ctx, _, { path }) {
    return look(ctx, databaseIn(ctx, context, path.database));
  });

  routes.on('POST /databases/{database}/deploy', async function deployDatabase(ctx, access, { path }) {
    const database = await command(ctx, access, { name: path.database, machine: 'draftDeploy', asked: 'deploy' });
    const { name } = database.metadata;
    const state = stateOf(database);
    sendJson(ctx, { name, kind: 'CoreDatabase', deployed: true, deployment: '', state } satisfies Deployed);
  });

  routes.on('POST /databases/{database}/stop', async function stopDatabase(ctx, access, { path, body }) {
    const stored = databaseIn(ctx, context, path.database);
    const { name } = stored.metadata;
    if (body.confirmName !== name) return refuse(ctx, 400, confirmed);
    refuseServerInUse(ctx, context, stored);
    const database = await command(ctx, access, { name, machine: 'draftDeploy', asked: 'stop' });
    return sendJson(ctx, { name, state: stateOf(database), note: 'Stopping' } satisfies Done);
  });

  routes.on('POST /databases/{database}/retry', async function retryDatabase(ctx, access, { path }) {
    const database = await command(ctx, access, { name: path.database, machine: 'provisionRetry', asked: 'retry' });
    const note = 'Retrying provisioning';
    sendJson(ctx, { name: database.metadata.name, state: stateOf(database), note } satisfies Done);
  });

  const placed = (machine: string) => placedOn(operator, settings.machines, { kind: 'CoreDatabase', machine });
  const command = (ctx: RouterContext, access: Access, asked: DatabaseCommand) =>
    commandedDatabase(ctx, context, access, asked);
}
