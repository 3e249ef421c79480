import { Type } from '@sinclair/typebox';
import { objectName, text } from '../kit.ts';
import { pageQuery, pageRefusals, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { deleted, resourceRead } from '../../routes/resource.ts';
import { clusterSettings, nodeAsked, nodeList, nodeSettings, nodeTags } from '../shapes/nodes.ts';

const group = 'Platform';
const path = { node: objectName };
const noNode = 'There is no such node.';

/** The clusters and servers that everything runs on. */
export const nodeSchemas = {
  'GET /clusters': {
    group,
    summary: 'Lists the clusters with their settings, by name.',
    path: {},
    query: Type.Object(pageQuery),
    ...pages(resourceRead, 'The clusters.'),
  },
  'PATCH /clusters/{cluster}': {
    group,
    summary: 'Changes the settings of a cluster, which apply at once.',
    path: { cluster: objectName },
    body: { schema: clusterSettings },
    answers: { 200: said(resourceRead, 'The cluster with its new settings.') },
    refusals: { 404: 'There is no such cluster.' },
  },
  'GET /nodes': {
    group,
    summary: 'Lists the servers of the cluster, by name, and the nodes that run without being one of them.',
    path: {},
    query: Type.Object(pageQuery),
    answers: read(nodeList, 'The servers, then the other nodes.'),
    refusals: pageRefusals,
  },
  'GET /nodes/{node}': {
    group,
    summary: 'Reads a server with its spec and status.',
    path,
    answers: read(resourceRead, 'The server.'),
    refusals: { 404: noNode },
  },
  'POST /nodes': {
    group,
    summary: 'Adds a server, which joins the cluster over SSH where it has no node yet.',
    path: {},
    body: { schema: nodeAsked },
    answers: { 201: said(resourceRead, 'The server.') },
    refusals: { 409: 'There is a server of this name.' },
  },
  'PATCH /nodes/{node}': {
    group,
    summary: 'Changes how a server is reached and in which region it is.',
    path,
    body: { schema: nodeSettings },
    answers: { 200: said(resourceRead, 'The server with its new settings.') },
    refusals: { 404: noNode },
  },
  'DELETE /nodes/{node}': {
    group,
    summary: 'Removes a server from the list; what Core gave its node goes, the node stays in the cluster.',
    path,
    query: Type.Object({ confirmName: Type.Optional(text('The name of the server, once more.')) }),
    answers: { 200: said(deleted, 'It is being removed.') },
    refusals: { 404: noNode },
  },
  'POST /nodes/{node}/tags': {
    group,
    summary: 'Sets the tags of a server, and the one of them that it is reserved for.',
    path,
    body: { schema: nodeTags },
    answers: { 200: said(resourceRead, 'The server with these tags.') },
    refusals: { 404: noNode, 409: 'A database of a project that requires a tag would be left without a node.' },
  },
} as const satisfies SomeSchemas;
