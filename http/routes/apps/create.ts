import type { RouterContext } from '@koa/router';
import { type AppSpec, type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { isLinked } from '../../../rules/project/linked.ts';
import { connections, projects } from '../../../runtime/services/cluster/kinds.ts';
import { alreadyExists, savedOrThrow, refuse } from '../../orThrow.ts';
import { requireNewName } from '../../request/newName.ts';
import type { Created } from '../resource.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { appRequest } from './shapes.ts';
import { notPlaced } from '../projects/liveProject.ts';
import type { ServerContext } from '../../context.ts';
import { appSummary } from '../../views/app.ts';
import { placedOn } from '../../views/placed.ts';
import { drawnRecord } from './command.ts';
import { unfit } from './fits.ts';

type Fields = Static<typeof appRequest>;

/** A new service, as a draft or deployed at once: the machine of deployments decides. */
export const createService =
  (context: ServerContext) =>
  async (ctx: AnswerContext<Created>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { operator, settings, run } = context;
    if (body.draft && body.deploy) return refuse(ctx, 400, 'set either draft or deploy, not both');
    const app = requestedService(ctx, context, body);
    const { name } = app.metadata;
    const { controller, lifecycle } = placedOn(operator, settings.machines, {
      kind: 'CoreApp',
      machine: 'draftDeploy',
    });
    const asked = body.deploy
      ? ({ is: 'createDeployed', revision: drawnRecord(context, name) } as const)
      : ({ is: 'createDraft' } as const);
    const result = await run(operator.create(controller, lifecycle, app, { asked, by: callerIn(access).username }));
    const created = savedOrThrow(ctx, result, {
      AlreadyExists: alreadyExists('service', name),
      NotFound: { status: 409, text: `service "${name}" was deleted as soon as it was created` },
    }) as CoreApp;
    const deployed = created.spec.deploy.enabled;
    const { project, environment } = body;
    const resource = appSummary(created, access.view);
    const answer = { name, kind: 'CoreApp', project, environment, deployed, draft: !deployed, resource };
    return sendJson(ctx, answer, 201);
  };

/** The requested object; a request that cannot work is refused. */
function requestedService(ctx: RouterContext, { operator, random }: ServerContext, fields: Fields): CoreApp {
  const unplaced = notPlaced(operator.caches, fields);
  if (unplaced !== null) return refuse(ctx, 400, unplaced);
  const source = requestedSource(ctx, fields);
  const project = operator.caches.get(projects, fields.project);
  if (
    fields.deploy &&
    source.git &&
    !isLinked(project, operator.caches.get(connections, project?.spec.gitConnectionRef?.name ?? ''))
  )
    return refuse(ctx, 409, `project "${fields.project}" is not linked to the Git host`);
  const name = fields.name ?? `app-${random(4).toString('hex')}`;
  requireNewName(ctx, name);
  const { environment, port, displayName } = fields;
  const asked = { project: fields.project, environment, source, ...(port === undefined ? {} : { port }) };
  const app: CoreApp = {
    ...typeMeta(coreApp),
    metadata: {
      name,
      namespace: systemNamespace,
      ...(displayName === undefined ? {} : { annotations: { [annotation.displayName]: displayName } }),
    },
    spec: withDefaults(coreApp.spec, asked),
  };
  const message = unfit(app);
  return message === null ? app : refuse(ctx, 400, message);
}

type Source = AppSpec['source'];
const sources = { image: 'image', repository: 'git', code: 'function' } as const;
type SourceField = keyof typeof sources;

/** Exactly one source; `source` names it where more than one could be meant. */
function requestedSource(ctx: RouterContext, fields: Fields): Source {
  const given = (Object.keys(sources) as readonly SourceField[]).filter((name) => (fields[name] ?? '') !== '');
  const [only] = given;
  if (only === undefined) return refuse(ctx, 400, 'set image, repository or code: a service needs a source');
  if (given.length > 1) return refuse(ctx, 400, `set either ${given.join(' or ')}: a service has one source`);
  if (fields.source !== undefined && fields.source !== sources[only])
    return refuse(ctx, 400, `source is ${fields.source}, but ${only} is set`);
  return sourceOf(only, fields);
}

function sourceOf(only: SourceField, fields: Fields): Source {
  if (only === 'image') return { image: fields.image ?? '' };
  if (only === 'repository')
    return { git: { repository: fields.repository ?? '', branch: fields.branch ?? 'main', waitForCI: false } };
  const { code = '', runtime = 'bun', mode = 'http' } = fields;
  return { function: { code, runtime, mode } };
}
