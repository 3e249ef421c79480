import { Optional as optional, Type } from '@sinclair/typebox';
import { coreNode, type NodeSpec } from '../../../crds/coreNode.ts';
import { objectName, type ReadonlyStatic, text } from '../../openapi/kit.ts';
import { continued } from '../../openapi/paging.ts';
import { requestedFields } from '../../openapi/requestedFields.ts';
import { summary } from '../resource.ts';

const fields = requestedFields(coreNode.spec, []);
const { address = {}, user = {}, sshKeySecretRef = {}, tags = {} } = fields;

/** A region or a tag, or empty for none. */
export const nameOrNone = (description: string) =>
  Type.String({ description, pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$', maxLength: 40 });

const shared = {
  user: optional(Type.Unsafe<string>(user)),
  sshKeySecretRef: optional(Type.Unsafe<NonNullable<NodeSpec['sshKeySecretRef']>>(sshKeySecretRef)),
  region: optional(nameOrNone('The region of the server.')),
};
const tagList = Type.Unsafe<readonly string[]>(tags);

export const nodeRequest = Type.Object(
  {
    name: objectName,
    address: Type.Unsafe<string>(address),
    ...shared,
    tags: optional(tagList),
    reserved: optional(text('One of the tags.')),
  },
  { title: 'NodeAsked' },
);

const unmanagedNodeShape = Type.Object(
  {
    name: text(),
    ready: Type.Boolean(),
    address: text('In the cluster; empty where the reader may not see it.'),
    region: text('By its label; empty where it has none.'),
    tags: Type.Array(text('By its labels.')),
  },
  { title: 'UnmanagedNode' },
);
export type UnmanagedNode = ReadonlyStatic<typeof unmanagedNodeShape>;

export const nodeList = Type.Object({
  items: Type.Array(summary),
  continue: continued,
  unmanaged: Type.Array(unmanagedNodeShape, {
    description: 'The nodes of the cluster that are no server of the list.',
  }),
});
/** GET /api/v1/nodes: the servers, and the nodes that run without an entry among them. */
export type Nodes = ReadonlyStatic<typeof nodeList>;

export const nodeSettings = Type.Object(
  { address: optional(Type.Unsafe<string>(address)), ...shared },
  { title: 'NodeSettings' },
);

export const nodeTags = Type.Object({
  tags: tagList,
  reserved: optional(nameOrNone('The one of the tags that the node is reserved for; empty for none.')),
});
