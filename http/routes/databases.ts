import { requireConfirmName } from '../request/confirmName.ts';
import { Type } from '@sinclair/typebox';
import { dependentsSender } from '../lists/dependents.ts';
import { sendInOrder } from '../lists/items.ts';
import { resourceList } from '../lists/resources.ts';
import { text } from '../openapi/kit.ts';
import { pageQuery, pages, sharedQuery } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow } from '../orThrow.ts';
import { keptReads, sendJson } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { databaseActionRoutes } from './databases/actions.ts';
import { databaseConnection } from './databases/connection.ts';
import { createDatabase } from './databases/create.ts';
import { databaseIn } from './databases/databaseIn.ts';
import { noDatabase, path } from './databases/described.ts';
import { patchDatabase } from './databases/patch.ts';
import { restoreDatabase } from './databases/restore.ts';
import { connection, databaseRequest, databaseChanged, restoreRequest } from './databases/shapes.ts';
import { refuseServerInUse } from './databases/sharedServer.ts';
import { instanceRoutes } from './instance.ts';
import { change, created, deleted, dependent, resourceRead, summary } from './resource.ts';
import { changesOf } from '../views/changes.ts';
import { databaseRead, databaseSummary } from '../views/database.ts';
import { placedOn } from '../views/placed.ts';
import { databases } from '../../runtime/services/cluster/kinds.ts';

/** Databases, with their states and actions: the machine that a route names decides (document 001, Endpoints). */
export const databaseRoutes = {
  'GET /databases': route(
    {
      group: 'Databases',
      summary: 'Lists the databases by name.',
      path: {},
      query: Type.Object(sharedQuery),
      ...pages(summary, 'The databases.'),
    },
    (context) => {
      const send = resourceList(context, databases, { show: databaseSummary, gated: 'database' });
      return (ctx, access, { query }) => send(ctx, { access, query });
    },
  ),
  'GET /databases/{database}': route(
    {
      group: 'Databases',
      summary: 'Reads a database with its spec and status.',
      path,
      answers: read(resourceRead, 'The database.'),
      refusals: { 404: noDatabase },
    },
    (context) => {
      const send = keptReads(databaseRead);
      return (ctx, { view }, { path }) => send(ctx, databaseIn(ctx, context, path.database), view);
    },
  ),
  'POST /databases': route(
    {
      group: 'Databases',
      summary: 'Creates a database, as a draft or deployed.',
      path: {},
      body: { schema: databaseRequest },
      answers: { 201: uncached(created, 'The database is created; `deployed` says whether it is deployed too.') },
      refusals: { 409: 'The name is taken, or the cluster has no room for it. Nothing was saved.' },
    },
    createDatabase,
  ),
  'POST /databases/restore': route(
    {
      group: 'Databases',
      summary: 'Makes a new database from a backup, beside the original, and deploys it.',
      path: {},
      body: { schema: restoreRequest },
      answers: { 201: uncached(created, 'The database is created and being restored.') },
      refusals: {
        404: 'There is no such archive, or it is due to be removed.',
        409: 'The archive has no restore points yet, the name is taken, or the cluster has no room. Nothing was saved.',
        502: 'The backup storage is not available.',
      },
    },
    restoreDatabase,
  ),
  'PATCH /databases/{database}': route(
    {
      group: 'Databases',
      summary: 'Saves settings of a database; they wait for a deploy, but for those of backups.',
      path,
      body: { schema: databaseChanged },
      answers: { 200: uncached(resourceRead, 'The database with its saved settings.') },
      refusals: {
        404: noDatabase,
        409: 'What runs cannot become what is asked for: its engine, its version, its storage, its nodes.',
      },
    },
    patchDatabase,
  ),
  'GET /databases/{database}/dependents': route(
    {
      group: 'Databases',
      summary: 'Lists what uses it: services by their connections, and logical databases on it.',
      path,
      query: Type.Object(pageQuery),
      ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: noDatabase }),
    },
    (context) =>
      function listDependents(ctx, access, { path, query }) {
        const { name } = databaseIn(ctx, context, path.database).metadata;
        dependentsSender(context)(ctx, access, query, { kind: 'CoreDatabase', name });
      },
  ),
  'GET /databases/{database}/changes': route(
    {
      group: 'Databases',
      summary: 'Lists what is saved and waits for a deploy, against what runs.',
      path,
      query: Type.Object(pageQuery),
      ...pages(change, 'The changes, by path.', { 404: noDatabase }),
    },
    (context) =>
      function listChanges(ctx, access, { path, query }) {
        const items = changesOf('CoreDatabase', databaseIn(ctx, context, path.database), access.view);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ path: at }) => at });
      },
  ),
  'GET /databases/{database}/connection': route(
    {
      group: 'Databases',
      summary: 'Returns the connection of a database.',
      path,
      query: Type.Object({
        reveal: Type.Optional(text('`true` returns the password and the address too, and is logged.')),
      }),
      answers: { 200: uncached(connection, 'The connection.') },
      refusals: { 404: noDatabase, 409: 'The database has no connection yet.' },
    },
    databaseConnection,
  ),
  'DELETE /databases/{database}': route(
    {
      group: 'Databases',
      summary: 'Deletes a database with all its data.',
      path,
      query: Type.Object({ confirmName: Type.Optional(text('The name of the database, as a confirmation.')) }),
      answers: { 200: uncached(deleted, 'It is being deleted.') },
      refusals: {
        404: noDatabase,
        409: 'Logical databases use the shared server, or another database has taken the name.',
      },
    },
    (context) => {
      const { operator, settings, run } = context;
      return async function deleteDatabase(ctx, _, { path, query }) {
        const database = databaseIn(ctx, context, path.database);
        const { name } = database.metadata;
        requireConfirmName(ctx, query.confirmName, name, 'database');
        refuseServerInUse(ctx, context, database);
        orThrow(
          ctx,
          await run(
            operator.remove(
              placedOn(operator, settings.machines, { kind: 'CoreDatabase', machine: 'draftDeploy' }).controller,
              database,
            ),
          ),
        );
        return sendJson(ctx, { name, kind: 'CoreDatabase', deleted: true });
      };
    },
  ),
  ...instanceRoutes('/databases/{database}', {
    group: 'Databases',
    one: 'a database',
    kind: databases.kind,
    path,
    absent: noDatabase,
    find: (ctx, context, _, { database }) => databaseIn(ctx, context, database),
  }),
  ...databaseActionRoutes,
} satisfies Resource;
