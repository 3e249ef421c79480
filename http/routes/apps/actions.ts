import { Optional as optional, Type } from '@sinclair/typebox';
import { type Access, callerIn, isInScope } from '../../auth/guard.ts';
import { text } from '../../openapi/kit.ts';
import { uncached } from '../../openapi/schema.ts';
import { orThrow, type Refusal, refuse } from '../../orThrow.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import { type Resource, route, type RouteContext } from '../../route.ts';
import { commanded, deployedAs, drawnRecord } from './command.ts';
import { group, path, refusals } from './described.ts';
import { serviceIn } from './serviceIn.ts';
import { scaled } from './shapes.ts';
import { deployed, done, type Done } from '../resource.ts';
import { currentBuildOf } from '../../views/build.ts';
import { placedOn } from '../../views/placed.ts';
import type { BuildAsked } from '../../../rules/build/facts.ts';
import { rollbackOf } from '../../../rules/deploymentRecord/rollbackPatch.ts';
import { scaledNote } from '../../../rules/service/scaled.ts';
import { stateOf } from '../../../rules/state.ts';
import { apps, deployments } from '../../../runtime/services/cluster/kinds.ts';

const noCapacity = 'The cluster has no room for it. Nothing was saved.';
const gate = 'draftDeploy' as const;

const rebuild = { is: 'rebuild' } satisfies BuildAsked;
const cancel = { is: 'cancel' } satisfies BuildAsked;
const notBuilt: Refusal = { status: 409, text: 'the app has not been built yet' };
const finished: Refusal = { status: 409, text: 'the build has already finished, so there is nothing to cancel' };

/** What is done with services and their builds: the machine that a route names decides (document 000, Endpoints). */
export const appActionRoutes = {
  'POST /apps/{app}/deploy': route(
    {
      group,
      summary: 'Deploys a service as it is saved; without changes its pods restart.',
      path,
      answers: { 200: uncached(deployed, 'The deploy is saved, and the operator takes it up.') },
      refusals: { ...refusals, 409: noCapacity },
    },
    (context) =>
      async function deployService(ctx, access) {
        const { name } = serviceIn(ctx, context, access).metadata;
        const revision = drawnRecord(context, name);
        const asked = { is: 'deploy', revision } as const;
        const app = await commanded(ctx, context, access, { name, machine: gate, asked });
        sendJson(ctx, deployedAs(app, revision));
      },
  ),
  'POST /apps/{app}/rollback': route(
    {
      group,
      summary: 'Deploys what an earlier record holds: the image and the copies, or of a repository the copies alone.',
      path,
      body: { schema: Type.Object({ revision: optional(text('The name of a record of this service.')) }) },
      answers: { 200: uncached(deployed, 'It is deployed; `note` says what came back.') },
      refusals: { ...refusals, 409: 'A function cannot be rolled back, or the cluster has no room.' },
    },
    (context) => {
      const { caches } = context;
      return async function rollBack(ctx, access, { body }) {
        const app = serviceIn(ctx, context, access);
        const { name } = app.metadata;
        const { revision: asked = '' } = body;
        const found = rollbackOf(app, asked, caches.get(deployments, asked));
        if (found.is === 'refused') return refuse(ctx, found.status, found.text);
        const revision = drawnRecord(context, name);
        const deploy = { is: 'deploy', revision, spec: found.spec, backTo: asked } as const;
        const rolledBack = await commanded(ctx, context, access, { name, machine: gate, asked: deploy });
        return sendJson(ctx, deployedAs(rolledBack, revision, found.note));
      };
    },
  ),
  'POST /apps/{app}/retry': route(
    {
      group,
      summary: 'Tries again to bring up a service that was given up.',
      path,
      answers: { 200: uncached(done, 'It is tried again.') },
      refusals: { ...refusals, 409: 'It was not given up.' },
    },
    (context) =>
      async function retryService(ctx, access) {
        const { name } = serviceIn(ctx, context, access).metadata;
        const app = await commanded(ctx, context, access, { name, machine: 'provisionRetry', asked: 'retry' });
        sendJson(ctx, { name, state: stateOf(app), note: 'Retrying provisioning' });
      },
  ),
  'POST /apps/{app}/scale': route(
    {
      group,
      summary: 'Sets the number of copies, at once and without a deploy.',
      path,
      body: {
        schema: Type.Object({ replicas: Type.Integer({ minimum: 0, maximum: 1000 }) }),
        whole: 'replicas must be a whole number from 0 to 1000',
      },
      answers: { 200: uncached(scaled, 'It is saved.') },
      refusals,
    },
    (context) =>
      async function scaleService(ctx, access, { body: { replicas } }) {
        const { name } = serviceIn(ctx, context, access).metadata;
        const asked = { is: 'save', spec: { replicas } } as const;
        const app = await commanded(ctx, context, access, { name, machine: gate, asked });
        const note = scaledNote(app);
        sendJson(ctx, { name, replicas, state: stateOf(app), ...(note === '' ? {} : { note }) });
      },
  ),
  'POST /apps/{app}/networking/delete': route(
    {
      group,
      summary: 'Takes the domain of a service away, and records it.',
      path,
      answers: { 200: uncached(deployed, 'It is taken away.') },
      refusals,
    },
    (context) =>
      async function clearDomain(ctx, access) {
        const { name } = serviceIn(ctx, context, access).metadata;
        const record = drawnRecord(context, name);
        const asked = { is: 'save', spec: { networking: { host: null } }, record } as const;
        const app = await commanded(ctx, context, access, { name, machine: gate, asked });
        sendJson(ctx, deployedAs(app, record));
      },
  ),
  'POST /apps/{app}/build': route(
    {
      group,
      summary: 'Builds the current build of a service again.',
      path,
      answers: { 200: uncached(done, 'It builds again.') },
      refusals: { ...refusals, 409: 'The service has not been built yet.' },
    },
    (context) =>
      (ctx, access, { path }) =>
        commandBuild(ctx, context, access, { app: path.app, asked: rebuild }),
  ),
  'POST /apps/{app}/build/cancel': route(
    {
      group,
      summary: 'Cancels the current build of a service.',
      path,
      answers: { 200: uncached(done, 'It is being cancelled.') },
      refusals: { ...refusals, 409: 'The service has not been built yet, or the build has finished.' },
    },
    (context) =>
      (ctx, access, { path }) =>
        commandBuild(ctx, context, access, { app: path.app, asked: cancel }),
  ),
} satisfies Resource;

interface BuildCommand {
  readonly app: string;
  readonly asked: BuildAsked;
}

/** One command on the current build of a service, decided by the machine (document 000). */
async function commandBuild(
  ctx: AnswerContext<Done>,
  { operator, settings, run, caches }: RouteContext,
  access: Access,
  { app, asked }: BuildCommand,
) {
  const service = caches.get(apps, app);
  if (!service || !isInScope(access, service.spec)) return refuse(ctx, 404, `service "${app}" was not found`);
  const build = currentBuildOf(caches, app);
  if (!build) return refuse(ctx, notBuilt.status, notBuilt.text);
  const { controller, lifecycle } = placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' });
  const { name } = build.metadata;
  const by = callerIn(access).username;
  const moved = await run(operator.move(controller, lifecycle, name, { asked, by }));
  // If it was deleted in between, the service has no build, and makes a new one in its next pass.
  const object = orThrow(ctx, moved, { CommandRejected: finished, NotFound: notBuilt });
  return sendJson(ctx, { name, state: lifecycle.shown(object) });
}
