import { Context, Data, type Effect } from 'effect';
import type { ManagedKind } from '../../rules/managedDatabase/facts.ts';
import type { LoginPlace, ProviderFailure } from '../../rules/managedDatabase/provider.ts';

/** The account at the provider of managed databases: the contents of the Secret of a CoreCloudConnection. */
export interface ProviderAccount {
  readonly organization: string;
  /** `id:secret`. */
  readonly token: string;
}

/** The provider refused a request or did not respond. */
export class ProviderFailed extends Data.TaggedError('ProviderFailed')<ProviderFailure> {}

/** A database at the provider; `ready` once its main branch takes logins. */
interface FoundDatabase {
  readonly kind: string;
  readonly ready: boolean;
}

/** A database to create. */
interface NewDatabase {
  readonly name: string;
  readonly kind: ManagedKind;
  /** Empty lets the provider decide. */
  readonly clusterSize: string;
}

/** A login as the provider shows it, only once. */
export interface IssuedLogin {
  readonly host: string;
  /** Null for the port of the engine. */
  readonly port: number | null;
  /** The database of the login, if the provider names it. */
  readonly database: string | null;
  readonly username: string;
  readonly password: string;
}

/** An available size of a database. */
export interface ClusterSize {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: string;
  readonly memoryBytes: number;
  readonly storageBytes: number;
  readonly architecture: string;
}

/** The one supported provider of managed databases. Logins are on the main branch and identified by name. */
export interface ManagedDbShape {
  readonly find: (account: ProviderAccount, name: string) => Effect.Effect<FoundDatabase | null, ProviderFailed>;
  readonly create: (account: ProviderAccount, database: NewDatabase) => Effect.Effect<void, ProviderFailed>;
  /** Whether a login of this name exists. */
  readonly hasLogin: (
    account: ProviderAccount,
    place: LoginPlace,
    login: string,
  ) => Effect.Effect<boolean, ProviderFailed>;
  readonly issue: (
    account: ProviderAccount,
    place: LoginPlace,
    login: string,
  ) => Effect.Effect<IssuedLogin, ProviderFailed>;
  /** Revokes every login of this name; succeeds when there is none. */
  readonly revoke: (account: ProviderAccount, place: LoginPlace, login: string) => Effect.Effect<void, ProviderFailed>;
  /** The available sizes, in the provider's order. */
  readonly sizes: (
    account: ProviderAccount,
    kind: ManagedKind,
  ) => Effect.Effect<readonly ClusterSize[], ProviderFailed>;
}

export class ManagedDb extends Context.Service<ManagedDb, ManagedDbShape>()('core/ManagedDb') {}
