import { Result } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { refuse, textOf } from '../../orThrow.ts';
import { hasEnvironment, liveProject, noProject } from './liveProject.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { RouteContext } from '../../route.ts';
import { drawnRecord } from '../apps/command.ts';
import type { EnvironmentDeployed } from '../apps/shapes.ts';
import { placedOn } from '../../views/placed.ts';
import type { DeployedKind } from '../../../rules/draftDeploy/facts.ts';
import { waitsForDeploy } from '../../../rules/draftDeploy/waits.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { byProject } from '../../../runtime/services/cluster/indexes.ts';
import { apps, databases, objectStores } from '../../../runtime/services/cluster/kinds.ts';

interface Gated extends KubeObject {
  readonly spec: {
    readonly project?: string;
    readonly environment?: string;
    readonly deploy?: { readonly enabled: boolean };
  };
}

/** The kinds that are deployed with their environment. */
const gatedKinds: readonly { readonly resource: Resource<Gated>; readonly kind: DeployedKind }[] = [
  { resource: databases, kind: 'database' },
  { resource: objectStores, kind: 'bucket' },
  { resource: apps, kind: 'service' },
];

interface Request {
  readonly path: { readonly project: string };
  readonly body: { readonly environment: string };
}

/** Deploys everything of an environment that waits: each is checked for room before it is saved. */
export const deployEnvironment = (context: RouteContext) => {
  const { caches } = context;
  return async (ctx: AnswerContext<EnvironmentDeployed>, access: Access, { path, body }: Request): Promise<void> => {
    const { environment } = body;
    const project = liveProject(caches, path.project) ?? refuse(ctx, 404, noProject(path.project));
    if (!hasEnvironment(project, environment))
      return refuse(ctx, 400, `project "${path.project}" has no ${environment} environment`);
    const ofProject = (resource: Resource<Gated>) => caches.indexed(resource, byProject.name, path.project);
    const isWithin = ({ spec }: Gated) => spec.environment === environment;
    const deployed: string[] = [];
    const refused: { kind: string; name: string; error: string }[] = [];
    for (const { resource, kind } of gatedKinds)
      for (const object of ofProject(resource).filter((one) => isWithin(one) && waitsForDeploy(kind, one))) {
        const { name } = object.metadata;
        const error = await deploy(context, resource, name, callerIn(access).username);
        if (error === null) deployed.push(name);
        else refused.push({ kind: resource.kind, name, error });
      }
    return sendJson(ctx, { project: path.project, environment, deployed, refused });
  };
};

async function deploy(context: RouteContext, { kind }: Resource, name: string, by: string): Promise<string | null> {
  const { operator, settings, run } = context;
  const { controller, lifecycle } = placedOn(operator, settings.machines, { kind, machine: 'draftDeploy' });
  const asked = kind === apps.kind ? { is: 'deploy', revision: drawnRecord(context, name) } : 'deploy';
  const moved = await run(operator.move(controller, lifecycle, name, { asked, by }));
  return Result.isSuccess(moved) ? null : textOf(moved.failure);
}
