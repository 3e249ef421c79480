import type { CoreDatabase, DatabaseSpec } from '../../../../../crds/coreDatabase.ts';
import { managedDatabase as machine } from '../../../../../machines/managedDatabase.ts';
import type { ManagedDatabaseEvent, ManagedDatabaseState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { databaseNameOf, isManaged, ranAs } from '../../../../../rules/database/effective.ts';
import { blockers } from '../../../../../rules/database/blockers.ts';
import { lastingRefusal } from '../../../../../rules/database/lasting.ts';
import { byState } from '../../../../../rules/engine.ts';
import { known, unasked } from '../../../../../rules/fact.ts';
import { asClaimed, claimOf } from '../../../../../rules/managedDatabase/claimed.ts';
import { managedDatabaseEvents } from '../../../../../rules/managedDatabase/events.ts';
import type { ManagedDatabaseFacts } from '../../../../../rules/managedDatabase/facts.ts';
import { isBlockedBy } from '../../../../../rules/provision/blockers.ts';
import { msOf } from '../../../../../rules/time.ts';
import {
  type ActionFailed,
  type AnyLifecycle,
  lifecycle,
  type ReconcileInput,
} from '../../../../contract/lifecycle.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { isDeleting } from '../../../../../rules/deleting.ts';
import { connectionIn } from '../../owned/login.ts';
import type { DatabaseResources } from '../../owned.ts';
import { gateOf, specOf } from '../../../../../rules/database/deployed.ts';
import { gateIn } from '../../../provisioned/draftDeploy.ts';
import { observeDatabase } from '../../observe.ts';
import { managedActions } from './actions.ts';
import { askConnection, askLogin, askProvider } from './ask.ts';
import { managedPhaseOf, startedAt } from './observe.ts';

const failedAt: Readonly<Record<string, NonNullable<ManagedDatabaseFacts['failed']>['at']>> = {
  createDatabase: 'create',
  issueLogin: 'issue',
  storeConnection: 'store',
  revokeLogin: 'revoke',
  deleteConnection: 'revoke',
};

function failedOf(failure: ActionFailed | null): ManagedDatabaseFacts['failed'] {
  const at = failure && failedAt[failure.action];
  return failure && at ? { at, why: failure.message } : null;
}

const isGivenUp = ({ status }: CoreDatabase): boolean => status?.reconcileRetry?.gaveUp === true;

/** A refusal gives up; a restart of provisioning requeues it. */
function failuresOf(database: CoreDatabase): Pick<ManagedDatabaseFacts, 'refusedGeneration' | 'storeFailedAt'> {
  const { refusedGeneration, storeFailedAt } = database.status?.managed ?? {};
  return {
    refusedGeneration: isGivenUp(database) ? (refusedGeneration ?? null) : null,
    storeFailedAt: typeof storeFailedAt === 'string' ? msOf(storeFailedAt) : null,
  };
}

/** A spec that contradicts the provisioned one deletes nothing, and neither does a lost snapshot. */
function wantedOf(database: CoreDatabase, spec: DatabaseSpec, input: ReconcileInput): ManagedDatabaseFacts['wanted'] {
  if (isDeleting(database)) return 'deleting';
  const gate = gateIn(input);
  if (gate === 'Draft') return 'unwanted';
  if (isManaged(spec)) return 'wanted';
  const isKept =
    gate === 'SnapshotMissing' || lastingRefusal(ranAs(database, spec), database.status?.running ?? null) !== null;
  return isKept && managedPhaseOf(database) !== '(none)' ? 'wanted' : 'unwanted';
}

/** The machine of a database and its login at the provider. It steps before the counted failures, which read it. */
export function managedDatabase(ownedResources: DatabaseResources): AnyLifecycle {
  const { managed: memory } = ownedResources;

  const heldBack = (
    database: CoreDatabase,
    reader: CacheReader,
    input: ReconcileInput,
  ): ManagedDatabaseFacts['heldBack'] => {
    if (isGivenUp(database)) return 'givenUp';
    const found = { reader, ownedResources, gate: gateIn(input), now: input.now, failure: null };
    const seen = observeDatabase(database, found);
    // Without the provider's own answer.
    return isBlockedBy(blockers, { ...seen, managed: seen.managed && { ...seen.managed, stored: true } })
      ? 'hindered'
      : 'no';
  };

  return lifecycle<CoreDatabase, ManagedDatabaseFacts, ManagedDatabaseState, ManagedDatabaseEvent['type']>({
    name: 'managedDatabase',
    storage: 'status',
    machine,
    ...tables.managedDatabase,
    rules: byState(managedDatabaseEvents),
    concerns: ({ spec, status }) => isManaged(spec) || status?.managed !== undefined,
    retrying: () => false,
    read: managedPhaseOf,
    write: (to, { status }) => ({ managed: { ...status?.managed, phase: to } }),
    shown: managedPhaseOf,
    observe: (database, reader, input) => {
      const { metadata } = database;
      const spec = specOf(database, gateIn(input));
      const claimed = asClaimed(database, spec);
      const wanted = wantedOf(database, spec, input);
      const login = claimOf(database)?.login ?? '';
      const held = wanted === 'wanted' ? heldBack(database, reader, input) : 'no';
      return {
        now: input.now,
        wanted,
        heldBack: held,
        engine: claimed.engine,
        name: databaseNameOf(database, claimed),
        generation: metadata.generation ?? 0,
        ...failuresOf(database),
        startedAt: startedAt(database),
        claimed: login !== '',
        passwordHeld: memory.issued.has(login),
        // No rule reads it then; a draft or another kind of database does not concern the provider.
        provider: wanted === 'wanted' && held === 'no' ? unasked : known({ is: 'absent' }),
        login: login === '' ? known({ is: 'none' }) : unasked,
        connection: connectionIn(metadata.name, spec, reader) === undefined ? unasked : known('present'),
        failed: failedOf(input.failure),
      };
    },
    ask: (fact, database, reader) => {
      const around = { spec: asClaimed(database, specOf(database, gateOf(database))), reader, memory };
      if (fact === 'provider') return askProvider(database, around);
      return fact === 'login' ? askLogin(database, around) : askConnection(database, around);
    },
    actions: managedActions(ownedResources, memory),
    ensures: {},
  });
}
