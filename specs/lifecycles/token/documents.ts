import type { TokenEvent, TokenState } from '../../../machines/names.ts';
import type { Decider } from '../../../rules/deviceSignIn/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { AccessSeen } from '../../../rules/token/access.ts';
import type { TokenFacts } from '../../../rules/token/facts.ts';

/** The documents on API tokens, as plain ifs. */
export function tokenDocuments(state: TokenState | Absence, facts: TokenFacts): TokenEvent['type'] | null {
  if (state === '(none)') return unmade(facts);
  const { now, asked, expiresAt } = facts;
  if (state === 'Active' && expiresAt !== null && expiresAt <= now) return 'expired';
  const taken = state === 'Revoked' ? null : taking(facts);
  if (taken !== null) return taken;
  if (asked?.is !== 'use') return state === 'Active' && asked === null ? 'useAwaited' : null;
  return state === 'Active' ? use(asked.secretRight, facts) : 'usedAfterEnd';
}

function taking({ asked, project, environment }: TokenFacts): TokenEvent['type'] | null {
  if (asked?.is === 'revoke') return revocation(asked.by);
  if (asked?.is === 'deleteEnvironment')
    return `${project}/${environment}` === `${asked.project}/${asked.environment}` && project !== null
      ? 'environmentDeleted'
      : null;
  return asked?.is === 'deleteProject' && asked.project === project ? 'projectDeleted' : null;
}

function unmade({ now, asked }: TokenFacts): TokenEvent['type'] | null {
  if (asked?.is === 'use') return 'unknownTokenUsed';
  if (asked?.is === 'collect') return /^(7|30|90)$/.test(`${asked.lifetimeDays}`) ? 'collected' : 'lifetimeRefused';
  if (asked?.is !== 'create') return null;
  if (asked.by.with === 'token') return 'tokenTriedToCreate';
  if (asked.by.role !== 'admin') return 'viewerTriedToCreate';
  if (asked.expiresAt === null) return 'created';
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 10);
  return now < asked.expiresAt && asked.expiresAt <= latest.getTime() ? 'created' : 'expiryRefused';
}

function revocation({ with: means, role }: Decider): TokenEvent['type'] {
  if (means === 'session' && role === 'admin') return 'revoked';
  return means === 'token' ? 'tokenTriedToRevoke' : 'viewerTriedToRevoke';
}

function use(secretRight: boolean, { now, lastUsedAt }: TokenFacts): TokenEvent['type'] {
  if (!secretRight) return 'wrongSecretUsed';
  return lastUsedAt !== null && now - lastUsedAt < 600_000 && lastUsedAt - now < 600_000 ? 'used' : 'usedAfterPause';
}

/** The access levels that sign-in reports, by the id of the row. */
export function accessDocuments({ role, scope }: AccessSeen): string {
  if (scope !== null) return 'AUT-042';
  return { admin: 'AUT-039', observer: 'AUT-040', viewer: 'AUT-041' }[role];
}
