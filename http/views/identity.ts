import type { Caller } from '../../rules/access/caller.ts';
import { isoTime } from '../../rules/time.ts';

/** The identity of a caller in the API (document 002, GET /me; decisions 21 and 112). */
export function identityOf(caller: Caller) {
  const { username, role, expiresAt } = caller;
  const scope = caller.with === 'token' ? caller.scope : null;
  return {
    username,
    role,
    scope: scope === null ? ('workspace' as const) : ('project' as const),
    ...(scope === null ? {} : { project: scope.project, environment: scope.environment }),
    canMutate: scope !== null || role === 'admin',
    canReadSensitive: scope !== null || role !== 'viewer',
    authentication: caller.with,
    ...(expiresAt === null ? {} : { expiresAt: isoTime(expiresAt) }),
  };
}
