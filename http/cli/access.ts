import type { Identity } from '../api.ts';
import { answerOf, flag, object, optional, text } from '../apiClient/shape.ts';

/** Who is signed in, as far as the commands read it. */
export const identityShape = answerOf<Identity>()(
  object({
    username: text,
    role: optional(text),
    scope: optional(text),
    project: optional(text),
    environment: optional(text),
    canMutate: optional(flag),
    expiresAt: optional(text),
  }),
);
export type Caller = ReturnType<typeof identityShape>;

const roleNames = new Map([
  ['admin', 'admin'],
  ['observer', 'read-only, with logs'],
  ['viewer', 'read-only'],
]);

/** What a token may do, in the words of the sign-in (AUT-039 to AUT-042); empty where the service does not say. */
export const accessText = ({ role = '', scope, project = '', environment = '' }: Caller): string =>
  scope === 'project' ? `project token for ${project}/${environment}` : (roleNames.get(role) ?? role);
