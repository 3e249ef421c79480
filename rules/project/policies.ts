import type { KubeObject } from '../../crds/kind.ts';
import { label, namespaceNameLabel, platformNamespaces } from '../../crds/names.ts';
import { type Environment, madeLabels, namespaceOf } from './environment.ts';

export interface NetworkPolicy extends KubeObject {
  readonly spec: object;
}

/** Cloud providers hand out their credentials at an address of this range. */
const cloudMetadata = '169.254.0.0/16';

const policyOf = (of: Environment, name: string, spec: object): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace: namespaceOf(of.project, of.environment), labels: madeLabels(of) },
  spec,
});

const inNamespaces = (key: string, values: readonly string[]) => ({
  namespaceSelector: { matchExpressions: [{ key, operator: 'In', values }] },
});

/** Lets only the project, the projects it allows and the platform reach an environment. */
export const projectIsolation = (of: Environment, allowed: readonly string[]): NetworkPolicy =>
  policyOf(of, 'core-project-isolation', {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          inNamespaces(label.project, [...new Set([of.project, ...allowed])]),
          inNamespaces(namespaceNameLabel, platformNamespaces),
        ],
      },
    ],
  });

/** Lets pods reach everything but what hands out the credentials of the cloud. */
export const blockCloudMetadata = (of: Environment): NetworkPolicy =>
  policyOf(of, 'core-block-cloud-metadata', {
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: [cloudMetadata] } }, { ipBlock: { cidr: '::/0' } }] }],
  });
