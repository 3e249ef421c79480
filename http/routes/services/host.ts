import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { platformConfigName } from '../../../crds/corePlatformConfig.ts';
import { dashboardHostOf } from '../../../rules/service/hosts.ts';
import { publicHostOf } from '../../../runtime/controllers/app/settled.ts';
import { apps, platformConfigs } from '../../../runtime/kinds.ts';
import { refuse } from '../../answer.ts';
import type { Serving } from '../../serving.ts';

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const hostShape = new RegExp(`^${label}(\\.${label})+$`);

/** The host as it is stored; empty takes it away. Another service's host, and the dashboard's, are refused. */
export function hostAsked(
  ctx: RouterContext,
  { operator }: Serving,
  { app, host: asked }: { readonly app: CoreApp; readonly host: string },
): string {
  const host = asked.toLowerCase();
  if (host === '') return '';
  if (host.length > 253 || !hostShape.test(host))
    return refuse(ctx, 400, 'host must be a host name such as shop.example.com, without a port');
  if (host === dashboardHostOf(operator.caches.get(platformConfigs, platformConfigName)))
    return refuse(ctx, 409, `the host ${host} is the dashboard's`);
  const owner = operator.caches
    .list(apps)
    .find((other) => other.metadata.uid !== app.metadata.uid && publicHostOf(other, other.spec) === host);
  return owner ? refuse(ctx, 409, `the host ${host} belongs to another service`) : host;
}
