import type { RouterContext } from '@koa/router';
import { type CoreNode, coreNode, type NodeSpec } from '../../crds/coreNode.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { tagsInvalid, tagsRefused } from '../../rules/node/tags.ts';
import { taggedDatabases, nodeOf } from '../../runtime/controllers/node/read.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { nodes } from '../../runtime/services/cluster/kinds.ts';
import { answer, answerSaved, refuse, type Refusal } from '../answer.ts';
import type { Deleted, Nodes } from '../api.ts';
import { sendJson, sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { nodeRead, nodeSummary, unmanagedNode } from '../views/node.ts';

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
const notFound = (name: string): Refusal => ({ status: 404, text: `node "${name}" was not found` });

/** What follows from a server as it stands: fields of its spec, or why they are refused. */
type Change = { readonly spec: object } | { readonly status: 400 | 409; readonly says: string };

/** The servers of the cluster: joined, tagged, reserved and let go. */
export function nodeRoutes(routes: Routes, { operator, run }: Serving): void {
  const { caches } = operator;
  const read = (server: CoreNode, view: Parameters<typeof nodeRead>[1]) =>
    nodeRead(server, view, nodeOf(server, caches));

  routes.on('GET /nodes', function listNodes(ctx, { view }) {
    const servers = caches.list(nodes).map((server) => ({ server, node: nodeOf(server, caches) }));
    const managed = new Set(servers.map(({ node }) => node?.metadata.name));
    const unmanaged = caches.list(clusterNodes).filter(({ metadata }) => !managed.has(metadata.name));
    sendRead(ctx, {
      items: servers.map(({ server, node }) => nodeSummary(server, view, node)).toSorted(byName),
      unmanaged: unmanaged.map((node) => unmanagedNode(node, view)).toSorted(byName),
    } satisfies Nodes);
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
    return sendJson(ctx, read(answerSaved(ctx, added, taken), view), 201);
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
    answer(ctx, await run(operator.remove(controller, server)));
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
    const { object, result } = answerSaved(ctx, edited, { NotFound: notFound(name) });
    return 'spec' in result ? object : refuse(ctx, result.status, result.says);
  }
}

/** The change, unless the tags that it leads to are wrong by themselves. */
function tagsChange(wanted: Pick<NodeSpec, 'tags' | 'reserved'>, spec: object): Change {
  const says = tagsInvalid(wanted);
  return says === null ? { spec } : { status: 400, says };
}
