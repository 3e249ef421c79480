import type { Secret } from '../../crds/builtIn.ts';
import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import { connectionWith, type Login } from '../database/connection.ts';
import { namespaceOf } from '../database/effective.ts';
import type { LogicalServer } from './job.ts';
import { logicalConnectionName, loginSecretName } from './names.ts';

const secret = (
  metadata: { readonly name: string; readonly namespace: string },
  texts: Readonly<Record<string, string>>,
): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  ),
});

/** Stores the login of a database on a shared server, in the namespace of the server, before it is used. */
export const logicalLoginSecret = (logical: CoreLogicalDatabase, server: LogicalServer, login: Login): Secret =>
  secret(
    { name: loginSecretName(logical.metadata.name), namespace: namespaceOf(server.spec) },
    { username: login.username, password: login.password },
  );

/** The Secret that programs of the environment use to reach the database. */
export const logicalConnectionSecret = (
  logical: CoreLogicalDatabase,
  { database, spec }: LogicalServer,
  { login, name }: { readonly login: Login; readonly name: string },
): Secret =>
  secret(
    { name: logicalConnectionName(logical.metadata.name), namespace: namespaceOf(logical.spec) },
    { ...connectionWith(database, spec, { database: name, login }) },
  );
