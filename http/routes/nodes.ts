import { requireConfirmName } from '../request/confirmName.ts';
import { Type } from '@sinclair/typebox';
import { coreNode } from '../../crds/coreNode.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Place } from '../lists/continue.ts';
import { pageOf, sortedFrom } from '../lists/page.ts';
import { pagerOf } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pageQuery, pageRefusals } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { alreadyExists, orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { sendJson, sendRead } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { deleted, resourceRead } from './resource.ts';
import { nodeSummary, unmanagedNode } from '../views/node.ts';
import { tagsInvalid, tagsRefused } from '../../rules/node/tags.ts';
import { clusterNodes, nodeOf, taggedDatabases } from '../../runtime/controllers/node/read.ts';
import { nodes } from '../../runtime/services/cluster/kinds.ts';
import { nodeList, nodeRequest, type Nodes, nodeSettings, nodeTags } from './nodes/shapes.ts';
import { nodeIn, serverRead } from './nodes/nodeIn.ts';
import { editNode, tagsChange } from './nodes/change.ts';

const group = 'Platform';
const path = { node: objectName };
const noNode = 'There is no such node.';

/** A row of the list: a server, or a node that is none. */
interface Row {
  readonly name: string;
  readonly item?: () => Nodes['items'][number];
  readonly unmanaged?: () => Nodes['unmanaged'][number];
}

/** The servers by name, then the other nodes. */
const placeOf = ({ name, item }: Row): Place => [item ? 'server' : 'unmanaged', name];

/** The servers of the cluster: joined, tagged, reserved and let go. */
export const nodeRoutes = {
  'GET /nodes': route(
    {
      group,
      summary: 'Lists the servers of the cluster, by name, and the nodes that run without being one of them.',
      path: {},
      query: Type.Object(pageQuery),
      answers: read(nodeList, 'The servers, then the other nodes.'),
      refusals: pageRefusals,
    },
    (context) => {
      const { caches } = context;
      return function listNodes(ctx, access, { query }) {
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
        sendRead(ctx, { ...shown, ...pager.next(page.end) });
      };
    },
  ),
  'GET /nodes/{node}': route(
    {
      group,
      summary: 'Reads a server with its spec and status.',
      path,
      answers: read(resourceRead, 'The server.'),
      refusals: { 404: noNode },
    },
    (context) =>
      function readNode(ctx, { view }, { path }) {
        sendRead(ctx, serverRead(context, nodeIn(ctx, context, path.node), view));
      },
  ),
  'POST /nodes': route(
    {
      group,
      summary: 'Adds a server, which joins the cluster over SSH where it has no node yet.',
      path: {},
      body: { schema: nodeRequest },
      answers: { 201: uncached(resourceRead, 'The server.') },
      refusals: { 409: 'There is a server of this name.' },
    },
    (context) => {
      const { operator, run } = context;
      return async function addNode(ctx, { view }, { body: { name, ...spec } }) {
        const invalid = tagsInvalid(spec);
        if (invalid !== null) return refuse(ctx, 400, invalid);
        const metadata = { name, namespace: systemNamespace };
        const added = await run(operator.add(nodes, { ...typeMeta(coreNode), metadata, spec }));
        const taken = { AlreadyExists: alreadyExists('node', name) };
        return sendJson(ctx, serverRead(context, savedOrThrow(ctx, added, taken), view), 201);
      };
    },
  ),
  'PATCH /nodes/{node}': route(
    {
      group,
      summary: 'Changes how a server is reached and in which region it is.',
      path,
      body: { schema: nodeSettings },
      answers: { 200: uncached(resourceRead, 'The server with its new settings.') },
      refusals: { 404: noNode },
    },
    (context) =>
      async function changeNode(ctx, { view }, { path, body }) {
        const server = await editNode(ctx, context, path.node, ({ spec }) => {
          const { sshKeySecretRef, ...fields } = body;
          // An empty text clears a field.
          const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value || null]));
          const ref = sshKeySecretRef === undefined ? {} : { sshKeySecretRef };
          return tagsChange({ tags: spec.tags ?? [], ...spec, ...body }, { ...texts, ...ref });
        });
        return sendJson(ctx, serverRead(context, server, view));
      },
  ),
  'DELETE /nodes/{node}': route(
    {
      group,
      summary: 'Removes a server from the list; what Core gave its node goes, the node stays in the cluster.',
      path,
      query: Type.Object({ confirmName: Type.Optional(text('The name of the server, once more.')) }),
      answers: { 200: uncached(deleted, 'It is being removed.') },
      refusals: { 404: noNode },
    },
    (context) => {
      const { operator, run } = context;
      return async function removeNode(ctx, _, { path, query }) {
        const server = nodeIn(ctx, context, path.node);
        requireConfirmName(ctx, query.confirmName, path.node, 'node');
        const controller = operator.controllers.find(({ resource }) => resource === nodes);
        if (!controller) return refuse(ctx, 503, 'node management is disabled');
        orThrow(ctx, await run(operator.remove(controller, server)));
        return sendJson(ctx, { name: path.node, kind: 'CoreNode', deleted: true });
      };
    },
  ),
  'POST /nodes/{node}/tags': route(
    {
      group,
      summary: 'Sets the tags of a server, and the one of them that it is reserved for.',
      path,
      body: { schema: nodeTags },
      answers: { 200: uncached(resourceRead, 'The server with these tags.') },
      refusals: { 404: noNode, 409: 'A database of a project that requires a tag would be left without a node.' },
    },
    (context) => {
      const { caches } = context;
      return async function tagNode(ctx, { view }, { path, body: { tags, reserved } }) {
        const server = await editNode(ctx, context, path.node, (found) => {
          const asked = reserved === undefined || reserved === '' ? { tags } : { tags, reserved };
          const seen = {
            node: nodeOf(found, caches),
            nodes: caches.list(clusterNodes),
            databases: taggedDatabases(caches),
          };
          const refusal = tagsRefused(tags, seen);
          if (refusal !== null) return { status: 409, message: refusal };
          return tagsChange(asked, { tags, reserved: asked.reserved ?? null });
        });
        return sendJson(ctx, serverRead(context, server, view));
      };
    },
  ),
} satisfies Resource;
