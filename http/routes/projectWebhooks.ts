import type { RouterContext } from '@koa/router';
import { coreProject, type CoreProject, type Webhook, type WebhookDelivery } from '../../crds/coreProject.ts';
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
import { type Delivering, deliveriesOf, redelivered, tested } from '../../rules/webhookDelivery/waiting.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { DeliveryAsked, WebhookCreated } from './projectWebhooks/shapes.ts';
import type { Deleted } from './resource.ts';
import { encode } from '../auth/directory.ts';
import { sendJson, sendPlain } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import { sendInOrder } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { deliveryTold, webhookTold } from '../views/webhook.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

interface Named {
  readonly project: string;
  readonly webhook: string;
}

/** The webhooks of a project: their settings are in its spec, their secrets in a Secret of their own. */
export function projectWebhookRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run, random, now } = context;
  const { webhookJudge: judge } = context.settings;
  const { caches } = operator;
  const change = projectChanges(context);
  const hex = (bytes: number) => random(bytes).toString('hex');

  const webhookOf = (ctx: RouterContext, project: CoreProject, id: string): Webhook =>
    webhookIn(project, id) ?? refuse(ctx, 404, `webhook "${id.slice(0, 80)}" was not found`);
  const found = (ctx: RouterContext, { project: name, webhook }: Named) => {
    const project = projectIn(ctx, caches, name);
    return { project, webhook: webhookOf(ctx, project, webhook) };
  };

  routes.on('GET /projects/{project}/webhooks', function listWebhooks(ctx, access, { path, query }) {
    const project = projectIn(ctx, caches, path.project);
    const items = webhooksOf(project).map((webhook) => webhookTold(project, webhook, caches));
    sendInOrder(ctx, context, { access, query, items, idOf: ({ id }) => id });
  });

  routes.on('POST /projects/{project}/webhooks', async function addWebhook(ctx, _, { path, body }) {
    const webhook: Webhook = { id: hex(4), disabled: false, ...body };
    const refusals = (project: CoreProject) => webhookAdded(project, webhook, judge);
    // A refusal comes before anything is written, and the secret before the project names it.
    const project = await change(ctx, path.project, (one) => {
      const refusal = refusals(one);
      return refusal.is === 'refused' ? refusal : changed(null);
    });
    const secret = await drawSecret(ctx, project, webhook.id);
    await change(ctx, path.project, refusals);
    sendPlain(ctx, { id: webhook.id, secret } satisfies WebhookCreated, 201);
  });

  routes.on('PATCH /projects/{project}/webhooks/{webhook}', async function changeWebhook(ctx, _, { path, body }) {
    const project = await change(ctx, path.project, (one) => {
      webhookOf(ctx, one, path.webhook);
      return webhookChanged(one, path.webhook, body, judge);
    });
    sendJson(ctx, webhookTold(project, webhookOf(ctx, project, path.webhook), caches));
  });

  routes.on('DELETE /projects/{project}/webhooks/{webhook}', async function removeWebhook(ctx, _, { path }) {
    await change(ctx, path.project, (project) => {
      webhookOf(ctx, project, path.webhook);
      return webhookRemoved(project, path.webhook);
    });
    const forgetting = changeSecret(caches, webhookSecretOf(path.project), (secret) => ({
      keys: secret?.data?.[path.webhook] === undefined ? null : { [path.webhook]: null },
      result: null,
    }));
    orThrow(ctx, await run(forgetting));
    sendJson(ctx, { name: path.webhook, kind: 'Webhook', deleted: true } satisfies Deleted);
  });

  routes.on('POST /projects/{project}/webhooks/{webhook}/rotate', async function rotate(ctx, _, { path }) {
    const project = await change(ctx, path.project, (one) => {
      webhookOf(ctx, one, path.webhook);
      return changed(null);
    });
    const secret = await drawSecret(ctx, project, path.webhook);
    sendPlain(ctx, { id: path.webhook, secret } satisfies WebhookCreated);
  });

  routes.on('POST /projects/{project}/webhooks/{webhook}/test', async function sendTest(ctx, _, { path }) {
    const deliveryId = hex(16);
    const drawn = { eventHex: hex(16), deliveryId, at: isoTime(now()) };
    await deliver(ctx, path, (project) => tested(project, testEvent(project, path.webhook, drawn)));
    sendJson(ctx, { deliveryId } satisfies DeliveryAsked);
  });

  routes.on(
    'GET /projects/{project}/webhooks/{webhook}/deliveries',
    function listDeliveries(ctx, access, { path, query }) {
      const { project, webhook } = found(ctx, path);
      const items = deliveriesOf(project)
        .filter(({ webhookId }) => webhookId === webhook.id)
        .map((delivery) => deliveryTold(project, delivery));
      sendInOrder(ctx, context, { access, query, items, idOf: ({ deliveryId }) => deliveryId });
    },
  );

  routes.on(
    'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver',
    async function redeliver(ctx, _, { path }) {
      const deliveryId = hex(16);
      await deliver(ctx, path, (project) => redelivered(project, deliveryIn(ctx, project, path), deliveryId));
      sendJson(ctx, { deliveryId } satisfies DeliveryAsked);
    },
  );

  const deliveryIn = (
    ctx: RouterContext,
    project: CoreProject,
    { webhook, delivery }: Named & { readonly delivery: string },
  ): WebhookDelivery =>
    deliveriesOf(project).find(({ deliveryId, webhookId }) => deliveryId === delivery && webhookId === webhook) ??
    refuse(ctx, 404, `delivery "${delivery.slice(0, 80)}" was not found`);

  /** Leaves what is to be delivered to the next pass. */
  async function deliver(ctx: RouterContext, path: Named, follow: (project: CoreProject) => Delivering): Promise<void> {
    found(ctx, path);
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

  async function drawSecret(ctx: RouterContext, project: CoreProject, id: string): Promise<string> {
    const secret = `whsec_${hex(24)}`;
    await write(ctx, project, { [id]: encode(secret) });
    return secret;
  }

  async function write(ctx: RouterContext, project: CoreProject, keys: SecretKeys): Promise<void> {
    const written = { keys, beside: { owner: ownerReference(coreProject, project) }, result: null };
    orThrow(ctx, await run(changeSecret(caches, webhookSecretOf(project.metadata.name), () => written)));
  }
}
