import { annotation, key } from '../names.ts';
import { policy } from './policy.ts';

/** The name of the policy and its binding. */
export const requiredNodeTagsPolicy = 'core-required-node-tags';

const asked = annotation.requiredTags;
const tag = key('tag-');

/**
 * Refuses every pod, of any client, in a namespace that requires node tags, unless its node selector contains each of
 * them.
 */
export const requiredNodeTags = policy(requiredNodeTagsPolicy, {
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
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
});
