import { Effect } from 'effect';
import { eachOf } from '../contract/eachOf.ts';
import type { Secret } from '../../crds/builtIn.ts';
import type { Kind, KubeObject } from '../../crds/kind.ts';
import { ownerReference, withOwner } from '../../rules/owned/ownerReference.ts';
import { type Ensure, holds } from '../contract/ensure.ts';
import { secrets } from '../services/cluster/resources.ts';
import { asSeen, Cluster } from '../services/cluster/cluster.ts';
import { readSecret } from '../services/secret.ts';

/** The Secrets in core-system that requests write for objects of a kind. */
export interface SecretsBeside<O extends KubeObject> {
  readonly kind: Kind;
  readonly namesOf: (object: O) => readonly string[];
  /** Whether a Secret of such a name was written by a request, and not by hand. */
  readonly isOf: (object: O, secret: Secret) => boolean;
}

/** Sets owner references on these Secrets, so that the garbage collector deletes them with the object. */
export interface OwnedSecrets<O extends KubeObject> {
  /** Adds references while the object exists, by the cache. */
  readonly ensure: Ensure<O>;
  /**
   * Adds references before the finalizer is removed, by direct reads: the cache may lack a Secret written just before.
   */
  readonly release: Ensure<O>;
}

export function ownedSecrets<O extends KubeObject>({ kind, namesOf, isOf }: SecretsBeside<O>): OwnedSecrets<O> {
  const ownersOf = (object: O, secret: Secret | undefined) =>
    secret && isOf(object, secret) ? withOwner(secret, ownerReference(kind, object)) : null;
  const owned = Effect.fnUntraced(function* (object: O, secret: Secret | undefined) {
    const ownerReferences = ownersOf(object, secret);
    if (secret === undefined || ownerReferences === null) return;
    const cluster = yield* Cluster;
    yield* cluster.patch(secrets, { name: secret.metadata.name }, { metadata: { ownerReferences } }, asSeen(secret));
  });
  return {
    ensure: {
      schedule: { firstMs: 1_000, maxMs: 60_000 },
      run: ({ object, reader }) => {
        const cached = namesOf(object).map((name) => reader.get(secrets, name));
        const others = cached.filter((secret) => ownersOf(object, secret) !== null);
        if (others.length === 0) return Effect.succeed(holds);
        return eachOf(others, (secret) =>
          // The cache is behind: its next version triggers a pass.
          Effect.catchTag(owned(object, secret), ['Conflict', 'NotFound'], () => Effect.void),
        ).pipe(Effect.as(holds));
      },
    },
    release: {
      run: ({ object }) =>
        eachOf(namesOf(object), (name) => Effect.flatMap(readSecret(name), (secret) => owned(object, secret))).pipe(
          Effect.as(holds),
        ),
    },
  };
}
