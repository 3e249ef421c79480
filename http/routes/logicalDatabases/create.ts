import type { RouterContext } from '@koa/router';
import { type CoreLogicalDatabase, coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { logicalMessage } from '../../../rules/logicalDatabase/blockers.ts';
import { databaseOn } from '../../../rules/logicalDatabase/names.ts';
import { refusalOfLogical } from '../../../rules/logicalDatabase/refusals.ts';
import { placedOn as serverOf, serverSeen, onServer } from '../../../runtime/controllers/logicalDatabase/read.ts';
import { projectPlacement } from '../../../runtime/controllers/project/read.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { savedOrThrow, refuse } from '../../orThrow.ts';
import { requireNewName } from '../../request/newName.ts';
import type { LogicalCreated } from './shapes.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { logicalDatabaseRequest } from './shapes.ts';
import { notPlaced } from '../projects/liveProject.ts';
import type { ServerContext } from '../../context.ts';
import { placedOn } from '../../views/placed.ts';

type Fields = Static<typeof logicalDatabaseRequest>;

/** The name of the Job `<name>-create` ends at 63 characters. */

/** A new logical database: provisioned as soon as it exists. */
export const createLogicalDatabase =
  (context: ServerContext) =>
  async (ctx: AnswerContext<LogicalCreated>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { operator, settings, run } = context;
    const logical = logicalIn(ctx, context, body);
    const { controller, lifecycle } = placedOn(operator, settings.machines, {
      kind: 'CoreLogicalDatabase',
      machine: 'logicalDatabase',
    });
    const { name } = logical.metadata;
    const by = callerIn(access).username;
    const result = await run(operator.create(controller, lifecycle, logical, { asked: 'create', by }));
    savedOrThrow(ctx, result, {
      AlreadyExists: { status: 409, text: logicalMessage.taken.text },
      NotFound: { status: 409, text: `logical database "${name}" was deleted as soon as it was created` },
    });
    const { project, environment, server, databaseName } = body;
    const response = { name, kind: 'CoreLogicalDatabase', project, environment, server, databaseName };
    return sendJson(ctx, response, 201);
  };

/** The requested object; a request that cannot work is refused. */
function logicalIn(ctx: RouterContext, { operator, random }: ServerContext, fields: Fields): CoreLogicalDatabase {
  const unplaced = notPlaced(operator.caches, fields);
  if (unplaced !== null) return refuse(ctx, 400, unplaced);
  const { name = `database-${random(4).toString('hex')}`, connectionLimit } = fields;
  requireNewName(ctx, name, 56);
  const { project, environment, server: serverRef, databaseName } = fields;
  const logical: CoreLogicalDatabase = {
    ...typeMeta(coreLogicalDatabase),
    metadata: { name, namespace: systemNamespace },
    spec: {
      project,
      environment,
      serverRef,
      databaseName,
      ...(typeof connectionLimit === 'number' ? { connectionLimit } : {}),
    },
  };
  const refused = refusedBy(logical, connectionLimit, operator.caches);
  if (refused !== null) return refuse(ctx, 400, refused);
  return isTaken(logical, operator.caches) ? refuse(ctx, 409, logicalMessage.taken.text) : logical;
}

function refusedBy(logical: CoreLogicalDatabase, connectionLimit: unknown, reader: CacheReader): string | null {
  const { project, databaseName } = logical.spec;
  const { region } = projectPlacement(project, reader);
  const server = serverSeen(logical, serverOf(logical, reader), reader);
  return refusalOfLogical({ server, region, databaseName, connectionLimit });
}

/** Whether another logical database has the same database. */
function isTaken(logical: CoreLogicalDatabase, reader: CacheReader): boolean {
  const placed = serverOf(logical, reader);
  return (
    placed !== null &&
    onServer(logical.spec.serverRef, reader).some(({ spec }) => databaseOn(placed.owner, spec) === placed.database)
  );
}
