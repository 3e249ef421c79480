import type { Shape } from '../apiClient/shape.ts';
import { flag, object, oneOf, optional, text } from '../apiClient/shape.ts';
import type { Identity } from '../api.ts';

export const identityShape: Shape<Identity> = object({
  username: text,
  role: oneOf('admin', 'observer', 'viewer'),
  scope: oneOf('workspace', 'project'),
  project: optional(text),
  environment: optional(text),
  canMutate: flag,
  canReadSensitive: flag,
  authentication: oneOf('session', 'token'),
  expiresAt: optional(text),
});

const words = { admin: 'admin', observer: 'read-only, with logs', viewer: 'read-only' } as const;

/** What a token may do, in the words of the sign-in (AUT-039 to AUT-042). */
export const accessText = ({ role, scope, project = '', environment = '' }: Identity): string =>
  scope === 'project' ? `project token for ${project}/${environment}` : words[role];
