import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import type { Login } from '../../../../rules/database/connection.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import { logicalConnectionName, loginSecretName } from '../../../../rules/logicalDatabase/names.ts';
import { logicalLoginSecret } from '../../../../rules/logicalDatabase/secrets.ts';
import { appliedObject, isOf, type Owner, ownerOf } from '../../../../rules/owned/ownedObject.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { ActionFailed } from '../../../contract/lifecycle.ts';
import { owned } from '../../../owned/owned.ts';
import { asSeen, Cluster, type Conflict, type Name, type ReadError } from '../../../services/cluster/cluster.ts';
import { failedOn, refIn } from '../../../services/cluster/failedOn.ts';
import { Passwords } from '../../../services/passwords.ts';
import { secretText } from '../../../services/secretText.ts';
import { type Placed, serverLogin } from '../observe/server.ts';
import { find } from '../../../services/cluster/find.ts';

/** The Secrets with the password of its own login: that of the login, and the connection with a copy. */
const keptIn = ({ metadata, spec }: CoreLogicalDatabase, { server }: Placed): readonly Required<Name>[] => [
  { name: loginSecretName(metadata.name), namespace: namespaceOf(server.spec) },
  { name: logicalConnectionName(metadata.name), namespace: namespaceOf(spec) },
];

const owning = (logical: CoreLogicalDatabase): Owner => ({ ...ownerOf('CoreLogicalDatabase', logical), adopts: true });

/** The cached login; null when none is stored. */
export function loginIn(logical: CoreLogicalDatabase, placed: Placed, reader: CacheReader): Login | null {
  if (placed.owner === 'own') return serverLogin(placed, reader);
  for (const { name, namespace } of keptIn(logical, placed)) {
    const secret = reader.get(owned.secrets, name, namespace);
    const password = secret && isOf(secret, owning(logical)) ? secretText(secret, 'password') : '';
    if (password !== '') return { username: placed.login, password };
  }
  return null;
}

/** Removes the Secrets that a direct read still finds, because the cache may lag. */
export const removeSecrets = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
): Effect.fn.Return<void, ReadError | Conflict, Cluster> {
  const cluster = yield* Cluster;
  const { metadata, spec } = logical;
  const names = [
    // Only a shared server has separate logins, and it runs here.
    { name: loginSecretName(metadata.name), namespace: systemNamespace },
    { name: logicalConnectionName(metadata.name), namespace: namespaceOf(spec) },
  ];
  yield* eachOf(names, (name) =>
    Effect.flatMap(find(owned.secrets, name), (secret) =>
      secret && isOf(secret, owning(logical)) ? cluster.remove(owned.secrets, name, asSeen(secret)) : Effect.void,
    ),
  );
});

const stored = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
  name: Name,
): Effect.fn.Return<{ readonly password: string; readonly isUnmanaged: boolean }, ReadError, Cluster> {
  const secret = yield* find(owned.secrets, name);
  const isUnmanaged = secret !== null && !isOf(secret, owning(logical));
  return { password: isUnmanaged ? '' : secretText(secret ?? undefined, 'password'), isUnmanaged };
});

/**
 * The login of a database on a shared server, stored before use: the existing one by direct reads, else that of the
 * connection, else a new one. Concurrent processes get the same result.
 */
export const settledLogin = Effect.fnUntraced(function* (logical: CoreLogicalDatabase, placed: Placed) {
  const [own = { name: '' }, copy = { name: '' }] = keptIn(logical, placed);
  const before = yield* stored(logical, own);
  if (before.isUnmanaged) return yield* unmanagedLogin(own);
  if (before.password !== '') return { username: placed.login, password: before.password };
  const password = (yield* stored(logical, copy)).password || (yield* (yield* Passwords).draw);
  const login = { username: placed.login, password };
  const secret = appliedObject(logicalLoginSecret(logical, placed.server, login), owning(logical));
  const cluster = yield* Cluster;
  yield* cluster.apply(owned.secrets, secret, 'nothing').pipe(
    Effect.catchTag('Conflict', () => Effect.void),
    Effect.mapError(failedOn(refIn(owned.secrets, secret.metadata))),
  );
  const after = yield* stored(logical, own);
  return after.isUnmanaged ? yield* unmanagedLogin(own) : { ...login, password: after.password || password };
});

const unmanagedLogin = ({ name, namespace = '' }: Name) =>
  new ActionFailed({
    action: 'createJob',
    retry: 'counted',
    message: `Secret ${namespace}/${name} already exists and is not managed by Core`,
    on: { kind: 'Secret', name, namespace },
  });
