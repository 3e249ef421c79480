import { Effect } from 'effect';
import { type ManagedDbShape, ProviderFailed } from '../../../runtime/services/managedDb.ts';

interface ProviderLogin {
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

/** A database at the provider of an environment. */
export interface ProviderDatabase {
  kind: string;
  ready: boolean;
  size: string;
  readonly logins: ProviderLogin[];
}

type Call = 'find' | 'create' | 'hasLogin' | 'issue' | 'revoke' | 'sizes';

const refused = (status: number, why: string) => Effect.fail(new ProviderFailed({ status, message: why }));

/** The provider of managed databases of an environment; a test changes it as it goes. */
export function memoryManagedDb() {
  const databases = new Map<string, ProviderDatabase>();
  const state = {
    /** What it says to each of these calls, or to all of them, instead of doing it. */
    failure: null as ProviderFailed | null,
    failing: [] as readonly Call[],
    /** Whether a new database is ready at once. */
    readyAtOnce: true,
    issued: 0,
    /** Every call, with the tokens that came. */
    calls: [] as string[],
    tokens: new Set<string>(),
  };
  const asked = <A>(call: Call, what: string, token: string, run: () => Effect.Effect<A, ProviderFailed>) =>
    Effect.suspend(() => {
      state.calls.push(`${call} ${what}`);
      state.tokens.add(token);
      const isFailing = state.failure !== null && (state.failing.length === 0 || state.failing.includes(call));
      return isFailing && state.failure !== null ? Effect.fail(state.failure) : run();
    });
  const loginsOf = (name: string) => databases.get(name)?.logins ?? [];
  const service: ManagedDbShape = {
    find: ({ token }, name) =>
      asked('find', name, token, () => {
        const found = databases.get(name);
        return Effect.succeed(found ? { kind: found.kind, ready: found.ready } : null);
      }),
    create: ({ token }, { name, kind, clusterSize }) =>
      asked('create', `${name} ${kind} ${clusterSize}`.trim(), token, () => {
        if (databases.has(name)) return refused(422, 'the name is taken');
        databases.set(name, { kind, ready: state.readyAtOnce, size: clusterSize, logins: [] });
        return Effect.void;
      }),
    hasLogin: ({ token }, { database }, login) =>
      asked('hasLogin', login, token, () => Effect.succeed(loginsOf(database).some(({ name }) => name === login))),
    issue: ({ token }, { database, kind }, login) =>
      asked('issue', `${kind} ${login}`, token, () => {
        const found = databases.get(database);
        if (!found || found.kind !== kind) return refused(404, 'there is no such database');
        const at = ++state.issued;
        const one = { name: login, username: `user-${at}`, password: `provided-${at}` };
        found.logins.push(one);
        const { username, password } = one;
        const own = kind === 'postgresql' ? 'postgres' : null;
        return Effect.succeed({ host: 'eu.managed.example', port: null, database: own, username, password });
      }),
    revoke: ({ token }, { database }, login) =>
      asked('revoke', login, token, () =>
        Effect.sync(() => {
          const logins = loginsOf(database);
          for (let at = logins.length - 1; at >= 0; at--) if (logins[at]?.name === login) logins.splice(at, 1);
        }),
      ),
    sizes: ({ token }, kind) =>
      asked('sizes', kind, token, () =>
        Effect.succeed(
          ['S_10', 'S_20'].map((name) => ({
            name,
            displayName: name,
            cpu: '1',
            memoryBytes: 1_073_741_824,
            storageBytes: 10_737_418_240,
            architecture: 'x86-64',
          })),
        ),
      ),
  };
  return { service, databases, state, loginsOf };
}
