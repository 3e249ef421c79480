import type { KubeObject } from '../kind.ts';

/** An admission policy, or the binding that activates it. */
export interface AdmissionObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionPolicyBinding';
  readonly spec: object;
}

/** A policy and the binding that activates it everywhere, under one name. */
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
