import { annotation, group } from '../names.ts';
import { policy } from './policy.ts';

const deletion = annotation.deletion;
const carriedBy = (object: string) =>
  [
    `has(${object}.metadata.annotations)`,
    `&& '${deletion}' in ${object}.metadata.annotations`,
    `? ${object}.metadata.annotations['${deletion}']`,
    ": ''",
  ].join(' ');

/**
 * Only Core may request, by an annotation, the deletion of a project with all its contents: anyone who may edit
 * projects could delete their databases by it. At creation it has no effect, because it names the uid of its project.
 */
export const deletions = policy('core-deletions', {
  matchConstraints: {
    resourceRules: [
      { apiGroups: [group], apiVersions: ['*'], operations: ['UPDATE'], resources: ['coreprojects'], scope: '*' },
    ],
  },
  variables: [
    { name: 'carried', expression: carriedBy('object') },
    { name: 'before', expression: carriedBy('oldObject') },
  ],
  validations: [
    {
      expression: [
        `variables.carried == ''`,
        'variables.carried == variables.before',
        `authorizer.group('${group}').resource('moves').namespace(request.namespace).check('create').allowed()`,
      ].join(' || '),
      message: `only Core writes the annotation ${deletion}`,
    },
  ],
});
