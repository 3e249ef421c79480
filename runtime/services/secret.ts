import { Effect, Schedule } from 'effect';
import type { OwnerReference } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { withOwner } from '../../rules/owned/ownerReference.ts';
import type { Caches } from '../cache/caches.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from './cluster/resources.ts';
import { asSeen, Cluster, type ReadError, type WriteError } from './cluster/cluster.ts';

const tries = 8;
/** Grows between tries, so that each of several replicas that write at once gets its turn. */
const pause = Schedule.exponential('5 millis');

/** The values that keys are set to, base64 encoded; null removes a key. */
export type SecretKeys = Readonly<Record<string, string | null>>;

/** What is written, null for nothing, and what is returned to the caller. */
export interface SecretChange<A> {
  readonly keys: SecretKeys | null;
  readonly result: A;
  readonly beside?: Beside;
}

/** The object that a Secret is written beside, with which it goes, and the labels of a new one. */
export interface Beside {
  readonly owner?: OwnerReference;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Secret, read directly; undefined when there is none. */
export const readSecret = (name: string): Effect.Effect<Secret | undefined, ReadError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => cluster.get(secrets, { name })).pipe(
    Effect.catchTag('NotFound', () => Effect.succeed(undefined)),
  );

/** `in turn` notes a version in the caches only where that skips no version, for a Secret whose every version counts. */
export type Noting = 'always' | 'in turn';

/**
 * Writes keys of a Secret over the version they follow from, creates the Secret where there is none, and notes it in
 * the caches at once, also where nothing is to be written: what another writer has done is then known here too. A
 * conflict makes it read and follow again.
 */
export const changeSecret = <A>(
  caches: Caches,
  name: string,
  follow: (secret: Secret | undefined) => SecretChange<A>,
  noting: Noting = 'always',
): Effect.Effect<A, ReadError | WriteError, Cluster> =>
  Effect.gen(function* () {
    const secret = yield* readSecret(name);
    const { keys, result, beside } = follow(secret);
    const cache = caches.of(secrets);
    if (keys === null) {
      if (noting === 'always' && secret !== undefined) cache.note(secret);
      return result;
    }
    const isInTurn = cache.get(name)?.metadata.resourceVersion === secret?.metadata.resourceVersion;
    const written = yield* writeSecret(name, secret, keys, beside);
    if (noting === 'always' || isInTurn) cache.note(written);
    return result;
  }).pipe(Effect.retry({ times: tries - 1, schedule: pause, while: ({ _tag }) => isOvertaken.has(_tag) }));

/** Another writer changed, created or deleted it since it was read. */
const isOvertaken: ReadonlySet<string> = new Set(['Conflict', 'AlreadyExists', 'NotFound']);

/** Writes keys over the version that was read; creates the Secret where there was none. */
export const writeSecret = (
  name: string,
  secret: Secret | undefined,
  data: SecretKeys,
  { owner, labels }: Beside = {},
): Effect.Effect<Secret, WriteError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => {
    const owners = owner === undefined ? null : withOwner(secret, owner);
    const owned = owners === null ? {} : { ownerReferences: owners };
    return secret
      ? cluster.patch(secrets, { name }, { data, ...(owners !== null && { metadata: owned }) }, asSeen(secret))
      : cluster.create(secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name, namespace: systemNamespace, ...(labels && { labels }), ...owned },
          data: present(data),
        });
  });

const present = (data: SecretKeys): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])));
