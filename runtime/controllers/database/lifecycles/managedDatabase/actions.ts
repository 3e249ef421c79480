import { Effect } from 'effect';
import type { CoreDatabase, DatabaseStatus } from '../../../../../crds/coreDatabase.ts';
import type { ManagedDatabaseAction } from '../../../../../machines/names.ts';
import { databaseNameOf, portOf } from '../../../../../rules/database/effective.ts';
import { asClaimed, claimOf } from '../../../../../rules/managedDatabase/claimed.ts';
import type { ManagedDatabaseFacts } from '../../../../../rules/managedDatabase/facts.ts';
import { managedKind } from '../../../../../rules/managedDatabase/kind.ts';
import { providerRetry } from '../../../../../rules/managedDatabase/provider.ts';
import { isoTime, msOf } from '../../../../../rules/time.ts';
import { ActionFailed, type Acting, type Actions, type Writing } from '../../../../contract/lifecycle.ts';
import { type IssuedLogin, ManagedDb, ProviderFailed } from '../../../../services/managedDb.ts';
import { failedAs } from '../../actions.ts';
import type { DatabaseResources } from '../../owned.ts';
import { gateOf, specOf } from '../../../../../rules/database/deployed.ts';
import { accountNow, accountOf } from './observe/account.ts';
import { storedPassword } from './ask.ts';
import type { ManagedMemory } from './observe/memory.ts';
import { unlessUnmanaged } from '../../../../owned/unlessUnmanaged.ts';

type Managed = NonNullable<DatabaseStatus['managed']>;
type Fields = { readonly managed: Partial<Managed> | null };
type Acts = Acting<CoreDatabase, ManagedDatabaseFacts>;

const spec = ({ object }: Pick<Acts, 'object'>) => asClaimed(object, specOf(object, gateOf(object)));

/** A failure of the provider, as the Ready messages describe it. */
const refusedAs = (action: string) => (failure: ProviderFailed) =>
  new ActionFailed({ action, retry: providerRetry(failure), message: `ManagedDb did not answer: ${failure.message}` });

const waits = (action: string, message: string) => new ActionFailed({ action, retry: 'waiting', message });

/** A separate rule reads this failure; its text says both. */
const notStored = ({ action, retry, message }: ActionFailed) =>
  new ActionFailed({ action, retry, message: `the login could not be stored and is revoked: ${message}` });

/** The account of the connection in the spec; usable, because the provider just answered it. */
const accountFor = (action: string, { object, reader }: Acts) => {
  const { connectionRef, project = '' } = spec({ object });
  const account = accountOf(connectionRef?.name ?? '', project, reader);
  return account ?? waits(action, `cloud connection "${connectionRef?.name ?? ''}" is unavailable`);
};

const loginOf = ({ object }: Acts, { username, password, host, port, database }: IssuedLogin) => {
  const own = spec({ object });
  const at = { host, port: port ?? portOf(own), database: database ?? databaseNameOf(object, own) };
  return { username, password, at };
};

/** Merges fields into what is written; null removes one. */
const beside = (
  { moved }: { readonly moved: CoreDatabase },
  fields: { readonly [F in keyof Managed]?: Managed[F] | null },
): Fields => ({
  managed: Object.fromEntries(
    Object.entries({ ...moved.status?.managed, ...fields }).filter(([, value]) => value !== null),
  ),
});

const longestName = 36;

/** Gives each login a unique name, so that a lost one is identified and not mistaken for its successor. */
const claimedName = ({ metadata: { name, uid = '' } }: CoreDatabase, at: string): string =>
  `core-${name.slice(0, longestName)}-${uid.slice(0, 8)}-${msOf(at).toString(36)}`;

function claimed(writing: Writing<CoreDatabase, ManagedDatabaseFacts>): Fields {
  const { object, at, facts } = writing;
  const spec = specOf(object, gateOf(object));
  return beside(writing, {
    login: claimedName(object, at),
    connection: spec.connectionRef?.name ?? '',
    database: facts.name,
    kind: managedKind(spec.engine) ?? '',
  });
}

const createDatabase = Effect.fnUntraced(function* (acting: Acts) {
  const account = accountFor('createDatabase', acting);
  if (account instanceof ActionFailed) return yield* account;
  const { object } = acting;
  const own = spec(acting);
  const database = {
    name: databaseNameOf(object, own),
    kind: managedKind(own.engine) ?? 'postgresql',
    clusterSize: own.clusterSize ?? '',
  };
  const provider = yield* ManagedDb;
  return yield* provider.create(account, database).pipe(Effect.mapError(refusedAs('createDatabase')));
});

const issueLogin = (memory: ManagedMemory) =>
  Effect.fnUntraced(function* (acting: Acts) {
    const claim = claimOf(acting.object);
    const account = accountFor('issueLogin', acting);
    if (account instanceof ActionFailed) return yield* account;
    if (claim === null) return yield* waits('issueLogin', 'no login is claimed');
    const provider = yield* ManagedDb;
    const issued = yield* provider
      .issue(account, claim.place, claim.login)
      .pipe(Effect.mapError(refusedAs('issueLogin')));
    memory.issued.set(claim.login, issued);
  });

/** A lost response is recovered: the write may have succeeded. */
const storeConnection = (ownedResources: DatabaseResources, memory: ManagedMemory) =>
  Effect.fnUntraced(function* (acting: Acts) {
    const { object, reader } = acting;
    const login = claimOf(object)?.login ?? '';
    const issued = memory.issued.get(login);
    if (issued === undefined) return;
    const own = spec(acting);
    yield* ownedResources.applyAll(object, reader, { spec: own, login: loginOf(acting, issued) }).pipe(
      Effect.flatMap(unlessUnmanaged('storeConnection')),
      Effect.mapError(failedAs('storeConnection')),
      Effect.catch((failure) =>
        Effect.matchEffect(storedPassword(object, own), {
          onSuccess: (stored) => (stored === issued.password ? Effect.void : Effect.fail(notStored(failure))),
          onFailure: () => Effect.fail(notStored(failure)),
        }),
      ),
    );
    memory.issued.delete(login);
  });

/**
 * Revokes the claimed login. One that is in the connection after all stays, unless the database is deleted. Without the
 * connection to the provider, nothing can revoke it.
 */
const revokeLogin = (memory: ManagedMemory) =>
  Effect.fnUntraced(function* ({ object, facts }: Acts) {
    const claim = claimOf(object);
    if (claim === null) return;
    if (facts.wanted === 'wanted') {
      const stored = yield* storedPassword(object, spec({ object })).pipe(Effect.mapError(failedAs('revokeLogin')));
      if (stored !== '') return yield* waits('revokeLogin', 'the login stands in the connection Secret');
    }
    const account = yield* accountNow(claim.connection).pipe(Effect.mapError(failedAs('revokeLogin')));
    if (account === null) return;
    const provider = yield* ManagedDb;
    yield* provider.revoke(account, claim.place, claim.login).pipe(Effect.mapError(refusedAs('revokeLogin')));
    memory.issued.delete(claim.login);
  });

const deleteConnection =
  (ownedResources: DatabaseResources) =>
  ({ object, reader }: Acts) =>
    Effect.asVoid(ownedResources.remove(object, reader)).pipe(Effect.mapError(failedAs('deleteConnection')));

/** The named actions of a managed database, at the provider and in the cluster. */
export function managedActions(
  ownedResources: DatabaseResources,
  memory: ManagedMemory,
): Actions<ManagedDatabaseAction, CoreDatabase, ManagedDatabaseFacts, Fields> {
  return {
    createDatabase: { effect: createDatabase },
    issueLogin: { effect: issueLogin(memory) },
    recordRefusal: {
      patch: (writing) => beside(writing, { refusedGeneration: writing.object.metadata.generation ?? 0 }),
    },
    recordStart: {
      patch: (writing) => beside(writing, { startedAt: writing.at, refusedGeneration: null, storeFailedAt: null }),
    },
    claimLogin: { patch: claimed },
    storeConnection: {
      effect: storeConnection(ownedResources, memory),
      patch: (writing) => beside(writing, { storeFailedAt: null }),
    },
    recordStoreFailure: { patch: (writing) => beside(writing, { storeFailedAt: isoTime(writing.facts.now) }) },
    revokeLogin: {
      effect: revokeLogin(memory),
      patch: (writing) => beside(writing, { login: null, connection: null, database: null, kind: null }),
    },
    deleteConnection: { effect: deleteConnection(ownedResources), patch: () => ({ managed: null }) },
  };
}
