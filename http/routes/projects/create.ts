import type { RouterContext } from '@koa/router';
import { Result } from 'effect';
import { platformConfigName } from '../../../crds/corePlatformConfig.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import {
  clusterChosen,
  firstEnvironment,
  newProject,
  projectId,
  randomSlug,
  slugOf,
} from '../../../rules/project/newProject.ts';
import { clusters, platformConfigs, projects } from '../../../runtime/services/cluster/kinds.ts';
import { alreadyExists, refuse, savedOrThrow } from '../../orThrow.ts';
import type { Created } from '../resource.ts';
import type { Access } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { projectRequest } from './shapes.ts';
import type { ServerContext } from '../../context.ts';
import { projectSummary } from '../../views/project.ts';

type Fields = Static<typeof projectRequest>;

/** Drawn ids are taken so seldom that this many tries fail only where something else is wrong. */
const tries = 3;

/** A new project with the environment `production`; nothing of a project waits for a deploy. */
export const createProject =
  (context: ServerContext) =>
  async (ctx: AnswerContext<Created>, { view }: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const input = inputOf(ctx, context, body);
    const created = await added(ctx, context, input);
    const { name } = created.metadata;
    const answer = {
      name,
      kind: 'CoreProject',
      project: name,
      environment: firstEnvironment,
      deployed: true,
      draft: false,
    };
    return sendJson(ctx, { ...answer, resource: projectSummary(created, view) }, 201);
  };

type ProjectInput = Omit<Parameters<typeof newProject>[0], 'id'>;

function inputOf(ctx: RouterContext, { operator: { caches }, random }: ServerContext, fields: Fields): ProjectInput {
  const displayName = fields.displayName === undefined ? randomSlug(random(3)) : slugOf(fields.displayName);
  if (displayName === '') return refuse(ctx, 400, 'displayName must have a letter or a digit');
  const chosen = clusterChosen(fields.cluster, {
    clusters: caches.list(clusters).map(({ metadata }) => metadata.name),
    byDefault: caches.get(platformConfigs, platformConfigName)?.spec.defaultClusterRef?.name ?? '',
  });
  if (chosen.is !== 'chosen') return refuse(ctx, chosen.is === 'unknown' ? 400 : 409, chosen.says);
  return { displayName, cluster: chosen.name, region: fields.region ?? '' };
}

async function added(
  ctx: RouterContext,
  { operator, random, run }: ServerContext,
  given: ProjectInput,
): Promise<CoreProject> {
  for (let more = tries; ; more--) {
    const id = projectId(random(4));
    const result = await run(operator.add(projects, newProject({ ...given, id })));
    const isTaken = Result.isFailure(result) && result.failure._tag === 'AlreadyExists';
    if (!isTaken || more === 1) return savedOrThrow(ctx, result, { AlreadyExists: alreadyExists('project', id) });
  }
}
