import type { CoreDatabase, DatabaseSpec } from '../../../../../crds/coreDatabase.ts';
import { managedDatabasePhases } from '../../../../../crds/databaseStates.ts';
import type { ManagedDatabaseState } from '../../../../../machines/names.ts';
import { databaseNameOf, isManaged } from '../../../../../rules/database/effective.ts';
import type { Absence } from '../../../../../rules/engine.ts';
import { asClaimed } from '../../../../../rules/managedDatabase/claimed.ts';
import type { ManagedSeen } from '../../../../../rules/managedDatabase/message.ts';
import { activeAttempt } from '../../../../../rules/provision/attempts.ts';
import { managedDatabaseLimits } from '../../../../../rules/managedDatabase/limits.ts';
import { isoTime, msOf } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { connectionIn } from '../../owned/login.ts';
import type { ManagedMemory } from './observe/memory.ts';

export function managedPhaseOf({ status }: CoreDatabase): ManagedDatabaseState | Absence {
  return managedDatabasePhases.find((one) => one === status?.managed?.phase) ?? '(none)';
}

/** When the wait for the provider began, in this attempt. */
export function startedAt({ status }: CoreDatabase): number | null {
  const began = status?.managed?.startedAt;
  if (typeof began !== 'string') return null;
  const attempt = activeAttempt(status?.provision)?.startedAt;
  return Math.max(msOf(began), attempt === undefined ? 0 : msOf(attempt));
}

/** The input of messages about a managed database; null for any other. */
export function managedSeen(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, memory, now }: { readonly reader: CacheReader; readonly memory: ManagedMemory; readonly now: number },
): ManagedSeen | null {
  if (!isManaged(spec)) return null;
  const claimed = asClaimed(database, spec);
  const began = startedAt(database);
  const { found, ready, failure, weight } = memory.heard(database.metadata.uid ?? '');
  return {
    engine: claimed.engine,
    name: databaseNameOf(database, claimed),
    stored: connectionIn(database.metadata.name, spec, reader) !== undefined,
    failure,
    weight,
    found,
    ready,
    // While the next login is being stored, the last one does not block.
    storeFailed: managedPhaseOf(database) === 'Starting' && typeof database.status?.managed?.storeFailedAt === 'string',
    waitedMs: now - (began ?? now),
    until: began === null ? undefined : isoTime(began + managedDatabaseLimits.startMs),
  };
}
