import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { hostPattern, hostMessage } from '../../../crds/hostName.ts';
import { takenBy } from '../../../runtime/controllers/app/read.ts';
import { refuse } from '../../orThrow.ts';
import type { ServerContext } from '../../context.ts';

const hostShape = new RegExp(`^${hostPattern}$`);

/** The host as it is stored; empty takes it away. Another service's host, and the dashboard's, are refused. */
export function requestedHost(
  ctx: RouterContext,
  { operator }: ServerContext,
  { app, host: asked }: { readonly app: CoreApp; readonly host: string },
): string {
  if (asked === '') return '';
  const host = asked.toLowerCase().replace(/\.$/, '');
  if (host.length > 253 || !hostShape.test(host)) return refuse(ctx, 400, `host ${hostMessage}`);
  const leads = takenBy(app, host, operator.caches);
  if (leads === null) return host;
  const whose = leads.to === 'dashboard' ? "is the dashboard's" : 'belongs to another service';
  return refuse(ctx, 409, `the host ${host} ${whose}`);
}
