import type { RouterContext } from '@koa/router';
import type { CoreProject, Webhook, WebhookDelivery } from '../../../crds/coreProject.ts';
import { refuse } from '../../orThrow.ts';
import { projectIn } from '../projects/change.ts';
import type { RouteContext } from '../../route.ts';
import { webhookIn } from '../../../rules/project/webhooks.ts';
import { deliveriesOf } from '../../../rules/webhookDelivery/waiting.ts';

/** The path of a webhook. */
export interface WebhookPath {
  readonly project: string;
  readonly webhook: string;
}

/** A webhook of a project; refused where there is none. */
export const webhookOf = (ctx: RouterContext, project: CoreProject, id: string): Webhook =>
  webhookIn(project, id) ?? refuse(ctx, 404, `webhook "${id.slice(0, 80)}" was not found`);

/** A webhook with its project, by the path of a request. */
export const webhookAt = (ctx: RouterContext, { caches }: RouteContext, { project: name, webhook }: WebhookPath) => {
  const project = projectIn(ctx, caches, name);
  return { project, webhook: webhookOf(ctx, project, webhook) };
};

/** A delivery of a webhook; refused where there is none. */
export const deliveryIn = (
  ctx: RouterContext,
  project: CoreProject,
  { webhook, delivery }: WebhookPath & { readonly delivery: string },
): WebhookDelivery =>
  deliveriesOf(project).find(({ deliveryId, webhookId }) => deliveryId === delivery && webhookId === webhook) ??
  refuse(ctx, 404, `delivery "${delivery.slice(0, 80)}" was not found`);
