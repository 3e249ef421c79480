import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import { coreProject, type CoreProject } from '../../crds/coreProject.ts';
import { encode } from '../auth/directory.ts';
import { maxVariableBytes } from '../request/bodyLimits.ts';
import { sendSorted } from '../lists/items.ts';
import { objectName, oneOf, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { sharedVariableItems } from '../views/project.ts';
import { ownerReference } from '../../rules/owned/ownerReference.ts';
import { changed, type ProjectChange, refusedAsAsked } from '../../rules/project/change.ts';
import { environmentsStaying } from '../../rules/project/deletion.ts';
import {
  isSecretRead,
  isVariableName,
  secretKeyOf,
  sharedSecretOf,
  type VariableName,
  variableRemoved,
  variableSet,
} from '../../rules/project/shared.ts';
import { unusableValue } from '../../rules/variableValue.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';

const group = 'Projects';
const path = { project: objectName };
const noProject = 'There is no such project.';

const sharedVariable = Type.Object(
  {
    name: text(),
    environment: text('The one environment it belongs to.'),
    kind: oneOf('config', 'secret'),
    value: optional(text('Of plain ones alone.')),
  },
  { title: 'SharedVariable' },
);
/** GET /api/v1/projects/{project}/variables?environment=, by environment and name. */
export type SharedVariableItem = ReadonlyStatic<typeof sharedVariable>;

const named = {
  environment: text('An environment of the project.'),
  name: text('Capitals, digits and underscores, such as `API_URL`.'),
};

const variableRequest = Type.Object({
  ...named,
  value: text(),
  secret: optional(Type.Boolean({ description: 'Keeps the value in a Secret: nobody can read it here again.' })),
});
const variableNamed = Type.Object(named);

const answerFields = {
  name: text('The project.'),
  key: text('The variable.'),
};
const pending = Type.Boolean({ description: 'False: changes of a project apply at once.' });

const variableSetShape = Type.Object(
  { ...answerFields, kind: oneOf('config', 'secret'), pending },
  { title: 'SharedVariableSet' },
);
const variableRemovedShape = Type.Object(
  { ...answerFields, removed: Type.Boolean({ description: 'Whether it was there.' }), pending },
  { title: 'SharedVariableRemoved' },
);

/** The variables that the services of an environment may share: plain ones in the project, secrets in its Secret. */
export const sharedVariableRoutes = {
  'GET /projects/{project}/variables': route(
    {
      group,
      summary: 'Lists the shared variables of a project, by environment and name.',
      path,
      query: Type.Object({ environment: optional(text('Only those of this environment.')), ...pageQuery }),
      ...pages(sharedVariable, 'The variables; no secret has a value.', { 404: noProject }),
    },
    (context) => {
      const { caches } = context;
      return function listVariables(ctx, access, { path, query }) {
        const items = sharedVariableItems(projectIn(ctx, caches, path.project), access.view).filter(
          ({ environment }) => query.environment === undefined || environment === query.environment,
        );
        sendSorted(ctx, context, { access, query, items, placeOf: ({ environment, name }) => [environment, name] });
      };
    },
  ),
  'POST /projects/{project}/variables/set': route(
    {
      group,
      summary: 'Sets a shared variable; one of the other kind becomes one of this kind.',
      path,
      body: { schema: variableRequest, maxBytes: maxVariableBytes },
      answers: { 200: uncached(variableSetShape, 'It is set; services read it when their pods start.') },
      refusals: { 404: noProject, 409: 'It is being deleted.' },
    },
    (context) =>
      async function setVariable(ctx, _, { path, body }) {
        const { project: name } = path;
        const { value, secret = false, ...named } = body;
        if (secret) {
          // A refusal comes before anything is written, and a value before the project names it.
          const project = await projectChanges(context)(ctx, name, (found) => refusalOf(found, body) ?? changed(null));
          await write(ctx, context, project, { [secretKeyOf(named)]: encode(value) });
        }
        const written = secret ? { secret: sharedSecretOf(name) } : { plain: value };
        const project = await projectChanges(context)(
          ctx,
          name,
          (found) => refusalOf(found, body) ?? changed(variableSet(found, named, written)),
        );
        if (!secret) await forget(ctx, context, project, named);
        const kind = secret ? 'secret' : 'config';
        sendJson(ctx, { name, key: named.name, kind, pending: false });
      },
  ),
  'POST /projects/{project}/variables/delete': route(
    {
      group,
      summary: 'Removes a shared variable; one that is not there is no error.',
      path,
      body: { schema: variableNamed },
      answers: { 200: uncached(variableRemovedShape, 'It is not there any more.') },
      refusals: { 404: noProject, 409: 'It is being deleted.' },
    },
    (context) =>
      async function deleteVariable(ctx, _, { path, body: named }) {
        const { project: name } = path;
        let removed = false;
        const project = await projectChanges(context)(ctx, name, (found) => {
          const patch = variableRemoved(found, named);
          removed = patch !== null;
          return changed(patch);
        });
        await forget(ctx, context, project, named);
        sendJson(ctx, { name, key: named.name, removed, pending: false });
      },
  ),
} satisfies Resource;

async function write(
  ctx: RouterContext,
  { run, caches }: RouteContext,
  project: CoreProject,
  keys: SecretKeys,
): Promise<void> {
  const written = { keys, beside: { owner: ownerReference(coreProject, project) }, result: null };
  orThrow(ctx, await run(changeSecret(caches, sharedSecretOf(project.metadata.name), () => written)));
}

/** Removes the value of a secret that no variable reads, also one left by an aborted request. */
async function forget(
  ctx: RouterContext,
  { run, caches }: RouteContext,
  project: CoreProject,
  named: VariableName,
): Promise<void> {
  const key = secretKeyOf(named);
  if (isSecretRead(project, key)) return;
  const forgetting = changeSecret(caches, sharedSecretOf(project.metadata.name), (secret) => ({
    keys: secret?.data?.[key] === undefined ? null : { [key]: null },
    result: null,
  }));
  orThrow(ctx, await run(forgetting));
}

function refusalOf(
  project: CoreProject,
  { environment, name, value }: VariableName & { readonly value: string },
): ProjectChange | null {
  const message = unusableValue(value);
  if (message !== null) return refusedAsAsked(message);
  if (!isVariableName(name))
    return refusedAsAsked('name must be capitals, digits and underscores, and not begin with a digit');
  return environmentsStaying(project).includes(environment)
    ? null
    : refusedAsAsked(`project "${project.metadata.name}" has no ${environment} environment`);
}
