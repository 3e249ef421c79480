import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { issuerName } from '../cluster/issuer.ts';

/** The name of the dashboard's Ingress and its Service (002 Authentication). */
const dashboardIngress = 'core-dashboard';
export const dashboardService = 'core-core-dashboard';
export const dashboardPort = 8085;

interface Ingress extends KubeObject {
  readonly spec: object;
}

/** The dashboard on the secure entry point, with its own certificate. */
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
