import type { RouterContext } from '@koa/router';
import { type CoreDatabase, coreDatabase } from '../../crds/coreDatabase.ts';
import { withDefaults } from '../../crds/defaults.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { refusalOfSpec } from '../../rules/database/refusals.ts';
import { answerSaved, refuse } from '../answer.ts';
import type { Created } from '../api.ts';
import { type Access, callerIn } from '../auth/guard.ts';
import { sendJson } from '../json.ts';
import type { Asked } from '../openapi/schemas.ts';
import { notPlaced } from '../projects.ts';
import type { Serving } from '../serving.ts';
import { refuseUnknownSize } from './managedDb.ts';
import { databaseSummary } from '../views/database.ts';
import { placedOn } from '../views/placed.ts';

type Fields = Asked<'POST /databases'>['body'];

/** The name of the Job that installs a chart begins with 27 characters of its own. */
const nameShape = /^[a-z]([-a-z0-9]{0,34}[a-z0-9])?$/;
const nameWords = 'lowercase letters, digits and hyphens, begin with a letter and be no more than 36 characters';

/** A new database, as a draft or deployed at once: the machine of deployments decides. */
export const createDatabase =
  (serving: Serving) =>
  async (ctx: RouterContext, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { operator, settings, run } = serving;
    if (body.draft && body.deploy) return refuse(ctx, 400, 'set either draft or deploy, not both');
    const database = databaseIn(ctx, serving, body);
    const { name } = database.metadata;
    await refuseUnknownSize(ctx, serving, database.spec);
    const { controller, lifecycle } = placedOn(operator, settings.machines, {
      kind: 'CoreDatabase',
      machine: 'draftDeploy',
    });
    const asked = body.deploy ? 'createDeployed' : 'createDraft';
    const by = callerIn(access).username;
    const made = await run(operator.create(controller, lifecycle, database, { asked, by }));
    const created = answerSaved(ctx, made, {
      AlreadyExists: { status: 409, text: `database "${name}" already exists` },
      NotFound: { status: 409, text: `database "${name}" was deleted as soon as it was created` },
    }) as CoreDatabase;
    const deployed = created.spec.deploy.enabled;
    const { project = '', environment = '' } = body;
    const resource = databaseSummary(created, access.view);
    const response = { name, kind: 'CoreDatabase', project, environment, deployed, draft: !deployed, resource };
    return sendJson(ctx, response satisfies Created, 201);
  };

/** Why a database cannot be where it is asked for; a shared server has neither project nor environment. */
function unplacedBy({ operator }: Serving, { project, environment }: Fields): string | null {
  if (project === undefined) return environment === undefined ? null : 'project is required';
  return environment === undefined ? 'environment is required' : notPlaced(operator.caches, { project, environment });
}

/** The requested object; a request that cannot work is refused. */
function databaseIn(ctx: RouterContext, serving: Serving, fields: Fields): CoreDatabase {
  const { name: given, draft: _, deploy: __, ...asked } = fields;
  const unplaced = unplacedBy(serving, fields);
  if (unplaced !== null) return refuse(ctx, 400, unplaced);
  const spec = withDefaults(coreDatabase.spec, asked);
  const name = given ?? `${spec.engine.toLowerCase()}-${serving.random(4).toString('hex')}`;
  if (!nameShape.test(name)) return refuse(ctx, 400, `name must be ${nameWords}`);
  const metadata = { name, namespace: systemNamespace };
  const refused = refusalOfSpec({ metadata }, spec);
  return refused === null ? { ...typeMeta(coreDatabase), metadata, spec } : refuse(ctx, 400, refused);
}
