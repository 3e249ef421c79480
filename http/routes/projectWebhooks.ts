import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import { coreProject, type CoreProject, type Webhook, type WebhookDelivery } from '../../crds/coreProject.ts';
import { encode } from '../auth/directory.ts';
import { sendInOrder } from '../lists/items.ts';
import { objectName, pathText } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import { sendJson, sendPlain } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import {
  deliveryAsked,
  deliveryItem,
  webhookRequest,
  webhookChange,
  webhookCreated,
  webhookItem,
} from './projectWebhooks/shapes.ts';
import { deleted } from './resource.ts';
import { deliveryTold, webhookTold } from '../views/webhook.ts';
import { ownerReference } from '../../rules/owned/ownerReference.ts';
import { changed } from '../../rules/project/change.ts';
import {
  webhookAdded,
  webhookChanged,
  webhookIn,
  webhookRemoved,
  webhookSecretOf,
  webhooksOf,
} from '../../rules/project/webhooks.ts';
import { isoTime } from '../../rules/time.ts';
import { testEvent } from '../../rules/webhookDelivery/event.ts';
import { deliveriesOf, type Delivering, redelivered, tested } from '../../rules/webhookDelivery/waiting.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';

const group = 'Projects';
const path = { project: objectName };
const one = { ...path, webhook: pathText };
const noProject = 'There is no such project.';
const noWebhook = 'There is no such project or webhook.';
const isDeleted = 'The project is being deleted.';

interface Named {
  readonly project: string;
  readonly webhook: string;
}

/** The webhooks of a project: their settings are in its spec, their secrets in a Secret of their own. */
export const projectWebhookRoutes = {
  'GET /projects/{project}/webhooks': route(
    {
      group,
      summary: 'Lists the webhooks of a project, without their secrets.',
      path,
      query: Type.Object(pageQuery),
      ...pages(webhookItem, 'The webhooks.', { 404: noProject }),
    },
    (context) => {
      const { caches } = context;
      return function listWebhooks(ctx, access, { path, query }) {
        const project = projectIn(ctx, caches, path.project);
        const items = webhooksOf(project).map((webhook) => webhookTold(project, webhook, caches));
        sendInOrder(ctx, context, { access, query, items, idOf: ({ id }) => id });
      };
    },
  ),
  'POST /projects/{project}/webhooks': route(
    {
      group,
      summary: 'Adds a webhook to a project; its secret is returned once.',
      path,
      body: { schema: webhookRequest },
      answers: { 201: uncached(webhookCreated, 'It is added.') },
      refusals: { 404: noProject, 409: 'The project has 20, or is being deleted.' },
    },
    (context) => {
      const { settings } = context;
      return async function addWebhook(ctx, _, { path, body }) {
        const webhook: Webhook = { id: hex(context, 4), disabled: false, ...body };
        const refusals = (project: CoreProject) => webhookAdded(project, webhook, settings.webhookJudge);
        // A refusal comes before anything is written, and the secret before the project names it.
        const project = await projectChanges(context)(ctx, path.project, (one) => {
          const refusal = refusals(one);
          return refusal.is === 'refused' ? refusal : changed(null);
        });
        const secret = await drawSecret(ctx, context, project, webhook.id);
        await projectChanges(context)(ctx, path.project, refusals);
        sendPlain(ctx, { id: webhook.id, secret }, 201);
      };
    },
  ),
  'PATCH /projects/{project}/webhooks/{webhook}': route(
    {
      group,
      summary: 'Changes a webhook, or pauses it.',
      path: one,
      body: { schema: webhookChange },
      answers: { 200: uncached(webhookItem, 'The webhook.') },
      refusals: { 404: noWebhook, 409: isDeleted },
    },
    (context) => {
      const { settings, caches } = context;
      return async function changeWebhook(ctx, _, { path, body }) {
        const project = await projectChanges(context)(ctx, path.project, (one) => {
          webhookOf(ctx, one, path.webhook);
          return webhookChanged(one, path.webhook, body, settings.webhookJudge);
        });
        sendJson(ctx, webhookTold(project, webhookOf(ctx, project, path.webhook), caches));
      };
    },
  ),
  'DELETE /projects/{project}/webhooks/{webhook}': route(
    {
      group,
      summary: 'Removes a webhook with its secret.',
      path: one,
      answers: { 200: uncached(deleted, 'It is removed.') },
      refusals: { 404: noWebhook, 409: isDeleted },
    },
    (context) => {
      const { run, caches } = context;
      return async function removeWebhook(ctx, _, { path }) {
        await projectChanges(context)(ctx, path.project, (project) => {
          webhookOf(ctx, project, path.webhook);
          return webhookRemoved(project, path.webhook);
        });
        const forgetting = changeSecret(caches, webhookSecretOf(path.project), (secret) => ({
          keys: secret?.data?.[path.webhook] === undefined ? null : { [path.webhook]: null },
          result: null,
        }));
        orThrow(ctx, await run(forgetting));
        sendJson(ctx, { name: path.webhook, kind: 'Webhook', deleted: true });
      };
    },
  ),
  'POST /projects/{project}/webhooks/{webhook}/rotate': route(
    {
      group,
      summary: 'Gives a webhook a new secret, which is returned once.',
      path: one,
      answers: { 200: uncached(webhookCreated, 'The new secret signs from now on.') },
      refusals: { 404: noWebhook, 409: isDeleted },
    },
    (context) =>
      async function rotate(ctx, _, { path }) {
        const project = await projectChanges(context)(ctx, path.project, (one) => {
          webhookOf(ctx, one, path.webhook);
          return changed(null);
        });
        const secret = await drawSecret(ctx, context, project, path.webhook);
        sendPlain(ctx, { id: path.webhook, secret });
      },
  ),
  'POST /projects/{project}/webhooks/{webhook}/test': route(
    {
      group,
      summary: 'Sends a test event, in one attempt.',
      path: one,
      answers: { 200: uncached(deliveryAsked, 'It will be sent.') },
      refusals: { 404: noWebhook, 409: 'The webhook is paused, or too many events wait.' },
    },
    (context) => {
      const { now } = context;
      return async function sendTest(ctx, _, { path }) {
        const deliveryId = hex(context, 16);
        const drawn = { eventHex: hex(context, 16), deliveryId, at: isoTime(now()) };
        await deliver(ctx, context, path, (project) => tested(project, testEvent(project, path.webhook, drawn)));
        sendJson(ctx, { deliveryId });
      };
    },
  ),
  'GET /projects/{project}/webhooks/{webhook}/deliveries': route(
    {
      group,
      summary: 'Lists the deliveries of a webhook among the newest 20 of its project, the newest first.',
      path: one,
      query: Type.Object(pageQuery),
      ...pages(deliveryItem, 'The deliveries.', { 404: noWebhook }),
    },
    (context) =>
      function listDeliveries(ctx, access, { path, query }) {
        const { project, webhook } = found(ctx, context, path);
        const items = deliveriesOf(project)
          .filter(({ webhookId }) => webhookId === webhook.id)
          .map((delivery) => deliveryTold(project, delivery));
        sendInOrder(ctx, context, { access, query, items, idOf: ({ deliveryId }) => deliveryId });
      },
  ),
  'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': route(
    {
      group,
      summary: 'Sends the event of a delivery again.',
      path: { ...one, delivery: pathText },
      answers: { 200: uncached(deliveryAsked, 'It will be sent.') },
      refusals: {
        404: 'There is no such project, webhook or delivery.',
        409: 'The webhook is paused, the delivery is under way, or its event is kept no longer.',
      },
    },
    (context) =>
      async function redeliver(ctx, _, { path }) {
        const deliveryId = hex(context, 16);
        await deliver(ctx, context, path, (project) =>
          redelivered(project, deliveryIn(ctx, project, path), deliveryId),
        );
        sendJson(ctx, { deliveryId });
      },
  ),
} satisfies Resource;

const hex = ({ random }: RouteContext, bytes: number): string => random(bytes).toString('hex');

const webhookOf = (ctx: RouterContext, project: CoreProject, id: string): Webhook =>
  webhookIn(project, id) ?? refuse(ctx, 404, `webhook "${id.slice(0, 80)}" was not found`);

const found = (ctx: RouterContext, { caches }: RouteContext, { project: name, webhook }: Named) => {
  const project = projectIn(ctx, caches, name);
  return { project, webhook: webhookOf(ctx, project, webhook) };
};

const deliveryIn = (
  ctx: RouterContext,
  project: CoreProject,
  { webhook, delivery }: Named & { readonly delivery: string },
): WebhookDelivery =>
  deliveriesOf(project).find(({ deliveryId, webhookId }) => deliveryId === delivery && webhookId === webhook) ??
  refuse(ctx, 404, `delivery "${delivery.slice(0, 80)}" was not found`);

/** Leaves what is to be delivered to the next pass. */
async function deliver(
  ctx: RouterContext,
  context: RouteContext,
  path: Named,
  follow: (project: CoreProject) => Delivering,
): Promise<void> {
  const { operator, run } = context;
  found(ctx, context, path);
  const edited = await run(
    operator.edit(projects, path.project, (project) => {
      const webhook = webhookOf(ctx, project, path.webhook);
      const asked: Delivering = webhook.disabled
        ? { is: 'refused', says: 'the webhook is disabled: nothing is sent' }
        : follow(project);
      const patch = asked.is === 'asked' ? { webhookEvents: asked.webhookEvents } : null;
      return { patch, ofStatus: true, result: asked };
    }),
  );
  const { result } = savedOrThrow(ctx, edited);
  if (result.is === 'refused') refuse(ctx, 409, result.says);
}

async function drawSecret(
  ctx: RouterContext,
  context: RouteContext,
  project: CoreProject,
  id: string,
): Promise<string> {
  const secret = `whsec_${hex(context, 24)}`;
  await write(ctx, context, project, { [id]: encode(secret) });
  return secret;
}

async function write(
  ctx: RouterContext,
  { run, caches }: RouteContext,
  project: CoreProject,
  keys: SecretKeys,
): Promise<void> {
  const written = { keys, beside: { owner: ownerReference(coreProject, project) }, result: null };
  orThrow(ctx, await run(changeSecret(caches, webhookSecretOf(project.metadata.name), () => written)));
}
