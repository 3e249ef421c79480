import type { RouterContext } from '@koa/router';
import { type CoreDatabase, coreDatabase, type DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { refusalOfSpec } from '../../../rules/database/refusals.ts';
import { alreadyExists, savedOrThrow, refuse } from '../../orThrow.ts';
import { requireNewName } from '../../request/newName.ts';
import type { Created } from '../resource.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { databaseRequest } from './shapes.ts';
import { notPlaced } from '../projects/liveProject.ts';
import type { ServerContext } from '../../context.ts';
import { refuseUnknownSize } from './sizes.ts';
import { databaseSummary } from '../../views/database.ts';
import { placedOn } from '../../views/placed.ts';

type Fields = Static<typeof databaseRequest>;

/** The name of the Job that installs a chart begins with 27 characters of its own. */

/** A new database, as a draft or deployed at once: the machine of deployments decides. */
export const createDatabase =
  (context: ServerContext) =>
  async (ctx: AnswerContext<Created>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    if (body.draft && body.deploy) return refuse(ctx, 400, 'set either draft or deploy, not both');
    const database = databaseIn(ctx, context, body);
    return await createdDatabase(ctx, context, access, {
      database,
      asked: body.deploy ? 'createDeployed' : 'createDraft',
    });
  };

interface Creating {
  readonly database: CoreDatabase;
  readonly asked: 'createDeployed' | 'createDraft';
}

/** Creates a database by the machine of deployments, which refuses one that has no room. */
export async function createdDatabase(
  ctx: AnswerContext<Created>,
  context: ServerContext,
  access: Access,
  { database, asked }: Creating,
): Promise<void> {
  const { name } = database.metadata;
  await refuseUnknownSize(ctx, context, database.spec);
  const { operator, settings, run } = context;
  const { controller, lifecycle } = placedOn(operator, settings.machines, {
    kind: 'CoreDatabase',
    machine: 'draftDeploy',
  });
  const by = callerIn(access).username;
  const result = await run(operator.create(controller, lifecycle, database, { asked, by }));
  const created = savedOrThrow(ctx, result, {
    AlreadyExists: alreadyExists('database', name),
    NotFound: { status: 409, text: `database "${name}" was deleted as soon as it was created` },
  }) as CoreDatabase;
  const deployed = created.spec.deploy.enabled;
  const { project = '', environment = '' } = created.spec;
  const resource = databaseSummary(created, access.view);
  const response = { name, kind: 'CoreDatabase', project, environment, deployed, draft: !deployed, resource };
  sendJson(ctx, response, 201);
}

/** Why a database cannot be placed as requested; a shared server has neither project nor environment. */
function unplacedBy({ operator }: ServerContext, { project, environment }: Fields): string | null {
  if (project === undefined) return environment === undefined ? null : 'project is required';
  return environment === undefined ? 'environment is required' : notPlaced(operator.caches, { project, environment });
}

/** The requested object; a request that cannot work is refused. */
function databaseIn(ctx: RouterContext, context: ServerContext, fields: Fields): CoreDatabase {
  const { name, draft: _, deploy: __, ...asked } = fields;
  const unplaced = unplacedBy(context, fields);
  if (unplaced !== null) return refuse(ctx, 400, unplaced);
  const database = databaseNamed(ctx, context, name, withDefaults(coreDatabase.spec, asked));
  const refused = refusalOfSpec(database, database.spec);
  return refused === null ? database : refuse(ctx, 400, refused);
}

/** A database of that name, or of a generated one. */
export function databaseNamed(
  ctx: RouterContext,
  { random }: ServerContext,
  given: string | undefined,
  spec: DatabaseSpec,
): CoreDatabase {
  const name = given ?? `${spec.engine.toLowerCase()}-${random(4).toString('hex')}`;
  requireNewName(ctx, name);
  return { ...typeMeta(coreDatabase), metadata: { name, namespace: systemNamespace }, spec };
}
