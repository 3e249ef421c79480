import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, observedGeneration, shape } from './kind.ts';

/** A server that joins the cluster, with the region and the tags by which workloads select it. */
export const coreNode = defineKind({
  kind: 'CoreNode',
  plural: 'corenodes',
  shortNames: ['cn'],
  describes: 'A server that joins the cluster, with the region and the tags that workloads choose it by.',
  columns: [
    { name: 'Address', type: 'string', jsonPath: '.spec.address' },
    { name: 'Region', type: 'string', jsonPath: '.spec.region' },
    { name: 'Reserved', type: 'string', jsonPath: '.spec.reserved' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: Type.Object(
    {
      address: shape.text('Host name or IP address that the server is reached at by SSH, on port 22.', {
        minLength: 1,
        maxLength: 253,
      }),
      user: optional(shape.text('Login on the server, `root` when left out; another one must be able to use sudo.')),
      sshKeySecretRef: optional(
        shape.reference(
          'Secret with the key `ssh-privatekey`; with `known_hosts` beside it the key of the host is verified.',
        ),
      ),
      region: optional(
        shape.dnsLabel('Region of the server; becomes the label `core.platform/region` of the node.', 40),
      ),
      tags: optional(
        Type.Array(shape.dnsLabel('A tag.', 40), {
          description: 'Tags of the server; each becomes the label `core.platform/tag-<tag>` of the node.',
          maxItems: 32,
          'x-kubernetes-list-type': 'set',
        }),
      ),
      reserved: optional(
        shape.dnsLabel(
          'The one of the tags that the node is reserved for: it then runs nothing but what requires that tag.',
          40,
        ),
      ),
    },
    {
      'x-kubernetes-validations': [
        {
          rule: '!has(self.reserved) || (has(self.tags) && self.reserved in self.tags)',
          message: 'reserved must be one of the tags',
          fieldPath: '.reserved',
        },
      ],
    },
  ),
  status: Type.Object({
    phase: optional(shape.text('How far the server has come in joining the cluster.')),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
  }),
});

export type CoreNode = ObjectOf<typeof coreNode>;
export type NodeSpec = CoreNode['spec'];
