import type { KubeObject } from '../kind.ts';

/** A policy that the API server holds every write to, or what puts it in force. */
export interface AdmissionObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionPolicyBinding';
  readonly spec: object;
}

/** A policy and what puts it in force everywhere, under one name. */
export const policy = (name: string, spec: object): readonly AdmissionObject[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { failurePolicy: 'Fail', ...spec },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  },
];
