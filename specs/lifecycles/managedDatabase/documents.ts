import type { ManagedDatabaseEvent, ManagedDatabaseState } from '../../../machines/names.ts';
import type { ManagedDatabaseFacts } from '../../../rules/managedDatabase/facts.ts';
import type { ManagedSeen } from '../../../rules/managedDatabase/message.ts';
import { valueOf } from '../../support/facts.ts';

type Event = ManagedDatabaseEvent['type'];
type State = ManagedDatabaseState | '(none)';

/** What happened, according to the documents. */
export function documents(state: State, facts: ManagedDatabaseFacts): Event | null {
  if (state === '(none)') return facts.wanted === 'wanted' ? lookedUp(facts) : null;
  if (facts.failed !== null && facts.failed.at === 'revoke') return 'revokeFailed';
  if (facts.wanted === 'deleting') return 'deletionSeen';
  if (facts.wanted === 'unwanted') return 'letGo';
  switch (state) {
    case 'Refused':
      return facts.refusedGeneration === facts.generation ? 'refusalStood' : lookedUp(facts);
    case 'Starting':
      return started(facts);
    case 'LoginIssued':
      return issued(facts);
    case 'Ready':
      return valueOf(facts.connection) === 'present' ? 'connectionKept' : lost(facts);
  }
}

/** The supported engines, then what exists under the name; what does not exist is created. */
function lookedUp(facts: ManagedDatabaseFacts): Event {
  if (facts.heldBack !== 'no') return 'heldBack';
  if (facts.engine !== 'MySQL' && facts.engine !== 'Postgres') return 'engineRefused';
  const there = valueOf(facts.provider);
  if (there.is === 'failed' || facts.failed?.at === 'create') return 'providerFailed';
  if (there.is === 'absent') return 'databaseMissing';
  const matches = facts.engine === 'MySQL' ? there.kind === 'mysql' : there.kind === 'postgresql';
  return matches ? 'matchFound' : 'otherKindFound';
}

/** Up to 30 minutes of starting do not count; once ready, a login is issued unless a connection Secret exists. */
function started(facts: ManagedDatabaseFacts): Event {
  const stray = strayLogin(facts);
  if (stray !== null) return stray;
  const found = lookedUp(facts);
  if (found !== 'matchFound') return found;
  const there = valueOf(facts.provider);
  const ready = there.is === 'found' && there.ready;
  if (!ready) {
    const minutes = facts.startedAt === null ? 0 : (facts.now - facts.startedAt) / 60_000;
    return minutes >= 30 ? 'startOverdue' : 'startAwaited';
  }
  if (valueOf(facts.connection) === 'present') return 'connectionFound';
  if (facts.storeFailedAt !== null && facts.now < facts.storeFailedAt + 30_000) return 'storeRetryAwaited';
  return facts.claimed ? 'loginDue' : 'loginUnclaimed';
}

function strayLogin(facts: ManagedDatabaseFacts): Event | null {
  const login = valueOf(facts.login);
  if (login.is === 'failed' || facts.failed?.at === 'issue') return 'providerFailed';
  return login.is === 'live' ? 'strayLoginFound' : null;
}

/** Without the Secret its login is revoked, then the database is looked up again, then a new login is issued. */
function lost(facts: ManagedDatabaseFacts): Event {
  const stray = strayLogin(facts);
  if (stray !== null) return stray;
  const found = lookedUp(facts);
  if (found !== 'matchFound') return found;
  return facts.claimed ? 'connectionDeleted' : 'loginUnclaimed';
}

/** Stored at once, or revoked. */
function issued(facts: ManagedDatabaseFacts): Event {
  if (valueOf(facts.connection) === 'present') return 'loginStored';
  if (facts.failed?.at === 'store') return 'storeFailed';
  return facts.passwordHeld ? 'loginStored' : 'passwordLost';
}

/** The id of the message that the documents would show. */
export function messageOf(seen: ManagedSeen): string {
  if (seen.stored) return 'DB-099';
  if (seen.engine === 'Redis' || seen.engine === 'SQLite') return 'DB-198';
  if (seen.failure.length > 0) return 'DB-151a';
  if (seen.engine === 'MySQL' && seen.found === 'postgresql') return 'DB-197';
  if (seen.engine === 'Postgres' && seen.found === 'mysql') return 'DB-197';
  if (seen.storeFailed) return 'DB-100';
  return !seen.ready && seen.waitedMs >= 1_800_000 ? 'DB-095' : 'DB-093';
}
