import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { issuerName } from '../cluster/issuer.ts';

/** What the dashboard is published by, and the Service behind it (002 Authentication). */
const dashboardIngress = 'core-dashboard';
export const dashboardService = 'core-core-dashboard';
export const dashboardPort = 8085;

interface Ingress extends KubeObject {
  readonly spec: object;
}

/** The dashboard on the secure entry point, with a certificate of its own. */
export const ingressFor = (host: string): Ingress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    name: dashboardIngress,
    namespace: systemNamespace,
    annotations: {
      'cert-manager.io/cluster-issuer': issuerName,
      'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure',
    },
  },
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: dashboardService, port: { number: dashboardPort } } },
            },
          ],
        },
      },
    ],
    tls: [{ hosts: [host], secretName: `${dashboardIngress}-tls` }],
  },
});
