import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { refuse } from '../../orThrow.ts';
import { type Access, isInScope } from '../../auth/guard.ts';
import type { ServerContext } from '../../context.ts';

export const noService = (name: string): string => `service "${name}" was not found`;

/** The service of a path, if the caller may see it; for what it may not see the words are the same. */
export function serviceIn(ctx: RouterContext, { operator }: ServerContext, access: Access): CoreApp {
  const name = ctx.params['app'] ?? '';
  const app = operator.caches.get(apps, name);
  return app && isInScope(access, app.spec) ? app : refuse(ctx, 404, noService(name));
}
