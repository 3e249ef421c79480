import type { RouterContext } from '@koa/router';
import { type CoreNode, coreNode, type NodeSpec } from '../../crds/coreNode.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { tagsInvalid, tagsRefused } from '../../rules/node/tags.ts';
import { taggedDatabases, nodeOf } from '../../runtime/controllers/node/read.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { nodes } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, savedOrThrow, refuse, type Refusal } from '../orThrow.ts';
import type { Nodes } from '../openapi/shapes/nodes.ts';
import type { Deleted } from './resource.ts';
import { sendJson, sendRead, sendReadText } from '../response.ts';
import type { Place } from '../lists/continue.ts';
import { pageOf, sortedFrom } from '../lists/page.ts';
import { pagerOf } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { nodeRead, nodeSummary, unmanagedNode } from '../views/node.ts';

/** A row of the list: a server, or a node that is none. */
interface Row {
  readonly name: string;
  readonly item?: () => Nodes['items'][number];
  readonly unmanaged?: () => Nodes['unmanaged'][number];
}

/** The servers by name, then the other nodes. */
const placeOf = ({ name, item }: Row): Place => [item ? 'server' : 'unmanaged', name];
const notFound = (name: string): Refusal => ({ status: 404, text: `node "${name}" was not found` });

/** What follows from a server as it stands: fields of its spec, or why they are refused. */
type Change = { readonly spec: object } | { readonly status: 400 | 409; readonly says: string };

/** The servers of the cluster: joined, tagged, reserved and let go. */
export function nodeRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;
  const { caches } = operator;
  const read = (server: CoreNode, view: Parameters<typeof nodeRead>[1]) =>
    nodeRead(server, view, nodeOf(server, caches));

  routes.on('GET /nodes', function listNodes(ctx, access, { query }) {
    const { view } = access;
    const servers = caches.list(nodes).map((server) => ({ server, node: nodeOf(server, caches) }));
    const managed = new Set(servers.map(({ node }) => node?.metadata.name));
    const rows: readonly Row[] = [
      ...servers.map(({ server, node }) => ({
        name: server.metadata.name,
        item: () => nodeSummary(server, view, node),
      })),
      ...caches
        .list(clusterNodes)
        .filter(({ metadata }) => !managed.has(metadata.name))
        .map((node) => ({ name: node.metadata.name, unmanaged: () => unmanagedNode(node, view) })),
    ];
    const sorted = sortedBy(rows, placeOf);
    const pager = pagerOf(ctx, context, { access, query });
    const from = (after: Place | null) => sortedFrom(sorted, placeOf, after);
    const page = pageOf({ from, placeOf, isIn: () => true }, pager);
    const shown: Nodes = {
      items: page.items.flatMap(({ item }) => item?.() ?? []),
      unmanaged: page.items.flatMap(({ unmanaged }) => unmanaged?.() ?? []),
    };
    sendReadText(ctx, `${JSON.stringify(shown).slice(0, -1)}${pager.next(page.end)}}`);
  });

  routes.on('GET /nodes/{node}', function readNode(ctx, { view }, { path }) {
    sendRead(ctx, read(nodeIn(ctx, path.node), view));
  });

  routes.on('POST /nodes', async function addNode(ctx, { view }, { body: { name, ...spec } }) {
    const invalid = tagsInvalid(spec);
    if (invalid !== null) return refuse(ctx, 400, invalid);
    const metadata = { name, namespace: systemNamespace };
    const added = await run(operator.add(nodes, { ...typeMeta(coreNode), metadata, spec }));
    const taken = { AlreadyExists: { status: 409, text: `node "${name}" exists already` } };
    return sendJson(ctx, read(savedOrThrow(ctx, added, taken), view), 201);
  });

  routes.on('PATCH /nodes/{node}', async function changeNode(ctx, { view }, { path, body }) {
    const server = await change(ctx, path.node, ({ spec }) => {
      const { sshKeySecretRef, ...fields } = body;
      // An empty text clears a field.
      const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value || null]));
      const ref = sshKeySecretRef === undefined ? {} : { sshKeySecretRef };
      return tagsChange({ tags: spec.tags ?? [], ...spec, ...body }, { ...texts, ...ref });
    });
    return sendJson(ctx, read(server, view));
  });

  routes.on('POST /nodes/{node}/tags', async function tagNode(ctx, { view }, { path, body: { tags, reserved } }) {
    const server = await change(ctx, path.node, (found) => {
      const asked = reserved === undefined || reserved === '' ? { tags } : { tags, reserved };
      const seen = {
        node: nodeOf(found, caches),
        nodes: caches.list(clusterNodes),
        databases: taggedDatabases(caches),
      };
      const refusal = tagsRefused(tags, seen);
      if (refusal !== null) return { status: 409, says: refusal };
      return tagsChange(asked, { tags, reserved: asked.reserved ?? null });
    });
    return sendJson(ctx, read(server, view));
  });

  routes.on('DELETE /nodes/{node}', async function removeNode(ctx, _, { path, query }) {
    const server = nodeIn(ctx, path.node);
    if (query.confirmName !== path.node) return refuse(ctx, 400, 'confirmName must be the name of the node');
    const controller = operator.controllers.find(({ resource }) => resource === nodes);
    if (!controller) return refuse(ctx, 503, 'nodes are not kept here');
    orThrow(ctx, await run(operator.remove(controller, server)));
    return sendJson(ctx, { name: path.node, kind: 'CoreNode', deleted: true } satisfies Deleted);
  });

  function nodeIn(ctx: RouterContext, name: string): CoreNode {
    const { status, text } = notFound(name);
    return caches.get(nodes, name) ?? refuse(ctx, status, text);
  }

  async function change(ctx: RouterContext, name: string, follow: (server: CoreNode) => Change): Promise<CoreNode> {
    const edited = await run(
      operator.edit(nodes, name, (server) => {
        const result = follow(server);
        return { patch: 'spec' in result ? { spec: result.spec } : null, result };
      }),
    );
    const { object, result } = savedOrThrow(ctx, edited, { NotFound: notFound(name) });
    return 'spec' in result ? object : refuse(ctx, result.status, result.says);
  }
}

/** The change, unless the tags that it leads to are wrong by themselves. */
function tagsChange(wanted: Pick<NodeSpec, 'tags' | 'reserved'>, spec: object): Change {
  const says = tagsInvalid(wanted);
  return says === null ? { spec } : { status: 400, says };
}
