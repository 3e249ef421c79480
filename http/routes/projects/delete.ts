import { requireConfirmName } from '../../request/confirmName.ts';
import { key } from '../../../crds/names.ts';
import { wholeDeletion } from '../../../rules/project/deletion.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import type { Access } from '../../auth/guard.ts';
import { orThrow } from '../../orThrow.ts';
import { projectIn } from './change.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { RouteContext } from '../../route.ts';
import { placedOn } from '../../views/placed.ts';
import type { Deleted } from '../resource.ts';

interface Request {
  readonly path: { readonly project: string };
  readonly query: { readonly confirmName?: string };
}

/**
 * Deletes a project with everything in it. What is asked for stands on the project before its deletion begins, and the
 * passes carry it out; one that `kubectl delete` has begun goes on with this. Its tokens are revoked before the answer,
 * and only after the deletion has begun, so that none is made in between.
 */
export const deleteProject = ({ operator, settings, run, tokens }: RouteContext) => {
  const { controller } = placedOn(operator, settings.machines, { kind: projects.kind, machine: 'projectReady' });
  const finalizer = controller.finalizer?.name ?? key('project');
  return async (ctx: AnswerContext<Deleted>, _: Access, { path, query }: Request): Promise<void> => {
    const { name } = projectIn(ctx, operator.caches, path.project).metadata;
    requireConfirmName(ctx, query.confirmName, name, 'project');
    const gone = { NotFound: { status: 404, text: `project "${name}" was not found` } };
    const asking = operator.edit(projects, name, (project) => ({
      patch: wholeDeletion(project, finalizer),
      result: null,
    }));
    const { object } = orThrow(ctx, await run(asking), gone);
    orThrow(ctx, await run(operator.remove(controller, object)));
    orThrow(ctx, await run(tokens.revokeOfProject(object)));
    return sendJson(ctx, { name, kind: 'CoreProject', deleted: true });
  };
};
