import type { CoreProject } from '../../crds/coreProject.ts';
import { byProject } from '../../runtime/services/cluster/indexes.ts';
import { databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, refuse } from '../orThrow.ts';
import type { Deleted } from './resource.ts';
import type { TokenStore } from '../auth/tokens.ts';
import { objectAnswers } from './instance.ts';
import { keptReads, sendJson } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import { resourceList } from '../lists/resources.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { environmentAdded, environmentRemoved } from '../../rules/project/environments.ts';
import { settingsChanged } from '../../rules/project/settings.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { projectRead, projectSummary } from '../views/project.ts';
import { createProject } from './projects/create.ts';
import { deleteProject } from './projects/delete.ts';

/** Projects with their settings and environments; what changes applies at once. */
export function projectRoutes(routes: Routes, context: ServerContext, tokens: TokenStore): void {
  const { operator, run } = context;
  const { caches } = operator;
  const { explain, transitions, look } = objectAnswers(context, projects.kind);
  const sendProject = keptReads(projectRead);
  const changed = projectChanges(context);

  const sendProjects = resourceList(context, projects, {
    show: projectSummary,
    homeOf: ({ metadata }) => ({ project: metadata.name }),
  });

  routes.on('GET /projects', (ctx, access, { query }) => sendProjects(ctx, { access, query }));

  routes.on('GET /projects/{project}', function readProject(ctx, { view }, { path }) {
    return sendProject(ctx, projectIn(ctx, caches, path.project), view);
  });

  routes.on('POST /projects', createProject(context));

  routes.on('PATCH /projects/{project}', async function changeProject(ctx, { view }, { path, body }) {
    const placed = inCluster(caches, path.project);
    const project = await changed(ctx, path.project, (found) => settingsChanged(found, body, placed));
    return sendJson(ctx, projectRead(project, view));
  });

  routes.on('DELETE /projects/{project}', deleteProject({ ...context, tokens } as never));

  routes.on('POST /projects/{project}/environments', async function addEnvironment(ctx, { view }, { path, body }) {
    const project = await changed(ctx, path.project, (found) => environmentAdded(found, body.name));
    return sendJson(ctx, projectRead(project, view), 201);
  });

  routes.on(
    'DELETE /projects/{project}/environments/{environment}',
    async function removeEnvironment(ctx, _, { path: { project, environment: name }, query }) {
      const noEnvironment = () => refuse(ctx, 404, `environment "${name}" was not found`);
      if (!isListed(projectIn(ctx, caches, project), name)) return noEnvironment();
      if (query.confirmName !== name) return refuse(ctx, 400, 'confirmName must be the name of the environment');
      const marked = await changed(ctx, project, (found) =>
        isListed(found, name) ? environmentRemoved(found, name) : noEnvironment(),
      );
      // After the mark, so that none is made in between.
      orThrow(ctx, await run(tokens.revokeOfProject(marked, name)));
      return sendJson(ctx, { name, kind: 'Environment', deleted: true } satisfies Deleted);
    },
  );

  routes.on('GET /projects/{project}/explain', function explainProject(ctx, { view }, { path }) {
    return explain(ctx, projectIn(ctx, caches, path.project), view);
  });

  routes.on('GET /projects/{project}/transitions', function listTransitions(ctx, { view }, { path }) {
    transitions(ctx, projectIn(ctx, caches, path.project), view);
  });

  routes.on('POST /projects/{project}/look', function lookAtProject(ctx, _, { path }) {
    return look(ctx, projectIn(ctx, caches, path.project));
  });
}

const isListed = ({ spec }: CoreProject, environment: string): boolean => spec.environments.includes(environment);

/** The databases of a project that run in the cluster, drafts included. */
const inCluster = (reader: CacheReader, project: string): readonly string[] =>
  reader
    .indexed(databases, byProject.name, project)
    .filter(({ spec }) => spec.placement === 'InCluster')
    .map(({ metadata }) => metadata.name)
    .toSorted();
