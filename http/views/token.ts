import { isoTime } from '../../rules/time.ts';
import { kindOf, stateOf, type TokenRecord } from '../auth/tokens/records.ts';

/** A token in the form of the API, without its hash. */
export function tokenItem(record: TokenRecord, now: number) {
  const { id, name, role, scope, createdAt, createdBy, expiresAt, lastUsedAt } = record;
  return {
    id,
    name,
    kind: kindOf(record),
    role,
    ...(scope === null ? {} : { project: scope.project, environment: scope.environment }),
    createdAt: isoTime(createdAt),
    createdBy,
    ...(expiresAt === null ? {} : { expiresAt: isoTime(expiresAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: isoTime(lastUsedAt) }),
    expired: stateOf(record, now) === 'Expired',
  };
}
