import { Optional as optional, Type } from '@sinclair/typebox';
import { placeQuery, searchQuery } from '../../openapi/paging.ts';

const tenYears = 10 * 365 * 86_400;

/** Which instances of a machine are listed. */
export const instanceQuery = Type.Object({
  state: optional(Type.String({ description: 'One or more states, separated by commas, in upper or lower case.' })),
  ...placeQuery,
  retrying: optional(Type.Boolean()),
  stuck: optional(
    Type.Integer({
      minimum: 0,
      maximum: tenYears,
      description:
        'Only instances without a transition for this many seconds; an instance in a resting state is not stuck.',
    }),
  ),
  current: optional(Type.Boolean({ description: 'Of builds only those that their service is at.' })),
  q: optional(Type.String({ description: 'A text that a shown value contains.' })),
  ...searchQuery,
});
