import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../../../crds/coreDatabase.ts';
import { connectionSecretName } from '../../../../../rules/database/connection.ts';
import { databaseNameOf, namespaceOf } from '../../../../../rules/database/effective.ts';
import { type Fact, known, unknown } from '../../../../../rules/fact.ts';
import { claimOf } from '../../../../../rules/managedDatabase/claimed.ts';
import type { LoginSeen, ProviderSeen, Unanswered } from '../../../../../rules/managedDatabase/facts.ts';
import { providerRetry } from '../../../../../rules/managedDatabase/provider.ts';
import { isOf, isOfEarlierOwner, ownerOf } from '../../../../../rules/owned/ownedObject.ts';
import { owned } from '../../../../owned/owned.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { Cluster, type ReadError } from '../../../../services/cluster/cluster.ts';
import { ManagedDb, type ProviderAccount, type ProviderFailed } from '../../../../services/managedDb.ts';
import { secretText } from '../../../../services/secretText.ts';
import { errorMessage } from '../../../../../rules/errorMessage.ts';
import { accountOf } from './observe/account.ts';
import { type ManagedMemory, nothingHeard } from './observe/memory.ts';
import { find } from '../../../../services/cluster/find.ts';

const unanswered = ({ message, status, until }: ProviderFailed): Unanswered => ({
  is: 'failed',
  why: message,
  counts: providerRetry({ status, until }),
  ...(until === undefined ? {} : { until }),
});

/** The answer for a connection that is missing, of another project, or without keys. */
const unusable = (connection: string): Unanswered => ({
  is: 'failed',
  why: `cloud connection "${connection}" is unavailable`,
  counts: 'counted',
});

interface AskInput {
  readonly spec: DatabaseSpec;
  readonly reader: CacheReader;
  readonly memory: ManagedMemory;
}

const asking = <A>(
  connection: string,
  { spec, reader }: AskInput,
  ask: (account: ProviderAccount) => Effect.Effect<A, ProviderFailed>,
): Effect.Effect<A | Unanswered> => {
  const account = accountOf(connection, spec.project ?? '', reader);
  if (account === null) return Effect.succeed(unusable(connection));
  return ask(account).pipe(Effect.catch((failure) => Effect.succeed(unanswered(failure))));
};

/** Reads the database of this name at the provider; the answer is cached for messages. */
export const askProvider = (database: CoreDatabase, around: AskInput): Effect.Effect<Fact<unknown>, never, ManagedDb> =>
  Effect.gen(function* () {
    const { spec, memory } = around;
    const provider = yield* ManagedDb;
    const seen: ProviderSeen = yield* asking(spec.connectionRef?.name ?? '', around, (account) =>
      Effect.map(provider.find(account, databaseNameOf(database, spec)), (found): ProviderSeen =>
        found === null ? { is: 'absent' } : { is: 'found', ...found },
      ),
    );
    memory.hear(database.metadata.uid ?? '', {
      found: seen.is === 'found' ? seen.kind : '',
      ready: seen.is === 'found' && seen.ready,
      failure: seen.is === 'failed' ? seen.why : '',
      weight: seen.is === 'failed' ? seen.counts : 'waiting',
    });
    return known(seen);
  });

/** Whether the claimed login exists. */
export const askLogin = (database: CoreDatabase, around: AskInput): Effect.Effect<Fact<unknown>, never, ManagedDb> =>
  Effect.gen(function* () {
    const claim = claimOf(database);
    if (claim === null) return known({ is: 'none' } satisfies LoginSeen);
    const provider = yield* ManagedDb;
    const seen: LoginSeen = yield* asking(claim.connection, around, (account) =>
      Effect.map(provider.hasLogin(account, claim.place, claim.login), (isLive): LoginSeen => ({
        is: isLive ? 'live' : 'none',
      })),
    );
    const uid = database.metadata.uid ?? '';
    if (seen.is === 'failed') around.memory.hear(uid, { ...nothingHeard, failure: seen.why, weight: seen.counts });
    else around.memory.hear(uid, { ...around.memory.heard(uid), failure: '' });
    return known(seen);
  });

/** The password that a Secret of this database holds, by a direct read: absence in the cache proves nothing. */
export const storedPassword = Effect.fnUntraced(function* (
  database: CoreDatabase,
  spec: DatabaseSpec,
): Effect.fn.Return<string, ReadError, Cluster> {
  const name = { name: connectionSecretName(database.metadata.name), namespace: namespaceOf(spec) };
  const found = yield* find(owned.secrets, name);
  const owner = ownerOf('CoreDatabase', database);
  const isOurs = found !== null && isOf(found, owner) && !isOfEarlierOwner(found, owner);
  return isOurs ? secretText(found, 'password') : '';
});

export const askConnection = (
  database: CoreDatabase,
  { spec }: Pick<AskInput, 'spec'>,
): Effect.Effect<Fact<unknown>, never, Cluster> =>
  storedPassword(database, spec).pipe(
    Effect.map((password): Fact<unknown> => known(password === '' ? 'absent' : 'present')),
    Effect.catch((error) => Effect.succeed(unknown(errorMessage(error)))),
  );
