import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { bootstrapSecretName, type Login, ownLogin } from '../../../rules/database/connection.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import { bootstrapSecret } from '../../../rules/database/secrets.ts';
import { appliedObject, isOf, isOfEarlierOwner, ownerOf } from '../../../rules/owned/ownedObject.ts';
import { ActionFailed } from '../../lifecycle.ts';
import { owned } from '../../owned/owned.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import { secrets } from '../../resources.ts';
import { secretText } from '../../services/secretText.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cluster, type ReadError, type WriteError } from '../../services/cluster.ts';
import { Passwords } from '../../services/passwords.ts';

/** The login by the cache: the one that was drawn, or the one that the spec names; null where none is drawn yet. */
export function loginOf({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Login | null {
  if (spec.placement === 'External') return { username: spec.username ?? '', password: passwordOf(spec, reader) };
  return drawnIn(reader.get(owned.secrets, bootstrapSecretName(metadata.name), namespaceOf(spec)));
}

const passwordIn = ({ passwordSecretRef }: DatabaseSpec, secret: Secret | undefined): string =>
  secretText(secret, passwordSecretRef?.key || 'password');

const passwordOf = (spec: DatabaseSpec, reader: CacheReader): string =>
  passwordIn(spec, reader.get(secrets, spec.passwordSecretRef?.name ?? ''));

/** Whether the spec of an external database names a password that the cache does not have. */
export const lacksPassword = (spec: DatabaseSpec, reader: CacheReader): boolean =>
  spec.placement === 'External' && (spec.passwordSecretRef?.name ?? '') !== '' && passwordOf(spec, reader) === '';

/** Whether the password exists, by a direct read. */
export const hasPassword = (spec: DatabaseSpec): Effect.Effect<boolean, ReadError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => cluster.get(secrets, { name: spec.passwordSecretRef?.name ?? '' })).pipe(
    Effect.map((secret) => passwordIn(spec, secret) !== ''),
    Effect.catchTag('NotFound', () => Effect.succeed(false)),
  );

function drawnIn(secret: Secret | undefined): Login | null {
  const password = secretText(secret, 'password');
  return password === '' ? null : { username: ownLogin, password };
}

/**
 * The login of a database that runs in the cluster. It is drawn once, stored before use and never overwritten, even
 * when several processes try at the same time.
 */
export const settledLogin = Effect.fnUntraced(function* (
  database: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
): Effect.fn.Return<Login, ActionFailed | WriteError, Cluster | Passwords> {
  const cached = loginOf(database, spec, reader);
  if (cached !== null) return cached;
  const cluster = yield* Cluster;
  const name = { name: bootstrapSecretName(database.metadata.name), namespace: namespaceOf(spec) };
  const owner = ownerOf('CoreDatabase', database);
  const stored = cluster.get(owned.secrets, name).pipe(Effect.catchTag('NotFound', () => Effect.succeed(undefined)));
  const before = yield* stored;
  const password = yield* (yield* Passwords).draw;
  if (!before) {
    const secret = appliedObject(bootstrapSecret(database, spec, password), owner);
    yield* cluster.apply(owned.secrets, secret, 'nothing').pipe(Effect.catchTag('Conflict', () => Effect.void));
  }
  const found = before ?? (yield* stored);
  if (found && (!isOf(found, owner) || isOfEarlierOwner(found, owner)))
    return yield* new ActionFailed({
      action: 'applyWorkload',
      weight: 'counted',
      text: `Secret ${name.namespace}/${name.name} stands already and is not Core's`,
    });
  return drawnIn(found) ?? { username: ownLogin, password };
});
