import { Effect } from 'effect';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import type { DnsProviderShape } from '../../../runtime/services/dns/provider.ts';
import type { GitHostShape } from '../../../runtime/services/gitHost.ts';
import { type ObjectStoreShape, StoreFailed } from '../../../runtime/services/objectStore.ts';
import { type GitTrouble, ofKind, type StoreTrouble, type Trouble } from '../plan/trouble.ts';
import { counter } from '../services/counting.ts';

const lateMs = 20_000;
const limitMs = 60_000;

/** A wrapper around every request to the Git host, and around every call of the object store. */
export interface AroundOthers {
  readonly git: <A>(text: string, run: Effect.Effect<GitAnswer<A>>) => Effect.Effect<GitAnswer<A>>;
  readonly store: <A>(text: string, run: Effect.Effect<A, StoreFailed>) => Effect.Effect<A, StoreFailed>;
}

export const aroundGit = (host: GitHostShape, { git }: Pick<AroundOthers, 'git'>): GitHostShape => ({
  commit: (token, repository, ref) => git(`asks for the commit ${ref}`, host.commit(token, repository, ref)),
  checkRuns: (token, repository, sha) => git('asks for the checks', host.checkRuns(token, repository, sha)),
  installationToken: (app, id) => git('asks for a token', host.installationToken(app, id)),
  installations: (app) => git('asks for the installations', host.installations(app)),
});

/** The DNS provider answers in the same ways as the Git host, and so fails in the same ways. */
export const aroundProvider = (
  provider: DnsProviderShape,
  { git: around }: Pick<AroundOthers, 'git'>,
): DnsProviderShape => ({
  zones: (login) => around('asks for the zones', provider.zones(login)),
  records: (login, zone) => around('asks for the records', provider.records(login, zone)),
  createRecord: (login, zone, record) =>
    around(`creates the record ${record.name}`, provider.createRecord(login, zone, record)),
  changeRecord: (login, zone, record) =>
    around(`changes the record ${record.name}`, provider.changeRecord(login, zone, record)),
  removeRecord: (login, zone, id) => around(`removes the record ${id}`, provider.removeRecord(login, zone, id)),
  tunnels: (login, name) => around('asks for the tunnels', provider.tunnels(login, name)),
  createTunnel: (login, name) => around('creates the tunnel', provider.createTunnel(login, name)),
  tunnelToken: (login, id) => around('asks for the token of the tunnel', provider.tunnelToken(login, id)),
  publishRoutes: (login, id, routes) => around('publishes the routes', provider.publishRoutes(login, id, routes)),
});

export const aroundStore = (
  store: ObjectStoreShape,
  { store: around }: Pick<AroundOthers, 'store'>,
): ObjectStoreShape => ({
  put: (bucket, key, ...given) => around(`stores ${key}`, store.put(bucket, key, ...given)),
  head: (bucket, key) => around(`looks for ${key}`, store.head(bucket, key)),
  get: (bucket, key) => around(`reads ${key}`, store.get(bucket, key)),
});

const late = <A, E>(run: Effect.Effect<A, E>) => Effect.andThen(Effect.sleep(lateMs), run);

function answered<A>(
  { answers }: GitTrouble,
  run: Effect.Effect<GitAnswer<A>>,
  now: () => number,
): Effect.Effect<GitAnswer<A>> {
  switch (answers) {
    case 'silence':
      return Effect.succeed({ is: 'silent', why: 'timeout' });
    case 'refusal':
      return Effect.succeed({ is: 'refused', code: 502, status: '502 Bad Gateway' });
    case 'limit':
      return Effect.sync(() => ({ is: 'limited', until: now() + limitMs }));
    case 'late':
      return late(run);
  }
}

function kept<A>({ does }: StoreTrouble, run: Effect.Effect<A, StoreFailed>): Effect.Effect<A, StoreFailed> {
  switch (does) {
    case 'refuse':
      return Effect.fail(new StoreFailed({ why: '503 Slow Down' }));
    case 'loseAnswer':
      return Effect.andThen(run, Effect.fail(new StoreFailed({ why: 'the connection was reset' })));
    case 'late':
      return late(run);
  }
}

/** Returns, for each call, which of these faults affect it. */
function befalling<T extends GitTrouble | StoreTrouble>(troubles: readonly T[], touch: (trouble: T) => void) {
  const struck = troubles.map((trouble) => ({ trouble, isIt: counter(trouble) }));
  return (): readonly T[] => {
    const befall = struck.filter(({ trouble, isIt }) => isIt(trouble.is)).map(({ trouble }) => trouble);
    befall.forEach(touch);
    return befall;
  };
}

/** Applies these faults to the calls of the other services. */
export function withOthers(
  troubles: readonly Trouble[],
  now: () => number,
  touch: (trouble: Trouble) => void,
): AroundOthers {
  const git = befalling(ofKind(troubles, 'git'), touch);
  const store = befalling(ofKind(troubles, 'store'), touch);
  return {
    git: (_, run) => Effect.suspend(() => git().reduce((under, trouble) => answered(trouble, under, now), run)),
    store: (_, run) => Effect.suspend(() => store().reduce((under, trouble) => kept(trouble, under), run)),
  };
}
