import type { Json } from '../../../runtime/embedded/api/json.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
export const policyPath = `${group}/validatingadmissionpolicies`;
export const bindingPath = `${group}/validatingadmissionpolicybindings`;

/** Which writes of which resources of the core group are judged. */
export const rule = (
  resources: readonly string[],
  operations: readonly string[] = ['CREATE', 'UPDATE'],
  more: Json = {},
) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations,
  resources,
  ...more,
});

/** A policy that judges ConfigMaps unless it says otherwise. */
export const policy = (name: string, spec: Json): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [rule(['configmaps'])] }, ...spec },
});

/** A binding that denies what the policy of its name refuses. */
export const binding = (name: string, spec: Json = {}): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'], ...spec },
});
