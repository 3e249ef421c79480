import type { RouterContext } from '@koa/router';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { ProjectChange } from '../../../rules/project/change.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import { savedOrThrow, refuse, type Refusal } from '../../orThrow.ts';
import type { ServerContext } from '../../context.ts';
import { isDeleting } from '../../../rules/deleting.ts';

const notFound = (name: string): Refusal => ({ status: 404, text: `project "${name}" was not found` });

/** The project that a path names. */
export function projectIn(ctx: RouterContext, reader: CacheReader, name: string): CoreProject {
  const { status, text } = notFound(name);
  return reader.get(projects, name) ?? refuse(ctx, status, text);
}

const statusOf = { asked: 400, state: 409 } as const;

/**
 * Changes a project as a request asks and returns it as it is then; what is refused ends the request. Nothing of a
 * project that is being deleted changes.
 */
export const projectChanges =
  ({ operator, run }: ServerContext) =>
  async (ctx: RouterContext, name: string, follow: (project: CoreProject) => ProjectChange): Promise<CoreProject> => {
    projectIn(ctx, operator.caches, name);
    const edited = await run(
      operator.edit(projects, name, (project) => {
        const change = isDeleting(project) ? beingDeleted(project) : follow(project);
        return { patch: change.is === 'changed' ? change.patch : null, result: change };
      }),
    );
    const { object, result } = savedOrThrow(ctx, edited, { NotFound: notFound(name) });
    return result.is === 'refused' ? refuse(ctx, statusOf[result.by], result.says) : object;
  };

const beingDeleted = ({ metadata }: CoreProject): ProjectChange => ({
  is: 'refused',
  by: 'state',
  says: `"${metadata.name}" is being deleted`,
});
