import type { CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { accountOf, type CloudAccount } from '../../../rules/cloud/account.ts';
import type { ConnectionLacks } from '../../../rules/backupStorage/causes.ts';
import type { ConnectionRefused } from '../../../rules/cloud/connectionRefused.ts';
import { secretKeys } from '../../../rules/cloud/keys.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections } from '../../services/cluster/kinds.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';

/** The account that a project may use by the name of a connection, or why it may not. */
export type AccountFound =
  | { readonly is: 'found'; readonly connection: CoreCloudConnection; readonly account: CloudAccount }
  | { readonly is: 'unusable'; readonly why: string };

/** The keys that the Secret of a connection lacks. */
export function missingKeys({ spec }: CoreCloudConnection, reader: CacheReader): readonly string[] {
  const secret = reader.get(secrets, spec.secretRef.name);
  return secretKeys[spec.provider].filter((key) => secretText(secret, key) === '');
}

/** The account of a connection by its keys in the cache. */
export function accountIn({ spec }: CoreCloudConnection, reader: CacheReader, region?: string): CloudAccount {
  const secret = reader.get(secrets, spec.secretRef.name);
  const keys = {
    accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
    secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
  };
  return accountOf(spec, keys, region || undefined);
}

/** What of a connection keeps a project from using it, as a cause names it; null for nothing. */
export function connectionLacks(project: string, name: string, reader: CacheReader): ConnectionLacks | null {
  const refused = connectionRefused(project, name, reader);
  if (refused !== null) return { is: refused.is };
  const connection = reader.get(cloudConnections, name);
  if (!connection) return { is: 'absent' };
  const [missing] = missingKeys(connection, reader);
  if (missing === undefined) return null;
  const secret = connection.spec.secretRef.name;
  return { is: 'missing', secret, key: reader.get(secrets, secret) === undefined ? null : missing };
}

const unusable = (why: string): AccountFound => ({ is: 'unusable', why });

/** Why a project may not use a connection at all; null when it may (decision, section 9). */
export function connectionRefused(project: string, name: string, reader: CacheReader): ConnectionRefused | null {
  const connection = reader.get(cloudConnections, name);
  if (!connection) return { name, is: 'absent', why: `cloud connection "${name}" was not found` };
  const { project: scope = '' } = connection.spec;
  if (scope === project && scope !== '') return null;
  const why = scope === '' ? 'must be scoped to a project' : `is scoped to project "${scope}"`;
  return { name, is: 'foreign', why: `cloud connection "${name}" ${why}` };
}

/** The same, as text. */
export const connectionRefusal = (project: string, name: string, reader: CacheReader): string | null =>
  connectionRefused(project, name, reader)?.why ?? null;

/** The account that a project may use by the name of a connection, for buckets of a region. */
export function accountFor(
  reader: CacheReader,
  project: string,
  { name, region }: { readonly name: string; readonly region?: string | undefined },
): AccountFound {
  const refusal = connectionRefusal(project, name, reader);
  if (refusal !== null) return unusable(refusal);
  const connection = reader.get(cloudConnections, name);
  if (connection?.spec.provider !== 'Cloud' || missingKeys(connection, reader).length > 0)
    return unusable(`cloud connection "${name}" is unavailable`);
  return { is: 'found', connection, account: accountIn(connection, reader, region) };
}
