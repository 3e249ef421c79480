import type { CoreApp } from '../../../crds/coreApp.ts';
import { deployments } from '../../../runtime/services/cluster/kinds.ts';
import { rollbackOf } from '../../../rules/deploymentRecord/rollbackPatch.ts';
import { scaledNote } from '../../../rules/service/scaled.ts';
import { stateOf } from '../../../rules/state.ts';
import { orThrow, refuse } from '../../orThrow.ts';
import type { Scaled } from '../apps/shapes.ts';
import type { Deleted, Done } from '../resource.ts';
import { sendJson } from '../../response.ts';
import type { Routes } from '../../registeredRoutes.ts';
import type { ServerContext } from '../../context.ts';
import { placedOn } from '../../views/placed.ts';
import { commanded, deployedAs, drawnRecord } from '../apps/command.ts';
import { serviceIn } from '../apps/serviceIn.ts';

const gate = 'draftDeploy' as const;

/** What is done with a service: the machine that a route names decides. */
export function serviceActions(routes: Routes, context: ServerContext): void {
  const { operator, settings, run } = context;

  routes.on('POST /apps/{app}/deploy', async function deployService(ctx, access) {
    const { name } = serviceIn(ctx, context, access).metadata;
    const revision = drawnRecord(context, name);
    const asked = { is: 'deploy', revision } as const;
    const app = await commanded(ctx, context, access, { name, machine: gate, asked });
    sendJson(ctx, deployedAs(app, revision));
  });

  routes.on('POST /apps/{app}/rollback', async function rollBack(ctx, access, { body }) {
    const app = serviceIn(ctx, context, access);
    const { name } = app.metadata;
    const { revision: asked = '' } = body;
    const found = rollbackOf(app, asked, operator.caches.get(deployments, asked));
    if (found.is === 'refused') return refuse(ctx, found.status, found.text);
    const revision = drawnRecord(context, name);
    const deploy = { is: 'deploy', revision, spec: found.spec, backTo: asked } as const;
    const rolledBack = await commanded(ctx, context, access, { name, machine: gate, asked: deploy });
    return sendJson(ctx, deployedAs(rolledBack, revision, found.note));
  });

  routes.on('POST /apps/{app}/retry', async function retryService(ctx, access) {
    const { name } = serviceIn(ctx, context, access).metadata;
    const app = await commanded(ctx, context, access, { name, machine: 'provisionRetry', asked: 'retry' });
    sendJson(ctx, { name, state: stateOf(app), note: 'Retrying provisioning' } satisfies Done);
  });

  routes.on('POST /apps/{app}/scale', async function scaleService(ctx, access, { body: { replicas } }) {
    const { name } = serviceIn(ctx, context, access).metadata;
    const asked = { is: 'save', spec: { replicas } } as const;
    const app = await commanded(ctx, context, access, { name, machine: gate, asked });
    const note = scaledNote(app);
    sendJson(ctx, { name, replicas, state: stateOf(app), ...(note === '' ? {} : { note }) } satisfies Scaled);
  });

  routes.on('POST /apps/{app}/networking/delete', async function clearDomain(ctx, access) {
    const { name } = serviceIn(ctx, context, access).metadata;
    const record = drawnRecord(context, name);
    const asked = { is: 'save', spec: { networking: { host: null } }, record } as const;
    const app = await commanded(ctx, context, access, { name, machine: gate, asked });
    sendJson(ctx, deployedAs(app, record));
  });

  routes.on('DELETE /apps/{app}', async function deleteService(ctx, access, { query }) {
    const app: CoreApp = serviceIn(ctx, context, access);
    const { name } = app.metadata;
    if (query.confirmName !== name) return refuse(ctx, 400, 'confirmName must be the name of the service');
    const { controller } = placedOn(operator, settings.machines, { kind: 'CoreApp', machine: 'service' });
    orThrow(ctx, await run(operator.remove(controller, app)));
    return sendJson(ctx, { name, kind: 'CoreApp', deleted: true } satisfies Deleted);
  });
}
