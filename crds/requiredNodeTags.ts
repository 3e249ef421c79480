import type { KubeObject } from './kind.ts';
import { annotation, key } from './names.ts';

interface AdmissionObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionPolicyBinding';
  readonly spec: object;
}

const name = 'core-required-node-tags';
const asked = annotation.requiredTags;
const tag = key('tag-');

/**
 * What keeps a pod from being made, by whomever, in a namespace that requires tags of its nodes, unless its node selector
 * asks for each of them.
 */
export const requiredNodeTags: readonly AdmissionObject[] = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' },
        ],
      },
      variables: [
        {
          name: 'required',
          expression: [
            'has(namespaceObject.metadata.annotations)',
            `&& '${asked}' in namespaceObject.metadata.annotations`,
            `? namespaceObject.metadata.annotations['${asked}'].split(',').filter(tag, tag != '')`,
            ': []',
          ].join(' '),
        },
        {
          name: 'missing',
          expression: [
            'variables.required.filter(tag,',
            `!has(object.spec.nodeSelector) || !(('${tag}' + tag) in object.spec.nodeSelector))`,
          ].join(' '),
        },
      ],
      validations: [
        {
          expression: 'size(variables.missing) == 0',
          message: 'the node selector lacks tags that the namespace requires',
          messageExpression: `'the node selector lacks tags that the namespace requires: ' + variables.missing.join(', ')`,
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  },
];
