import type { Caller } from '../../rules/access/caller.ts';
import { isoTime } from '../../rules/time.ts';
import type { Identity } from '../openapi/shapes/access.ts';

/** The identity of a caller in the API (document 002, GET /me; decisions 21 and 112). */
export function identityOf(caller: Caller): Identity {
  const { username, role, expiresAt } = caller;
  const scope = caller.with === 'token' ? caller.scope : null;
  return {
    username,
    role,
    scope: scope === null ? 'workspace' : 'project',
    ...(scope === null ? {} : { project: scope.project, environment: scope.environment }),
    canMutate: scope !== null || role === 'admin',
    canReadSensitive: scope !== null || role !== 'viewer',
    authentication: caller.with,
    ...(expiresAt === null ? {} : { expiresAt: isoTime(expiresAt) }),
  };
}
