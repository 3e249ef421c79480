import type { KubeObject } from '../../crds/kind.ts';
import { label, namespaceNameLabel, platformNamespaces } from '../../crds/names.ts';
import { type Environment, madeLabels, namespaceOf } from './environment.ts';

export interface NetworkPolicy extends KubeObject {
  readonly spec: object;
}

const isolation = 'core-project-isolation';
const metadataBlock = 'core-block-cloud-metadata';
/** The policies that every environment has. */
export const policyNames = [isolation, metadataBlock] as const;

/** Cloud providers serve their credentials at an address in this range. */
export const cloudMetadata = '169.254.0.0/16';

const policyOf = (of: Environment, name: string, spec: object): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace: namespaceOf(of.project, of.environment), labels: madeLabels(of) },
  spec,
});

const inNamespaces = (key: string, values: readonly string[]) => ({
  namespaceSelector: { matchExpressions: [{ key, operator: 'In', values }] },
});

/** Restricts access to an environment to the project, the projects it allows and the platform. */
export const projectIsolation = (of: Environment, allowed: readonly string[]): NetworkPolicy =>
  policyOf(of, isolation, {
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

/**
 * Allows pods to reach everything except the credentials endpoint of the cloud. Pods are listed besides the addresses,
 * because some networks do not match pods by address.
 */
export const blockCloudMetadata = (of: Environment): NetworkPolicy =>
  policyOf(of, metadataBlock, {
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: [cloudMetadata] } },
          { ipBlock: { cidr: '::/0' } },
          { namespaceSelector: {} },
        ],
      },
    ],
  });
