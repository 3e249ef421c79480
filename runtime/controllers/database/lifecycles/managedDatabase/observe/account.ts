import { Effect } from 'effect';
import type { CoreCloudConnection } from '../../../../../../crds/coreCloudConnection.ts';
import type { Secret } from '../../../../../../crds/builtIn.ts';
import { systemNamespace } from '../../../../../../crds/names.ts';
import { cloudConnections } from '../../../../../services/cluster/kinds.ts';
import { secrets } from '../../../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../../../cache/reader.ts';
import { Cluster, type ReadError } from '../../../../../services/cluster/cluster.ts';
import type { ProviderAccount } from '../../../../../services/managedDb.ts';
import { secretText } from '../../../../../services/secretText.ts';

/** The keys of the Secret of a connection to the provider. */
const providerKeys = ['organization', 'token'] as const;

/** The account in a Secret; null when it lacks a key. */
function accountIn(secret: Secret | undefined): ProviderAccount | null {
  const [organization, token] = providerKeys.map((key) => secretText(secret, key));
  return organization && token ? { organization, token } : null;
}

/** The account of a connection of this project; null when it may not or cannot be used. */
export function accountOf(connection: string, project: string, reader: CacheReader): ProviderAccount | null {
  const found = reader.get(cloudConnections, connection);
  if (found?.spec.provider !== 'ManagedDb' || !project || found.spec.project !== project) return null;
  return accountIn(reader.get(secrets, found.spec.secretRef.name));
}

const orNull = <A>(read: Effect.Effect<A, ReadError>): Effect.Effect<A | null, ReadError> =>
  Effect.catchTag(read, 'NotFound', () => Effect.succeed(null));

/** The same by direct reads: null means that this connection can no longer be used. */
export const accountNow = Effect.fnUntraced(function* (
  connection: string,
): Effect.fn.Return<ProviderAccount | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const found: CoreCloudConnection | null = yield* orNull(cluster.get(cloudConnections, { name: connection }));
  if (found?.spec.provider !== 'ManagedDb') return null;
  const name = { name: found.spec.secretRef.name, namespace: systemNamespace };
  return accountIn((yield* orNull(cluster.get(secrets, name))) ?? undefined);
});
