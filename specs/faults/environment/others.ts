import { Effect } from 'effect';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import type { DnsProviderShape } from '../../../runtime/services/dns/provider.ts';
import { CloudFailed, type CloudShape } from '../../../runtime/services/cloud.ts';
import type { GitHostShape } from '../../../runtime/services/gitHost.ts';
import { type ManagedDbShape, ProviderFailed } from '../../../runtime/services/managedDb.ts';
import { type ObjectStoreShape, StoreFailed } from '../../../runtime/services/objectStore.ts';
import {
  type CloudTrouble,
  type GitTrouble,
  ofKind,
  type ProviderTrouble,
  type StoreTrouble,
  type Trouble,
} from '../plan/trouble.ts';
import { counter } from '../services/counting.ts';

const lateMs = 20_000;
const limitMs = 60_000;

/** A wrapper around every request to each of the other services. */
export interface AroundOthers {
  readonly git: <A>(text: string, run: Effect.Effect<GitAnswer<A>>) => Effect.Effect<GitAnswer<A>>;
  readonly store: <A>(text: string, run: Effect.Effect<A, StoreFailed>) => Effect.Effect<A, StoreFailed>;
  readonly provider: <A>(text: string, run: Effect.Effect<A, ProviderFailed>) => Effect.Effect<A, ProviderFailed>;
  readonly cloud: <A>(text: string, run: Effect.Effect<A, CloudFailed>) => Effect.Effect<A, CloudFailed>;
}

export const aroundGit = (host: GitHostShape, { git }: Pick<AroundOthers, 'git'>): GitHostShape => ({
  commit: (token, repository, ref) => git(`asks for the commit ${ref}`, host.commit(token, repository, ref)),
  checkRuns: (token, repository, sha) => git('asks for the checks', host.checkRuns(token, repository, sha)),
  pullRequest: (token, repository, number) =>
    git(`asks for pull request ${number}`, host.pullRequest(token, repository, number)),
  installationToken: (app, id) => git('asks for a token', host.installationToken(app, id)),
  installation: (app, id) => git('asks for an installation', host.installation(app, id)),
  installations: (app) => git('asks for the installations', host.installations(app)),
  madeApplication: (code) => git('asks for a made application', host.madeApplication(code)),
  repositories: (token) => git('asks for the repositories', host.repositories(token)),
});

/** The DNS provider answers in the same ways as the Git host, and so fails in the same ways. */
export const aroundDnsProvider = (
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

export const aroundProvider = (
  provider: ManagedDbShape,
  { provider: around }: Pick<AroundOthers, 'provider'>,
): ManagedDbShape => ({
  find: (account, name) => around(`looks for the database ${name}`, provider.find(account, name)),
  create: (account, database) => around(`creates the database ${database.name}`, provider.create(account, database)),
  hasLogin: (account, place, login) => around(`looks for ${login}`, provider.hasLogin(account, place, login)),
  issue: (account, place, login) => around(`issues ${login}`, provider.issue(account, place, login)),
  revoke: (account, place, login) => around(`revokes ${login}`, provider.revoke(account, place, login)),
  sizes: (account, kind) => around('asks for the sizes', provider.sizes(account, kind)),
});
/** The cloud with every request wrapped, in the words of its operation. */
export const aroundCloud = (cloud: CloudShape, { cloud: around }: Pick<AroundOthers, 'cloud'>): CloudShape =>
  Object.fromEntries(
    Object.entries(cloud).map(([operation, run]) => [
      operation,
      (account: never, of: unknown, ...given: never[]) => {
        const about = typeof of === 'string' ? of : ((of as { readonly name?: string } | undefined)?.name ?? '');
        const asked = run as (...all: unknown[]) => Effect.Effect<unknown, CloudFailed>;
        return around(`${operation} ${about}`.trim(), asked(account, of, ...given));
      },
    ]),
  ) as unknown as CloudShape;

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
      return Effect.fail(new StoreFailed({ message: '503 Slow Down' }));
    case 'loseAnswer':
      return Effect.andThen(run, Effect.fail(new StoreFailed({ message: 'the connection was reset' })));
    case 'late':
      return late(run);
  }
}

function provided<A>(
  { does }: ProviderTrouble,
  run: Effect.Effect<A, ProviderFailed>,
  now: () => number,
): Effect.Effect<A, ProviderFailed> {
  switch (does) {
    case 'refuse':
      return Effect.fail(new ProviderFailed({ message: '503 Service Unavailable', status: 503 }));
    case 'limit':
      return Effect.suspend(() =>
        Effect.fail(new ProviderFailed({ message: 'its rate limit is reached', status: 429, until: now() + limitMs })),
      );
    case 'loseAnswer':
      return Effect.andThen(run, Effect.fail(new ProviderFailed({ message: 'the connection was reset', status: 0 })));
    case 'late':
      return late(run);
  }
}

const failures = {
  silence: { code: 'TimeoutError', status: null, message: 'TimeoutError: nothing heard' },
  throttle: { code: 'SlowDown', status: 429, message: 'SlowDown: reduce your request rate (HTTP 429)' },
  break: { code: 'InternalError', status: 500, message: 'InternalError: try again (HTTP 500)' },
  refuse: { code: 'AccessDenied', status: 403, message: 'AccessDenied: not now (HTTP 403)' },
  loseAnswer: { code: 'ECONNRESET', status: null, message: 'ECONNRESET: the connection was reset' },
} as const;

function clouded<A>({ does }: CloudTrouble, run: Effect.Effect<A, CloudFailed>): Effect.Effect<A, CloudFailed> {
  if (does === 'late') return late(run);
  const failed = Effect.fail(new CloudFailed(failures[does]));
  return does === 'loseAnswer' ? Effect.andThen(run, failed) : failed;
}

/** Returns, for each call, which of these faults affect it. */
function befalling<T extends GitTrouble | StoreTrouble | ProviderTrouble | CloudTrouble>(
  troubles: readonly T[],
  touch: (trouble: T) => void,
) {
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
  const provider = befalling(ofKind(troubles, 'provider'), touch);
  const cloud = befalling(ofKind(troubles, 'cloud'), touch);
  return {
    git: (_, run) => Effect.suspend(() => git().reduce((under, trouble) => answered(trouble, under, now), run)),
    store: (_, run) => Effect.suspend(() => store().reduce((under, trouble) => kept(trouble, under), run)),
    provider: (_, run) =>
      Effect.suspend(() => provider().reduce((under, trouble) => provided(trouble, under, now), run)),
    cloud: (_, run) => Effect.suspend(() => cloud().reduce((under, trouble) => clouded(trouble, under), run)),
  };
}
