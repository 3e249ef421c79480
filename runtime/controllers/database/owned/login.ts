import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import {
  bootstrapSecretName,
  connectionSecretName,
  hasLogin,
  hostOf,
  type Login,
  loginWith,
} from '../../../../rules/database/connection.ts';
import { databaseNameOf, isManaged, namespaceOf, portOf } from '../../../../rules/database/effective.ts';
import { bootstrapSecret } from '../../../../rules/database/secrets.ts';
import { appliedObject, isOf, isOfEarlierOwner, ownerOf } from '../../../../rules/owned/ownedObject.ts';
import { ActionFailed } from '../../../contract/lifecycle.ts';
import { owned } from '../../../owned/owned.ts';
import type { Secret } from '../../../../crds/builtIn.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { secretText } from '../../../services/secretText.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Cluster, type Gone, type ReadError, type WriteError } from '../../../services/cluster/cluster.ts';
import { failedOn, refIn } from '../../../services/cluster/failedOn.ts';
import { Passwords } from '../../../services/passwords.ts';
import { volumesOf } from './volumes.ts';
import { find } from '../../../services/cluster/find.ts';

/** The cached login: the generated one, or the one in the spec; null when none exists yet. */
export function loginOf({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Login | null {
  if (isManaged(spec)) return providedLogin(metadata.name, spec, reader);
  if (spec.placement === 'External') return { username: spec.username ?? '', password: passwordOf(spec, reader) };
  if (!hasLogin(spec.engine)) return loginWith(spec.engine, '');
  return drawnIn(spec, reader.get(owned.secrets, bootstrapSecretName(metadata.name), namespaceOf(spec)));
}

/** The Secret of a connection that holds a login; undefined when there is none. */
export function connectionIn(name: string, spec: DatabaseSpec, reader: CacheReader): Secret | undefined {
  const found = reader.get(owned.secrets, connectionSecretName(name), namespaceOf(spec));
  return secretText(found, 'password') === '' ? undefined : found;
}

/** The login of a managed database is known from its connection alone, because the provider shows it once. */
function providedLogin(name: string, spec: DatabaseSpec, reader: CacheReader): Login | null {
  const found = connectionIn(name, spec, reader);
  if (found === undefined) return null;
  const text = (key: string) => secretText(found, key);
  const at = {
    host: text('host'),
    port: Number(text('port')) || portOf(spec),
    database: text('database') || databaseNameOf({ metadata: { name } }, spec),
  };
  return { username: text('username'), password: text('password'), at };
}

/** The host of a database; for a managed one the provider names it with the login. */
export const reachedAt = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): string =>
  loginOf(database, spec, reader)?.at?.host ?? hostOf(database, spec);

const passwordIn = ({ passwordSecretRef }: DatabaseSpec, secret: Secret | undefined): string =>
  secretText(secret, passwordSecretRef?.key || 'password');

const passwordOf = (spec: DatabaseSpec, reader: CacheReader): string =>
  passwordIn(spec, reader.get(secrets, spec.passwordSecretRef?.name ?? ''));

/** The Secret that an external database names and that lacks its password; empty for none. */
export function passwordAwaited(spec: DatabaseSpec, reader: CacheReader): string {
  const name = spec.placement === 'External' ? (spec.passwordSecretRef?.name ?? '') : '';
  return name !== '' && passwordOf(spec, reader) === '' ? name : '';
}

/** The key of the password that this Secret lacks; undefined when the Secret itself is missing. */
export const passwordKeyAwaited = ({ passwordSecretRef }: DatabaseSpec, reader: CacheReader): string | undefined =>
  reader.get(secrets, passwordSecretRef?.name ?? '') && (passwordSecretRef?.key || 'password');

function drawnIn({ engine }: DatabaseSpec, secret: Secret | undefined): Login | null {
  const password = secretText(secret, 'password');
  return password === '' ? null : loginWith(engine, password);
}

/**
 * The login of a database that runs in the cluster. It is generated once, stored before use and never overwritten, even
 * when several processes try at the same time.
 */
export const settledLogin = Effect.fnUntraced(function* (
  database: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
): Effect.fn.Return<Login, ActionFailed | WriteError | Gone, Cluster | Passwords> {
  const cached = loginOf(database, spec, reader);
  if (cached !== null) return cached;
  if (isManaged(spec)) return yield* lost('the connection Secret is gone');
  const cluster = yield* Cluster;
  const owner = ownerOf('CoreDatabase', database);
  const name = bootstrapSecretName(database.metadata.name);
  const before = yield* stored(spec, name);
  const password = before ? '' : yield* newPassword(database, spec);
  if (!before) {
    const secret = appliedObject(bootstrapSecret(database, spec, password), owner);
    yield* cluster.apply(owned.secrets, secret, 'nothing').pipe(
      Effect.catchTag('Conflict', () => Effect.void),
      Effect.mapError(failedOn(refIn(owned.secrets, secret.metadata))),
    );
  }
  const found = before ?? (yield* stored(spec, name));
  if (found && (!isOf(found, owner) || isOfEarlierOwner(found, owner)))
    return yield* lost(`Secret ${namespaceOf(spec)}/${name} already exists and is not managed by Core`);
  return drawnIn(spec, found ?? undefined) ?? loginWith(spec.engine, password);
});

const lost = (message: string) => new ActionFailed({ action: 'applyWorkload', retry: 'counted', message });

const stored = (spec: DatabaseSpec, name: string): Effect.Effect<Secret | null, ReadError, Cluster> =>
  find(owned.secrets, { name, namespace: namespaceOf(spec) });

/**
 * The password of the connection when the bootstrap Secret was lost, else a new one; a volume keeps its old password.
 */
const newPassword = Effect.fnUntraced(function* (database: CoreDatabase, spec: DatabaseSpec) {
  const connection = yield* stored(spec, connectionSecretName(database.metadata.name));
  const isOurs = connection !== null && isOf(connection, ownerOf('CoreDatabase', database));
  const before = isOurs ? secretText(connection, 'password') : '';
  if (before !== '') return before;
  const volumes = yield* volumesOf(database, spec);
  if (volumes.length > 0)
    return yield* lost(
      `the password of ${volumes.join(', ')} is lost: neither ${bootstrapSecretName(database.metadata.name)} nor ${connectionSecretName(database.metadata.name)} holds it`,
    );
  return yield* (yield* Passwords).draw;
});
