import { Effect } from 'effect';
import type { LoginPlace } from '../../rules/managedDatabase/provider.ts';
import { type ManagedDbShape, type ProviderAccount, ProviderFailed } from './managedDb.ts';
import { type Ask, providerAsk } from './managed/ask.ts';
import {
  type LoginPage,
  readBranch,
  readDatabase,
  readLogins,
  readNothing,
  readPassword,
  readRole,
  readSizes,
} from './managed/read.ts';

export interface ManagedDbOptions {
  /** The base URL of the API; null when not configured, then every request fails. */
  readonly baseUrl: string | null;
  /** The timeout of one request. */
  readonly timeoutMs: number;
}

const mainBranch = 'main';
const perPage = '100';

/** For MySQL a login is a password of the branch, for Postgres a role. */
const loginsPath = ({ database, kind }: LoginPlace): readonly string[] => [
  'databases',
  database,
  'branches',
  mainBranch,
  kind === 'mysql' ? 'passwords' : 'roles',
];

const isMissing = ({ status }: ProviderFailed): boolean => status === 404;

/** Null when the provider responds 404. */
const orNull = <T>(asked: Effect.Effect<T, ProviderFailed>): Effect.Effect<T | null, ProviderFailed> =>
  asked.pipe(Effect.catch((failure) => (isMissing(failure) ? Effect.succeed(null) : Effect.fail(failure))));

const unset: Ask = () =>
  Effect.fail(new ProviderFailed({ message: 'no address of the provider is set (CORE_MANAGED_DB_URL)', status: 0 }));

/** The managed database provider over its REST API. */
export function httpManagedDb({ baseUrl, timeoutMs }: ManagedDbOptions): ManagedDbShape {
  const ask = baseUrl === null ? unset : providerAsk({ baseUrl, timeoutMs });

  const find: ManagedDbShape['find'] = Effect.fnUntraced(function* (account, name) {
    const found = yield* orNull(ask(account, { method: 'GET', path: ['databases', name], read: readDatabase }));
    if (!found?.ready) return found;
    const path = ['databases', name, 'branches', mainBranch];
    const branch = yield* orNull(ask(account, { method: 'GET', path, read: readBranch }));
    return { ...found, ready: branch?.ready ?? false };
  });

  /** The ids of the logins of a name, over every page. */
  const idsOf = Effect.fnUntraced(function* (account: ProviderAccount, place: LoginPlace, login: string) {
    const ids: string[] = [];
    for (let next: number | null = 1; next !== null;) {
      const page: LoginPage | null = yield* orNull(
        ask(account, {
          method: 'GET',
          path: loginsPath(place),
          query: { page: String(next), per_page: perPage },
          read: readLogins,
        }),
      );
      ids.push(...(page?.logins ?? []).filter(({ name }) => name === login).map(({ id }) => id));
      const after: number | null = page?.next ?? null;
      // Prevents an endless loop when a page repeats.
      next = after !== null && after > next ? after : null;
    }
    return ids;
  });

  const sizes: ManagedDbShape['sizes'] = (account, engine) =>
    ask(account, { method: 'GET', path: ['cluster-size-skus'], query: { engine }, read: readSizes });

  return {
    find,
    sizes,
    create: Effect.fnUntraced(function* (account, { name, kind, clusterSize }) {
      // The API requires a size; the first one listed is its default.
      const size = clusterSize || ((yield* sizes(account, kind))[0]?.name ?? '');
      const body = { name, kind, cluster_size: size };
      yield* ask(account, { method: 'POST', path: ['databases'], body, read: readNothing });
    }),
    hasLogin: (account, place, login) => Effect.map(idsOf(account, place, login), (ids) => ids.length > 0),
    issue: (account, place, login) =>
      place.kind === 'mysql'
        ? ask(account, {
            method: 'POST',
            path: loginsPath(place),
            body: { name: login, role: 'admin' },
            read: readPassword,
          })
        : ask(account, {
            method: 'POST',
            path: loginsPath(place),
            body: { name: login, inherited_roles: ['postgres'] },
            read: readRole,
          }),
    revoke: Effect.fnUntraced(function* (account, place, login) {
      // Objects of the role go to the owner of the server, else it could not be dropped.
      const body = place.kind === 'postgresql' ? { body: { successor: 'postgres' } } : {};
      for (const id of yield* idsOf(account, place, login))
        yield* orNull(ask(account, { method: 'DELETE', path: [...loginsPath(place), id], ...body, read: readNothing }));
    }),
  };
}
