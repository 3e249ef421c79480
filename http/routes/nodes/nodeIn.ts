import type { RouterContext } from '@koa/router';
import type { CoreNode } from '../../../crds/coreNode.ts';
import { type Refusal, refuse } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import { nodeRead } from '../../views/node.ts';
import type { View } from '../../../rules/access/needs.ts';
import { nodeOf } from '../../../runtime/controllers/node/read.ts';
import { nodes } from '../../../runtime/services/cluster/kinds.ts';

/** The refusal of a name that no server has. */
export const notFound = (name: string): Refusal => ({ status: 404, text: `node "${name}" was not found` });

/** A server as the API shows it. */
export const serverRead = ({ caches }: RouteContext, server: CoreNode, view: View) =>
  nodeRead(server, view, nodeOf(server, caches));

/** The server of a name; refused where there is none. */
export function nodeIn(ctx: RouterContext, { caches }: RouteContext, name: string): CoreNode {
  const refusal = notFound(name);
  return caches.get(nodes, name) ?? refuse(ctx, refusal.status, refusal.text);
}
