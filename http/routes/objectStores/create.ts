import type { RouterContext } from '@koa/router';
import { type CoreObjectStore, coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { unsupportedOf } from '../../../rules/objectStore/refusals.ts';
import { connectionRefusal } from '../../../runtime/controllers/cloudAccess/read.ts';
import { alreadyExists, savedOrThrow, refuse } from '../../orThrow.ts';
import { requireNewName } from '../../request/newName.ts';
import type { Created } from '../resource.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { objectStoreRequest } from './shapes.ts';
import { notPlaced } from '../projects/liveProject.ts';
import type { ServerContext } from '../../context.ts';
import { objectStoreSummary } from '../../views/objectStore.ts';
import { placedOn } from '../../views/placed.ts';

type Fields = Static<typeof objectStoreRequest>;

/** A new bucket or server, as a draft or deployed at once: the machine of deployments decides. */
export const createObjectStore =
  (context: ServerContext) =>
  async (ctx: AnswerContext<Created>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { operator, settings, run } = context;
    if (body.draft && body.deploy) return refuse(ctx, 400, 'set either draft or deploy, not both');
    const store = requestedStore(ctx, context, body);
    const { name } = store.metadata;
    const { controller, lifecycle } = placedOn(operator, settings.machines, {
      kind: 'CoreObjectStore',
      machine: 'draftDeploy',
    });
    const asked = body.deploy ? 'createDeployed' : 'createDraft';
    const result = await run(operator.create(controller, lifecycle, store, { asked, by: callerIn(access).username }));
    const created = savedOrThrow(ctx, result, {
      AlreadyExists: alreadyExists('object store', name),
      NotFound: { status: 409, text: `object store "${name}" was deleted as soon as it was created` },
    }) as CoreObjectStore;
    const deployed = created.spec.deploy.enabled;
    const { project = '', environment = '' } = body;
    const resource = objectStoreSummary(created, access.view);
    const response = { name, kind: 'CoreObjectStore', project, environment, deployed, draft: !deployed, resource };
    return sendJson(ctx, response, 201);
  };

/** The requested object; a request that cannot work is refused. */
function requestedStore(ctx: RouterContext, { operator, random }: ServerContext, fields: Fields): CoreObjectStore {
  const { name: given, draft: _, deploy: __, ...asked } = fields;
  const spec = withDefaults(coreObjectStore.spec, asked);
  const unsupported = unsupportedOf(spec);
  if (unsupported !== '') return refuse(ctx, 400, unsupported);
  const { project = '', environment = '', connectionRef } = spec;
  const unplaced = project === '' ? null : notPlaced(operator.caches, { project, environment });
  if (unplaced !== null) return refuse(ctx, 400, unplaced);
  const refusal = connectionRef ? connectionRefusal(project, connectionRef.name, operator.caches) : null;
  if (refusal !== null) return refuse(ctx, 400, refusal);
  const name = given ?? `${spec.mode.toLowerCase()}-${random(4).toString('hex')}`;
  requireNewName(ctx, name);
  return { ...typeMeta(coreObjectStore), metadata: { name, namespace: systemNamespace }, spec };
}
