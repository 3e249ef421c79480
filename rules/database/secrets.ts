import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { mysqlPasswordKeys, redisPasswordKey } from './charts.ts';
import { bootstrapSecretName, connectionOf, connectionSecretName, type Login, loginWith } from './connection.ts';
import { namespaceOf } from './effective.ts';
import { databaseLabels } from './labels.ts';

export interface SecretObject extends KubeObject {
  readonly type: 'Opaque' | 'kubernetes.io/basic-auth';
  readonly data: Readonly<Record<string, string>>;
}

const secret = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  {
    name,
    texts,
    type = 'Opaque',
  }: { readonly name: string; readonly texts: Readonly<Record<string, string>>; readonly type?: SecretObject['type'] },
): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: namespaceOf(spec), labels: databaseLabels(database, spec) },
  type,
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  ),
});

/** The keys under which the server of an engine looks for its passwords. */
const serverKeys: Readonly<Partial<Record<DatabaseSpec['engine'], readonly string[]>>> = {
  MySQL: mysqlPasswordKeys,
  Redis: [redisPasswordKey],
};

/**
 * Stores the login of an in-cluster database: written once, before anything that uses it. The administrator has the
 * same password, so that a lost Secret can be restored from the connection.
 */
export function bootstrapSecret(database: CoreDatabase, spec: DatabaseSpec, password: string): SecretObject {
  const ofServer = (serverKeys[spec.engine] ?? []).map((key) => [key, password]);
  return secret(database, spec, {
    name: bootstrapSecretName(database.metadata.name),
    texts: { ...loginWith(spec.engine, password), ...Object.fromEntries(ofServer) },
    ...(spec.engine === 'Postgres' ? { type: 'kubernetes.io/basic-auth' as const } : {}),
  });
}

/** The Secret that programs use to reach a database. */
export const connectionSecret = (database: CoreDatabase, spec: DatabaseSpec, login: Login): SecretObject =>
  secret(database, spec, {
    name: connectionSecretName(database.metadata.name),
    texts: { ...connectionOf(database, spec, login) },
  });
