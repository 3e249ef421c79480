import { annotation, group } from '../names.ts';
import { policy } from './policy.ts';

const move = annotation.move;
const carriedBy = (object: string) =>
  [
    `has(${object}.metadata.annotations)`,
    `&& '${move}' in ${object}.metadata.annotations`,
    `? ${object}.metadata.annotations['${move}']`,
    ": ''",
  ].join(' ');

/**
 * Who may say, in an annotation of an object, that a machine of it moved: Core, by a permission that stands for no
 * resource. Anybody may take the annotation away, write it back as it was, and create a copy of an object with it: it
 * names the uid of the original and says nothing of another.
 */
export const moves = policy('core-moves', {
  matchConstraints: {
    resourceRules: [
      { apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'], scope: '*' },
    ],
  },
  variables: [
    { name: 'carried', expression: carriedBy('object') },
    { name: 'before', expression: `oldObject == null ? '' : (${carriedBy('oldObject')})` },
    { name: 'isCopy', expression: `oldObject == null && variables.carried.startsWith('{"uid":')` },
  ],
  validations: [
    {
      expression: [
        `variables.carried == ''`,
        'variables.carried == variables.before',
        'variables.isCopy',
        `authorizer.group('${group}').resource('moves').namespace(request.namespace).check('create').allowed()`,
      ].join(' || '),
      message: `only Core writes the annotation ${move}`,
    },
  ],
});
