import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, observedGeneration, shape } from './kind.ts';

const addons = Type.Object(
  {
    storage: optional(shape.flag('Replicated storage: the classes `core-replicated` and `core-single`.')),
    serverless: optional(shape.flag('Lets services sleep while nobody calls them.')),
  },
  { description: 'What is installed into the cluster.' },
);

/** A cluster that projects run on, with its settings. */
export const coreCluster = defineKind({
  kind: 'CoreCluster',
  plural: 'coreclusters',
  shortNames: ['ccl'],
  describes: 'A name in the one Kubernetes cluster that Core serves, with settings that its projects share.',
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Nodes', type: 'integer', jsonPath: '.status.nodes' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: Type.Object({
    defaultRegion: optional(shape.dnsLabel('Region of projects that name none.', 40)),
    acmeEmail: optional(shape.text('Contact address of the certificate issuer; without it there is none.')),
    addons: optional(addons),
    overlay: optional(shape.flag('Connects nodes of several providers by an encrypted overlay.')),
  }),
  status: Type.Object({
    publicIPs: optional(
      Type.Array(shape.text('An address.'), { description: 'Public addresses of the nodes that take visitors in.' }),
    ),
    nodes: optional(shape.count('Number of nodes.', { format: 'int32' })),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
  }),
});

export type CoreCluster = ObjectOf<typeof coreCluster>;
export type ClusterSpec = CoreCluster['spec'];
