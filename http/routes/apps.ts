import { requireConfirmName } from '../request/confirmName.ts';
import { Optional as optional, Type } from '@sinclair/typebox';
import type { CoreApp } from '../../crds/coreApp.ts';
import { isInScope } from '../auth/guard.ts';
import { sendInOrder } from '../lists/items.ts';
import { resourceList } from '../lists/resources.ts';
import { objectName, text } from '../openapi/kit.ts';
import { deployedQuery, pageQuery, pages } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow } from '../orThrow.ts';
import { keptReads, sendJson, sendRead } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { appActionRoutes } from './apps/actions.ts';
import { createService } from './apps/create.ts';
import { appLogRoutes } from './apps/logs.ts';
import { patchService } from './apps/patch.ts';
import { serviceIn } from './apps/serviceIn.ts';
import { appRequest, appChanged, deployment, pod, statusItem as statusItemShape } from './apps/shapes.ts';
import { appVariableRoutes } from './apps/variables.ts';
import { instanceRoutes } from './instance.ts';
import { change, created, deleted, resourceRead, summary } from './resource.ts';
import { appRead, appSummary } from '../views/app.ts';
import { appPods } from '../views/appPods.ts';
import { statusItem } from '../views/appStatus.ts';
import { changesOf } from '../views/changes.ts';
import { deploymentsOf } from '../views/deployment.ts';
import { placedOn } from '../views/placed.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';

const path = { app: objectName };
const refusals = { 404: 'There is no such service, or the token may not see it.' } as const;
const mebibyte = 1024 * 1024;

/** Services: what they are, what they do, and how they are created, changed and deleted. */
export const appRoutes = {
  'GET /apps': route(
    {
      group: 'Services',
      summary: 'Lists the services, by name.',
      path: {},
      query: Type.Object(deployedQuery),
      ...pages(summary, 'The services that the caller may see.'),
    },
    (context) => {
      const send = resourceList(context, apps, { show: appSummary, gated: 'service' });
      return (ctx, access, { query }) => send(ctx, { access, query, isIn: ({ spec }) => isInScope(access, spec) });
    },
  ),
  'GET /apps/{app}': route(
    {
      group: 'Services',
      summary: 'Reads a service with its spec and status.',
      path,
      answers: read(resourceRead, 'The service; values of secrets are blank.'),
      refusals,
    },
    (context) => {
      const send = keptReads(appRead);
      return (ctx, access) => send(ctx, serviceIn(ctx, context, access), access.view, context.settings.gitUrl);
    },
  ),
  'GET /apps/{app}/status': route(
    {
      group: 'Services',
      summary: 'Returns the state of a service, in the words that the command line prints.',
      path,
      answers: read(statusItemShape, 'What it is doing.'),
      refusals,
    },
    (context) => {
      const { caches, settings } = context;
      const { gitUrl } = settings;
      return (ctx, access) => {
        sendRead(ctx, statusItem(serviceIn(ctx, context, access), caches, { view: access.view, gitUrl }));
      };
    },
  ),
  'GET /apps/{app}/changes': route(
    {
      group: 'Services',
      summary: 'Lists what is saved and waits for a deploy, against what runs.',
      path,
      query: Type.Object(pageQuery),
      ...pages(change, 'The changes, by path.', refusals),
    },
    (context) =>
      (ctx, access, { query }) => {
        const items = changesOf('CoreApp', serviceIn(ctx, context, access), access.view);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ path }) => path });
      },
  ),
  'GET /apps/{app}/pods': route(
    {
      group: 'Services',
      summary: 'Lists the pods of a service, by name.',
      path,
      query: Type.Object(pageQuery),
      ...pages(pod, 'The pods.', refusals),
    },
    (context) => {
      const { caches } = context;
      return (ctx, access, { query }) => {
        const items = appPods(serviceIn(ctx, context, access), caches);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ name }) => name });
      };
    },
  ),
  'GET /apps/{app}/deployments': route(
    {
      group: 'Services',
      summary: 'Lists the deploys of a service that are kept, the newest first.',
      path,
      query: Type.Object(pageQuery),
      ...pages(deployment, 'The records.', refusals),
    },
    (context) => {
      const { caches } = context;
      return (ctx, access, { query }) => {
        const items = deploymentsOf(serviceIn(ctx, context, access), caches, access.view);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ id }) => id });
      };
    },
  ),
  ...instanceRoutes('/apps/{app}', {
    group: 'Services',
    one: 'a service',
    kind: apps.kind,
    path,
    absent: refusals[404],
    find: serviceIn,
  }),
  'POST /apps': route(
    {
      group: 'Services',
      summary: 'Creates a service, as a draft or deployed.',
      path: {},
      body: { schema: appRequest, maxBytes: mebibyte },
      answers: { 201: uncached(created, 'It is created; `deployed` says whether it was deployed too.') },
      refusals: {
        409: 'The name is taken, the cluster has no room, or the project is not linked. Nothing was saved.',
      },
    },
    createService,
  ),
  'PATCH /apps/{app}': route(
    {
      group: 'Services',
      summary: 'Saves settings of a service; those that replace no pods apply at once, the others wait for a deploy.',
      path,
      body: { schema: appChanged, maxBytes: mebibyte },
      answers: { 200: uncached(statusItemShape, 'What it is doing, with the settings saved.') },
      refusals: {
        ...refusals,
        409: 'The host belongs to another service or to the dashboard, or the service is being deleted.',
      },
    },
    patchService,
  ),
  'DELETE /apps/{app}': route(
    {
      group: 'Services',
      summary: 'Deletes a service with everything that runs of it.',
      path,
      query: Type.Object({ confirmName: optional(text('The name of the service, once more.')) }),
      answers: { 200: uncached(deleted, 'Its deletion has begun.') },
      refusals,
    },
    (context) => {
      const { operator, settings, run } = context;
      return async function deleteService(ctx, access, { query }) {
        const app: CoreApp = serviceIn(ctx, context, access);
        const { name } = app.metadata;
        requireConfirmName(ctx, query.confirmName, name, 'service');
        const { controller } = placedOn(operator, settings.machines, { kind: 'CoreApp', machine: 'service' });
        orThrow(ctx, await run(operator.remove(controller, app)));
        return sendJson(ctx, { name, kind: 'CoreApp', deleted: true });
      };
    },
  ),
  ...appLogRoutes,
  ...appVariableRoutes,
  ...appActionRoutes,
} satisfies Resource;
