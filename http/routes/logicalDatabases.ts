import type { RouterContext } from '@koa/router';
import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import { namespaceOf } from '../../rules/database/effective.ts';
import { stateOf } from '../../rules/state.ts';
import { logicalDatabases } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { Deleted, Done } from './resource.ts';
import { callerIn } from '../auth/guard.ts';
import { objectAnswers } from './instance.ts';
import { keptReads, sendJson } from '../response.ts';
import { resourceList } from '../lists/resources.ts';
import { dependentsSender } from '../lists/dependents.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { logicalRead, logicalSummary } from '../views/logicalDatabase.ts';
import { placedOn } from '../views/placed.ts';
import { createLogicalDatabase } from './logicalDatabases/create.ts';
import { type Connected, sendConnection } from './databases/connection.ts';

const kind = 'CoreLogicalDatabase';
const noDatabase = (name: string) => `logical database "${name}" was not found`;

const connectedOf = ({ metadata, spec, status }: CoreLogicalDatabase): Connected => ({
  kind,
  name: metadata.name,
  namespace: namespaceOf(spec),
  secret: status?.connectionSecret ?? '',
});

/** Logical databases, with their states and actions; they have no draft. */
export function logicalDatabaseRoutes(routes: Routes, context: ServerContext): void {
  const { operator, settings, run } = context;
  const sendDependents = dependentsSender(context);
  const { explain, transitions, look } = objectAnswers(context, kind);
  const sendLogical = keptReads(logicalRead);
  const found = (ctx: RouterContext, name: string): CoreLogicalDatabase =>
    operator.caches.get(logicalDatabases, name) ?? refuse(ctx, 404, noDatabase(name));
  const placed = (machine: string) => placedOn(operator, settings.machines, { kind, machine });

  const sendLogicals = resourceList(context, logicalDatabases, { show: logicalSummary });

  routes.on('GET /logical-databases', (ctx, access, { query }) =>
    sendLogicals(ctx, {
      access,
      query,
      isIn: ({ spec }) => query.server === undefined || spec.serverRef === query.server,
    }),
  );

  routes.on('GET /logical-databases/{logicalDatabase}', function readLogical(ctx, { view }, { path }) {
    return sendLogical(ctx, found(ctx, path.logicalDatabase), view);
  });

  routes.on(
    'GET /logical-databases/{logicalDatabase}/dependents',
    function listDependents(ctx, access, { path, query }) {
      const { name } = found(ctx, path.logicalDatabase).metadata;
      sendDependents(ctx, access, query, { kind: 'CoreLogicalDatabase', name });
    },
  );

  routes.on('POST /logical-databases', createLogicalDatabase(context));

  routes.on('DELETE /logical-databases/{logicalDatabase}', async function deleteLogical(ctx, _, { path, query }) {
    const logical = found(ctx, path.logicalDatabase);
    const { name } = logical.metadata;
    if (query.confirmName !== undefined && query.confirmName !== name)
      return refuse(ctx, 400, 'confirmName must be the name of the logical database');
    orThrow(ctx, await run(operator.remove(placed('logicalDatabase').controller, logical)));
    return sendJson(ctx, { name, kind, deleted: true } satisfies Deleted);
  });

  routes.on('GET /logical-databases/{logicalDatabase}/connection', function readConnection(ctx, access, asked) {
    const connected = connectedOf(found(ctx, asked.path.logicalDatabase));
    sendConnection(ctx, context, access, { connected, reveals: asked.query.reveal === 'true' });
  });

  routes.on('GET /logical-databases/{logicalDatabase}/explain', function explainLogical(ctx, { view }, { path }) {
    return explain(ctx, found(ctx, path.logicalDatabase), view);
  });

  routes.on('GET /logical-databases/{logicalDatabase}/transitions', function listMoves(ctx, { view }, { path }) {
    transitions(ctx, found(ctx, path.logicalDatabase), view);
  });

  routes.on('POST /logical-databases/{logicalDatabase}/look', function lookAtLogical(ctx, _, { path }) {
    return look(ctx, found(ctx, path.logicalDatabase));
  });

  routes.on('POST /logical-databases/{logicalDatabase}/retry', async function retryLogical(ctx, access, { path }) {
    const { name } = found(ctx, path.logicalDatabase).metadata;
    const { controller, lifecycle } = placed('provisionRetry');
    const by = callerIn(access).username;
    const moved = await run(operator.move(controller, lifecycle, name, { asked: 'retry', by }));
    const logical = savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noDatabase(name) } });
    sendJson(ctx, { name, state: stateOf(logical), note: 'Retrying provisioning' } satisfies Done);
  });
}
