import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { databaseNameOf, namespaceOf, portOf } from './effective.ts';

/** The credentials of a database user. */
export interface Login {
  readonly username: string;
  readonly password: string;
  /** The address that the provider of a managed database gives. */
  readonly at?: Address;
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** What a program needs to use a database: the keys of its connection Secret. */
export interface Connection extends Omit<Login, 'at'> {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly uri: string;
}

export const connectionSecretName = (database: string): string => `${database}-connection`;

/** The Secret that stores the login of an in-cluster database before it is copied. */
export const bootstrapSecretName = (database: string): string => `${database}-bootstrap`;

/** The login of every in-cluster database. */
export const ownLogin = 'app';

/** The host of a database inside the cluster. */
export function hostOf({ metadata: { name } }: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string {
  if (spec.placement === 'External') return spec.externalHost ?? '';
  const service = `.${namespaceOf(spec)}.svc`;
  switch (spec.engine) {
    case 'Postgres':
      return `${name}-rw${service}`;
    case 'MySQL':
      return `core-mysql-${name}${spec.highAvailability ? '-primary' : ''}${service}`;
    case 'Redis':
      return `core-redis-db-${name}-master${service}`;
    case 'SQLite':
      return `${name}${service}`;
  }
}

/** The connection of a database for one login. */
export function connectionOf(database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec, login: Login): Connection {
  return connectionWith(database, spec, { database: databaseNameOf(database, spec), login });
}

/** The connection to any database of a server. */
export function connectionWith(
  server: Pick<CoreDatabase, 'metadata'>,
  spec: DatabaseSpec,
  { database, login: { username, password, at } }: { readonly database: string; readonly login: Login },
): Connection {
  const parts = at ?? { host: hostOf(server, spec), port: portOf(spec), database };
  return {
    ...parts,
    port: String(parts.port),
    username,
    password,
    uri: uriOf(spec.engine, { ...parts, username, password }),
  };
}

interface UriParts extends Address, Omit<Login, 'at'> {}

/** Redis has neither user nor database name; SQLite is reached over HTTP, without a login. */
function uriOf(engine: DatabaseSpec['engine'], { host, port, database, username, password }: UriParts): string {
  const address = `${bracketed(host)}:${port}`;
  const login = `${encoded(username)}:${encoded(password)}`;
  switch (engine) {
    case 'Postgres':
      return `postgresql://${login}@${address}/${encoded(database)}`;
    case 'MySQL':
      return `mysql://${login}@${address}/${encoded(database)}`;
    case 'Redis':
      return `redis://:${encoded(password)}@${address}`;
    case 'SQLite':
      return `http://${address}`;
  }
}

/** Brackets an IPv6 address, because it contains colons. */
const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Percent-encodes all but the unreserved characters of RFC 3986; an unpaired surrogate cannot be encoded. */
const encoded = (text: string) =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Engines whose users have names; a Redis password has none, and SQLite is reached without a login. */
const named: readonly DatabaseSpec['engine'][] = ['Postgres', 'MySQL'];

/** Whether an engine in the cluster has a password. */
export const hasLogin = (engine: DatabaseSpec['engine']): boolean => engine !== 'SQLite';

/** The login of an in-cluster database with a generated password, empty when the engine has none. */
export const loginWith = (engine: DatabaseSpec['engine'], password: string): Login => ({
  username: named.includes(engine) ? ownLogin : '',
  password: hasLogin(engine) ? password : '',
});

/** The settings that the spec of an external database lacks, as named in its message. */
export function missingOf({ engine, externalHost, username, passwordSecretRef }: DatabaseSpec): readonly string[] {
  const isNamed = named.includes(engine);
  return [
    ...(externalHost ? [] : ['host']),
    ...(username || !isNamed ? [] : ['username']),
    ...(passwordSecretRef?.name || !isNamed ? [] : ['password']),
  ];
}
