import type { RouterContext } from '@koa/router';
import type { CoreNode, NodeSpec } from '../../../crds/coreNode.ts';
import { refuse, savedOrThrow } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import { tagsInvalid } from '../../../rules/node/tags.ts';
import { nodes } from '../../../runtime/services/cluster/kinds.ts';
import { notFound } from './nodeIn.ts';

/** The change of a server: fields of its spec, or the refusal. */
type Change = { readonly spec: object } | { readonly status: 400 | 409; readonly message: string };

/** Changes the spec of the stored server, or refuses the request. */
export async function editNode(
  ctx: RouterContext,
  { operator, run }: RouteContext,
  name: string,
  follow: (server: CoreNode) => Change,
): Promise<CoreNode> {
  const edited = await run(
    operator.edit(nodes, name, (server) => {
      const result = follow(server);
      return { patch: 'spec' in result ? { spec: result.spec } : null, result };
    }),
  );
  const { object, result } = savedOrThrow(ctx, edited, { NotFound: notFound(name) });
  return 'spec' in result ? object : refuse(ctx, result.status, result.message);
}

/** The change, unless the tags that it leads to are wrong by themselves. */
export function tagsChange(wanted: Pick<NodeSpec, 'tags' | 'reserved'>, spec: object): Change {
  const message = tagsInvalid(wanted);
  return message === null ? { spec } : { status: 400, message };
}
