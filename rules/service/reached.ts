import { selectorLabels } from './labels.ts';
import { tlsSecretName, wakeName } from './names.ts';
import type { Part, ServiceObject } from './objects.ts';

/** The certificate issuer of the cluster (002 Authentication, rule 7). */
const issuer = 'acme-prod';

/** Inside the cluster a service is reached on port 80. */
export const serviceOf = ({ app, metadata }: Part): ServiceObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...metadata, name: app.metadata.name },
  spec: {
    selector: selectorLabels(app),
    ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }],
  },
});

/** How visitors reach it: by the wake proxy where it may sleep; nothing without a host. */
export function ingressOf({ app, spec, settled: { host, wake }, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (host === '') return [];
  const tls = spec.networking?.tls ?? true;
  const backend = { service: { name: wake.led ? wakeName(name) : name, port: { name: 'http' } } };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...metadata, name, ...(tls ? { annotations: { 'cert-manager.io/cluster-issuer': issuer } } : {}) },
      spec: {
        rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
        ...(tls ? { tls: [{ hosts: [host], secretName: tlsSecretName(name) }] } : {}),
      },
    },
  ];
}

/** The public address; empty without a host. */
export const urlOf = (host: string, tls: boolean): string => (host === '' ? '' : `${tls ? 'https' : 'http'}://${host}`);
