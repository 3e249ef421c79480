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
 * Only Core may record a move in an annotation of an object, by a permission on a virtual resource. Any client may
 * remove the annotation, restore its earlier value, or copy it with an object, because it names the uid of the original
 * and does not apply to another object.
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
