import { Type } from '@sinclair/typebox';
import type { CoreProject, Webhook } from '../../crds/coreProject.ts';
import { sendInOrder } from '../lists/items.ts';
import { objectName, pathText } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson, sendPlain } from '../response.ts';
import { type Resource, route } from '../route.ts';
import {
  queuedDelivery,
  deliveryItem,
  webhookRequest,
  webhookChange,
  webhookCreated,
  webhookItem,
} from './projectWebhooks/shapes.ts';
import { deleted } from './resource.ts';
import { deliveryView, webhookView } from '../views/webhook.ts';
import { changed } from '../../rules/project/change.ts';
import {
  webhookAdded,
  webhookChanged,
  webhookRemoved,
  webhookSecretOf,
  webhooksOf,
} from '../../rules/project/webhooks.ts';
import { isoTime } from '../../rules/time.ts';
import { testEvent } from '../../rules/webhookDelivery/event.ts';
import { deliveriesOf, redelivered, tested } from '../../rules/webhookDelivery/waiting.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { deliveryIn, webhookAt, webhookOf } from './projectWebhooks/webhookIn.ts';
import { drawSecret, hex } from './projectWebhooks/secret.ts';
import { deliver } from './projectWebhooks/deliver.ts';

const group = 'Projects';
const path = { project: objectName };
const one = { ...path, webhook: pathText };
const noProject = 'There is no such project.';
const noWebhook = 'There is no such project or webhook.';
const isDeleted = 'The project is being deleted.';

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
        const items = webhooksOf(project).map((webhook) => webhookView(project, webhook, caches));
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
        sendJson(ctx, webhookView(project, webhookOf(ctx, project, path.webhook), caches));
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
      answers: { 200: uncached(queuedDelivery, 'It will be sent.') },
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
        const { project, webhook } = webhookAt(ctx, context, path);
        const items = deliveriesOf(project)
          .filter(({ webhookId }) => webhookId === webhook.id)
          .map((delivery) => deliveryView(project, delivery));
        sendInOrder(ctx, context, { access, query, items, idOf: ({ deliveryId }) => deliveryId });
      },
  ),
  'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': route(
    {
      group,
      summary: 'Sends the event of a delivery again.',
      path: { ...one, delivery: pathText },
      answers: { 200: uncached(queuedDelivery, 'It will be sent.') },
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
