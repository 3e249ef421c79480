import { requireConfirmName } from '../request/confirmName.ts';
import { Type } from '@sinclair/typebox';
import type { CoreProject } from '../../crds/coreProject.ts';
import { resourceList } from '../lists/resources.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pages, resourceQuery } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow, refuse } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { keptReads, sendJson } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { environmentDeployed } from './apps/shapes.ts';
import { instanceRoutes } from './instance.ts';
import { createProject } from './projects/create.ts';
import { deleteProject } from './projects/delete.ts';
import { deployEnvironment } from './projects/deployEnvironment.ts';
import { environmentRequest, projectRequest, projectSettings } from './projects/shapes.ts';
import { created, deleted, resourceRead, summary } from './resource.ts';
import { projectRead, projectSummary } from '../views/project.ts';
import { environmentAdded, environmentRemoved } from '../../rules/project/environments.ts';
import { settingsChanged } from '../../rules/project/settings.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { byProject } from '../../runtime/services/cluster/indexes.ts';
import { databases, projects } from '../../runtime/services/cluster/kinds.ts';

const group = 'Projects';
const path = { project: objectName };
const noProject = 'There is no such project.';

/** Projects with their settings and environments; what changes applies at once (document 001, Endpoints). */
export const projectRoutes = {
  'GET /projects': route(
    {
      group,
      summary: 'Lists the projects, by name.',
      path: {},
      query: Type.Object({ project: Type.Optional(text('Only the one of this name.')), ...resourceQuery }),
      ...pages(summary, 'The projects.'),
    },
    (context) => {
      const send = resourceList(context, projects, {
        show: projectSummary,
        homeOf: ({ metadata }) => ({ project: metadata.name }),
      });
      return (ctx, access, { query }) => send(ctx, { access, query });
    },
  ),
  'GET /projects/{project}': route(
    {
      group,
      summary: 'Reads a project with its spec and status.',
      path,
      answers: read(resourceRead, 'The project.'),
      refusals: { 404: noProject },
    },
    ({ caches }) => {
      const send = keptReads(projectRead);
      return (ctx, { view }, { path }) => send(ctx, projectIn(ctx, caches, path.project), view);
    },
  ),
  'POST /projects': route(
    {
      group,
      summary: 'Creates a project with the environment `production`.',
      path: {},
      body: { schema: projectRequest, optional: true },
      answers: { 201: uncached(created, 'It is created.') },
      refusals: { 409: 'No cluster was named, and none is the only or the default one.' },
    },
    createProject,
  ),
  'PATCH /projects/{project}': route(
    {
      group,
      summary: 'Changes the settings of a project, which apply at once.',
      path,
      body: { schema: projectSettings },
      answers: { 200: uncached(resourceRead, 'The project with its new settings.') },
      refusals: {
        404: noProject,
        409: 'The region cannot change while databases run in the cluster, or it is being deleted.',
      },
    },
    (context) => {
      const { caches } = context;
      return async function changeProject(ctx, { view }, { path, body }) {
        const placed = inCluster(caches, path.project);
        const project = await projectChanges(context)(ctx, path.project, (found) =>
          settingsChanged(found, body, placed),
        );
        return sendJson(ctx, projectRead(project, view));
      };
    },
  ),
  'DELETE /projects/{project}': route(
    {
      group,
      summary: 'Deletes a project with everything in it.',
      path,
      query: Type.Object({ confirmName: Type.Optional(text('The name of the project, once more.')) }),
      answers: { 200: uncached(deleted, 'It is being deleted.') },
      refusals: { 404: noProject, 409: 'Another has taken its name.' },
    },
    deleteProject,
  ),
  ...instanceRoutes('/projects/{project}', {
    group,
    one: 'a project',
    kind: projects.kind,
    path,
    absent: noProject,
    find: (ctx, { caches }, _, { project }) => projectIn(ctx, caches, project),
  }),
  'POST /projects/{project}/environments': route(
    {
      group,
      summary: 'Adds an environment to a project.',
      path,
      body: { schema: environmentRequest },
      answers: { 201: uncached(resourceRead, 'The project with its new environment.') },
      refusals: {
        404: noProject,
        409: 'The project has an environment of this name, has as many as it may, or is being deleted.',
      },
    },
    (context) =>
      async function addEnvironment(ctx, { view }, { path, body }) {
        const project = await projectChanges(context)(ctx, path.project, (found) => environmentAdded(found, body.name));
        return sendJson(ctx, projectRead(project, view), 201);
      },
  ),
  'DELETE /projects/{project}/environments/{environment}': route(
    {
      group,
      summary: 'Deletes an environment of a project with everything in it.',
      path: { ...path, environment: objectName },
      query: Type.Object({ confirmName: Type.Optional(text('The name of the environment, once more.')) }),
      answers: { 200: uncached(deleted, 'It is being deleted, and leaves the list of the project last.') },
      refusals: {
        404: 'There is no such project or environment.',
        409: 'It is the last one, or the project is being deleted.',
      },
    },
    (context) => {
      const { run, caches, tokens } = context;
      return async function removeEnvironment(ctx, _, { path: { project, environment: name }, query }) {
        const noEnvironment = () => refuse(ctx, 404, `environment "${name}" was not found`);
        if (!isListed(projectIn(ctx, caches, project), name)) return noEnvironment();
        requireConfirmName(ctx, query.confirmName, name, 'environment');
        const marked = await projectChanges(context)(ctx, project, (found) =>
          isListed(found, name) ? environmentRemoved(found, name) : noEnvironment(),
        );
        // After the mark, so that none is made in between.
        orThrow(ctx, await run(tokens.revokeOfProject(marked, name)));
        return sendJson(ctx, { name, kind: 'Environment', deleted: true });
      };
    },
  ),
  'POST /projects/{project}/deploy': route(
    {
      group: 'Services',
      summary: 'Deploys everything of an environment that waits for a deploy, drafts included.',
      path,
      body: { schema: Type.Object({ environment: text() }) },
      answers: { 200: uncached(environmentDeployed, 'What was deployed, and what was refused and why.') },
      refusals: { 404: noProject },
    },
    deployEnvironment,
  ),
} satisfies Resource;

const isListed = ({ spec }: CoreProject, environment: string): boolean => spec.environments.includes(environment);

/** The databases of a project that run in the cluster, drafts included. */
const inCluster = (reader: CacheReader, project: string): readonly string[] =>
  reader
    .indexed(databases, byProject.name, project)
    .filter(({ spec }) => spec.placement === 'InCluster')
    .map(({ metadata }) => metadata.name)
    .toSorted();
