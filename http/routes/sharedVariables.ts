import type { RouterContext } from '@koa/router';
import { coreProject, type CoreProject } from '../../crds/coreProject.ts';
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
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { orThrow } from '../orThrow.ts';
import type { SharedVariableItem, SharedVariableRemoved, SharedVariableSet } from './projects/shapes.ts';
import { encode } from '../auth/directory.ts';
import { sendJson } from '../response.ts';
import { sendSorted } from '../lists/items.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { sharedVariableItems } from '../views/project.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

/** The variables that the services of an environment may share: plain ones in the project, secrets in its Secret. */
export function sharedVariableRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;
  const { caches } = operator;
  const change = projectChanges(context);

  routes.on('GET /projects/{project}/variables', function listVariables(ctx, access, { path, query }) {
    const items = sharedVariableItems(projectIn(ctx, caches, path.project), access.view).filter(
      ({ environment }) => query.environment === undefined || environment === query.environment,
    );
    const placeOf = ({ environment, name }: SharedVariableItem) => [environment, name];
    sendSorted(ctx, context, { access, query, items, placeOf });
  });

  routes.on('POST /projects/{project}/variables/set', async function setVariable(ctx, _, { path, body }) {
    const { project: name } = path;
    const { value, secret = false, ...named } = body;
    if (secret) {
      // A refusal comes before anything is written, and a value before the project names it.
      const project = await change(ctx, name, (found) => refusalOf(found, body) ?? changed(null));
      await write(ctx, project, { [secretKeyOf(named)]: encode(value) });
    }
    const written = secret ? { secret: sharedSecretOf(name) } : { plain: value };
    const project = await change(
      ctx,
      name,
      (found) => refusalOf(found, body) ?? changed(variableSet(found, named, written)),
    );
    if (!secret) await forget(ctx, project, named);
    const kind = secret ? 'secret' : 'config';
    sendJson(ctx, { name, key: named.name, kind, pending: false } satisfies SharedVariableSet);
  });

  routes.on('POST /projects/{project}/variables/delete', async function deleteVariable(ctx, _, { path, body: named }) {
    const { project: name } = path;
    let removed = false;
    const project = await change(ctx, name, (found) => {
      const patch = variableRemoved(found, named);
      removed = patch !== null;
      return changed(patch);
    });
    await forget(ctx, project, named);
    sendJson(ctx, { name, key: named.name, removed, pending: false } satisfies SharedVariableRemoved);
  });

  async function write(ctx: RouterContext, project: CoreProject, keys: SecretKeys): Promise<void> {
    const written = { keys, beside: { owner: ownerReference(coreProject, project) }, result: null };
    orThrow(ctx, await run(changeSecret(caches, sharedSecretOf(project.metadata.name), () => written)));
  }

  /** Removes the value of a secret that no variable reads any more, also one that a broken request has left. */
  async function forget(ctx: RouterContext, project: CoreProject, named: VariableName): Promise<void> {
    const key = secretKeyOf(named);
    if (isSecretRead(project, key)) return;
    const forgetting = changeSecret(caches, sharedSecretOf(project.metadata.name), (secret) => ({
      keys: secret?.data?.[key] === undefined ? null : { [key]: null },
      result: null,
    }));
    orThrow(ctx, await run(forgetting));
  }
}

function refusalOf(
  project: CoreProject,
  { environment, name, value }: VariableName & { readonly value: string },
): ProjectChange | null {
  const says = unusableValue(value);
  if (says !== null) return refusedAsAsked(says);
  if (!isVariableName(name))
    return refusedAsAsked('name must be capitals, digits and underscores, and not begin with a digit');
  return environmentsStaying(project).includes(environment)
    ? null
    : refusedAsAsked(`project "${project.metadata.name}" has no ${environment} environment`);
}
