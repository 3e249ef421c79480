import { Effect } from 'effect';
import type { OwnerReference } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { withOwner } from '../../rules/owned/ownerReference.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from './cluster/resources.ts';
import { find } from './cluster/find.ts';
import { asSeen, Cluster, type ReadError, type WriteError } from './cluster/cluster.ts';

/** The values that keys are set to, base64 encoded; null removes a key. */
export type SecretKeys = Readonly<Record<string, string | null>>;

/** The object that a Secret belongs to and is deleted with, and the labels of a new one. */
export interface Beside {
  readonly owner?: OwnerReference;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Reads a Secret directly; undefined where there is none, as a read of the cache answers. */
export const readSecret = (name: string): Effect.Effect<Secret | undefined, ReadError, Cluster> =>
  Effect.map(find(secrets, { name }), (secret) => secret ?? undefined);

/** Writes keys over the version that was read; creates the Secret when missing. */
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
