import type { RouterContext } from '@koa/router';
import { coreProject, type CoreProject } from '../../../crds/coreProject.ts';
import { encode } from '../../auth/directory.ts';
import { orThrow } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import { ownerReference } from '../../../rules/owned/ownerReference.ts';
import { webhookSecretOf } from '../../../rules/project/webhooks.ts';
import { changeSecret } from '../../../runtime/cache/secret.ts';
import type { SecretKeys } from '../../../runtime/services/secret.ts';

/** Random bytes as hex digits. */
export const hex = ({ random }: RouteContext, bytes: number): string => random(bytes).toString('hex');

/** Gives a webhook a new secret. */
export async function drawSecret(
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
