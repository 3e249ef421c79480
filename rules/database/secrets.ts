import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { bootstrapSecretName, connectionOf, connectionSecretName, type Login, ownLogin } from './connection.ts';
import { namespaceOf } from './effective.ts';
import { databaseLabels } from './labels.ts';

export interface SecretObject extends KubeObject {
  readonly type: 'Opaque';
  readonly data: Readonly<Record<string, string>>;
}

const secret = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  { name, texts }: { readonly name: string; readonly texts: Readonly<Record<string, string>> },
): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: namespaceOf(spec), labels: databaseLabels(database, spec) },
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  ),
});

/** Stores the login of an in-cluster database: written once, before anything that uses it. */
export const bootstrapSecret = (database: CoreDatabase, spec: DatabaseSpec, password: string): SecretObject =>
  secret(database, spec, {
    name: bootstrapSecretName(database.metadata.name),
    texts: { username: ownLogin, password },
  });

/** The Secret that programs use to reach a database. */
export const connectionSecret = (database: CoreDatabase, spec: DatabaseSpec, login: Login): SecretObject =>
  secret(database, spec, {
    name: connectionSecretName(database.metadata.name),
    texts: { ...connectionOf(database, spec, login) },
  });
