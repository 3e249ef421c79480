import type { KubeObject } from '../../crds/kind.ts';
import { operatorAccount, systemNamespace } from '../../crds/names.ts';
import { type Environment, madeLabels, namespaceOf } from './environment.ts';

export interface RoleBinding extends KubeObject {
  readonly roleRef: object;
  readonly subjects: readonly object[];
}

/** The ClusterRole of `crds/install` with the operator's permissions in an environment. */
export const environmentRole = 'core-environment';

/** Grants the operator its permissions in one environment; it has none of them elsewhere. */
export const operatorBinding = (of: Environment): RoleBinding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: {
    name: environmentRole,
    namespace: namespaceOf(of.project, of.environment),
    labels: madeLabels(of),
  },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: environmentRole },
  subjects: [{ kind: 'ServiceAccount', name: operatorAccount, namespace: systemNamespace }],
});
