import type { RouterContext } from '@koa/router';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { refuse, savedOrThrow } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import type { Delivering } from '../../../rules/webhookDelivery/waiting.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import { webhookAt, type WebhookPath, webhookOf } from './webhookIn.ts';

/** Stores the events to deliver, which the next pass sends. */
export async function deliver(
  ctx: RouterContext,
  context: RouteContext,
  path: WebhookPath,
  follow: (project: CoreProject) => Delivering,
): Promise<void> {
  const { operator, run } = context;
  webhookAt(ctx, context, path);
  const edited = await run(
    operator.edit(projects, path.project, (project) => {
      const webhook = webhookOf(ctx, project, path.webhook);
      const delivering: Delivering = webhook.disabled
        ? { is: 'refused', says: 'the webhook is disabled: nothing is sent' }
        : follow(project);
      const patch = delivering.is === 'asked' ? { webhookEvents: delivering.webhookEvents } : null;
      return { patch, ofStatus: true, result: delivering };
    }),
  );
  const { result } = savedOrThrow(ctx, edited);
  if (result.is === 'refused') refuse(ctx, 409, result.says);
}
