import type { KubeObject } from '../../crds/kind.ts';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The issuer of the certificate manager, as far as Core writes and reads it. */
export const issuerKind: KubeObject & { readonly spec: object } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusterissuers.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Cluster',
    names: {
      kind: 'ClusterIssuer',
      listKind: 'ClusterIssuerList',
      plural: 'clusterissuers',
      singular: 'clusterissuer',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        subresources: { status: {} },
      },
    ],
  },
};
