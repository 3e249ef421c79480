import { requireConfirmName } from '../request/confirmName.ts';
import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import { callerIn } from '../auth/guard.ts';
import { dependentsSender } from '../lists/dependents.ts';
import { resourceList } from '../lists/resources.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pageQuery, pages, placedQuery } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { keptReads, sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { type Connected, sendConnection } from './databases/connection.ts';
import { connection } from './databases/shapes.ts';
import { instanceRoutes } from './instance.ts';
import { createLogicalDatabase } from './logicalDatabases/create.ts';
import { logicalCreated, logicalDatabaseRequest } from './logicalDatabases/shapes.ts';
import { deleted, dependent, done, resourceRead, summary } from './resource.ts';
import { logicalRead, logicalSummary } from '../views/logicalDatabase.ts';
import { placedOn } from '../views/placed.ts';
import { namespaceOf } from '../../rules/database/effective.ts';
import { stateOf } from '../../rules/state.ts';
import { logicalDatabases } from '../../runtime/services/cluster/kinds.ts';

const path = { logicalDatabase: objectName };
const noLogical = 'There is no such logical database.';
const kind = 'CoreLogicalDatabase';
const noDatabase = (name: string) => `logical database "${name}" was not found`;

const connectedOf = ({ metadata, spec, status }: CoreLogicalDatabase): Connected => ({
  kind,
  name: metadata.name,
  namespace: namespaceOf(spec),
  secret: status?.connectionSecret ?? '',
});

/** Logical databases: databases on servers that run already; they have no draft (document 001, Endpoints). */
export const logicalDatabaseRoutes = {
  'GET /logical-databases': route(
    {
      group: 'Databases',
      summary: 'Lists the logical databases by name.',
      path: {},
      query: Type.Object({ ...placedQuery, server: optional(text('Only those on this server.')) }),
      ...pages(summary, 'The logical databases.'),
    },
    (context) => {
      const send = resourceList(context, logicalDatabases, { show: logicalSummary });
      return (ctx, access, { query }) =>
        send(ctx, {
          access,
          query,
          isIn: ({ spec }) => query.server === undefined || spec.serverRef === query.server,
        });
    },
  ),
  'GET /logical-databases/{logicalDatabase}': route(
    {
      group: 'Databases',
      summary: 'Reads a logical database with its spec and status.',
      path,
      answers: read(resourceRead, 'The logical database.'),
      refusals: { 404: noLogical },
    },
    (context) => {
      const send = keptReads(logicalRead);
      return (ctx, { view }, { path }) => send(ctx, logicalIn(ctx, context, path.logicalDatabase), view);
    },
  ),
  'POST /logical-databases': route(
    {
      group: 'Databases',
      summary: 'Creates a database on a server that runs already; there is no draft.',
      path: {},
      body: { schema: logicalDatabaseRequest },
      answers: { 201: uncached(logicalCreated, 'The logical database is stored, and its creation begins.') },
      refusals: { 409: 'The name is taken, or the server has this database already.' },
    },
    createLogicalDatabase,
  ),
  'DELETE /logical-databases/{logicalDatabase}': route(
    {
      group: 'Databases',
      summary: 'Deletes a logical database; on a shared server its data too.',
      path,
      query: Type.Object({ confirmName: Type.Optional(text('Its name, as a confirmation; it may be left out.')) }),
      answers: { 200: uncached(deleted, 'It is being deleted.') },
      refusals: { 404: noLogical, 409: 'Another one has taken the name.' },
    },
    (context) => {
      const { operator, run } = context;
      return async function deleteLogical(ctx, _, { path, query }) {
        const logical = logicalIn(ctx, context, path.logicalDatabase);
        const { name } = logical.metadata;
        // It may be left out.
        requireConfirmName(ctx, query.confirmName ?? name, name, 'logical database');
        orThrow(ctx, await run(operator.remove(placed(context, 'logicalDatabase').controller, logical)));
        return sendJson(ctx, { name, kind, deleted: true });
      };
    },
  ),
  'GET /logical-databases/{logicalDatabase}/dependents': route(
    {
      group: 'Databases',
      summary: 'Lists what uses it: services by their connections.',
      path,
      query: Type.Object(pageQuery),
      ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: noLogical }),
    },
    (context) =>
      function listDependents(ctx, access, { path, query }) {
        const { name } = logicalIn(ctx, context, path.logicalDatabase).metadata;
        dependentsSender(context)(ctx, access, query, { kind: 'CoreLogicalDatabase', name });
      },
  ),
  'GET /logical-databases/{logicalDatabase}/connection': route(
    {
      group: 'Databases',
      summary: 'Returns the connection of a logical database.',
      path,
      query: Type.Object({
        reveal: Type.Optional(text('`true` returns the password and the address too, and is logged.')),
      }),
      answers: { 200: uncached(connection, 'The connection.') },
      refusals: { 404: noLogical, 409: 'The logical database has no connection yet.' },
    },
    (context) =>
      function readConnection(ctx, access, request) {
        const connected = connectedOf(logicalIn(ctx, context, request.path.logicalDatabase));
        sendConnection(ctx, context, access, { connected, reveals: request.query.reveal === 'true' });
      },
  ),
  ...instanceRoutes('/logical-databases/{logicalDatabase}', {
    group: 'Databases',
    one: 'a logical database',
    kind,
    path,
    absent: noLogical,
    find: (ctx, context, _, { logicalDatabase }) => logicalIn(ctx, context, logicalDatabase),
  }),
  'POST /logical-databases/{logicalDatabase}/retry': route(
    {
      group: 'Databases',
      summary: 'Retries to provision a logical database that was given up.',
      path,
      answers: { 200: uncached(done, 'Provisioning is retried.') },
      refusals: { 404: noLogical, 409: 'It was not given up, or it is being deleted.' },
    },
    (context) => {
      const { operator, run } = context;
      return async function retryLogical(ctx, access, { path }) {
        const { name } = logicalIn(ctx, context, path.logicalDatabase).metadata;
        const { controller, lifecycle } = placed(context, 'provisionRetry');
        const by = callerIn(access).username;
        const moved = await run(operator.move(controller, lifecycle, name, { asked: 'retry', by }));
        const logical = savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noDatabase(name) } });
        sendJson(ctx, { name, state: stateOf(logical), note: 'Retrying provisioning' });
      };
    },
  ),
} satisfies Resource;

const logicalIn = (ctx: RouterContext, { caches }: RouteContext, name: string): CoreLogicalDatabase =>
  caches.get(logicalDatabases, name) ?? refuse(ctx, 404, noDatabase(name));

const placed = ({ operator, settings }: RouteContext, machine: string) =>
  placedOn(operator, settings.machines, { kind, machine });
