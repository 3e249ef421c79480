import type { AppSpec } from '../../crds/coreApp.ts';
import { wantsTls } from './effective.ts';
import { isOfMachine } from './machineHosts.ts';
import { selectorLabels } from './labels.ts';
import { tlsSecretName, wakeName } from './names.ts';
import type { Part, ServiceObject } from './part.ts';

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

/** The Ingress of a service, to the wake proxy when it may sleep; none without a host. */
export function ingressOf({ app, spec, settled: { host, wake }, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (host === '') return [];
  const tls = isSecured(host, spec);
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

const isSecured = (host: string, spec: Pick<AppSpec, 'networking'>): boolean => wantsTls(spec) && !isOfMachine(host);

/** The public address; empty without a host. A host of the machine uses the visitors' port. */
export function urlOf(host: string, spec: Pick<AppSpec, 'networking'>, visitorsPort: number | null): string {
  if (host === '') return '';
  const port = isOfMachine(host) && visitorsPort !== null && visitorsPort !== 80 ? `:${visitorsPort}` : '';
  return `${isSecured(host, spec) ? 'https' : 'http'}://${host}${port}`;
}
