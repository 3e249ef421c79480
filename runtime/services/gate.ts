import { Effect } from 'effect';
import { CloudFailed, type CloudShape } from './cloud.ts';
import { Unavailable, type ClusterShape } from './cluster/cluster.ts';
import type { ExecShape } from './exec.ts';
import { type ManagedDbShape, ProviderFailed } from './managedDb.ts';
import type { ReceiversShape } from './receivers.ts';
import { type ObjectStoreShape, StoreFailed } from './objectStore.ts';

/** Passes every write to the outside world, in an order that can be numbered, or holds it back. */
export interface Gate {
  /** Fails when this process may not write (any longer). */
  readonly through: (write: string) => Effect.Effect<void, Unavailable>;
  readonly close: () => void;
}

/** A gate that is open until it is closed. */
export function openGate(): Gate {
  let closed = false;
  return {
    through: (write) =>
      Effect.suspend(() =>
        closed ? Effect.fail(new Unavailable({ message: `stopping: ${write} is not written` })) : Effect.void,
      ),
    close: () => {
      closed = true;
    },
  };
}

/** The same gate for passes: open only while this process certainly leads. */
export const fenced = (gate: Gate, isHeld: Effect.Effect<boolean>): Gate => ({
  ...gate,
  through: (write) =>
    Effect.flatMap(isHeld, (held) =>
      held ? gate.through(write) : Effect.fail(new Unavailable({ message: `not leading: ${write} is not written` })),
    ),
});

/** The cluster with each write through the gate; reads are not gated. */
export const gatedCluster = (cluster: ClusterShape, gate: Gate): ClusterShape => ({
  ...cluster,
  create: (resource, object) =>
    Effect.andThen(gate.through(`create ${resource.kind} ${object.metadata.name}`), cluster.create(resource, object)),
  apply: (resource, object, over) =>
    Effect.andThen(
      gate.through(`apply ${resource.kind} ${object.metadata.name}`),
      cluster.apply(resource, object, over),
    ),
  patch: (resource, name, ...rest) =>
    Effect.andThen(gate.through(`patch ${resource.kind} ${name.name}`), cluster.patch(resource, name, ...rest)),
  patchStatus: (resource, name, ...rest) =>
    Effect.andThen(
      gate.through(`status of ${resource.kind} ${name.name}`),
      cluster.patchStatus(resource, name, ...rest),
    ),
  remove: (resource, name, precondition) =>
    Effect.andThen(gate.through(`remove ${resource.kind} ${name.name}`), cluster.remove(resource, name, precondition)),
});

export const gatedExec = (exec: ExecShape, gate: Gate): ExecShape => ({
  open: (pod, execution) => Effect.andThen(gate.through(`exec in ${pod.name}`), exec.open(pod, execution)),
});

export const gatedStore = (store: ObjectStoreShape, gate: Gate): ObjectStoreShape => ({
  ...store,
  put: (bucket, key, ...rest) =>
    gate.through(`put ${key}`).pipe(
      Effect.mapError(({ message }) => new StoreFailed({ message })),
      Effect.andThen(store.put(bucket, key, ...rest)),
    ),
});

export const gatedManagedDb = (provider: ManagedDbShape, gate: Gate): ManagedDbShape => {
  const through = (write: string) =>
    Effect.mapError(gate.through(write), ({ message }) => new ProviderFailed({ message, status: 0 }));
  return {
    ...provider,
    create: (account, database) =>
      Effect.andThen(through(`create managed database ${database.name}`), provider.create(account, database)),
    issue: (account, place, login) =>
      Effect.andThen(through(`issue login ${login}`), provider.issue(account, place, login)),
    revoke: (account, place, login) =>
      Effect.andThen(through(`revoke login ${login}`), provider.revoke(account, place, login)),
  };
};

export function gatedCloud(cloud: CloudShape, gate: Gate): CloudShape {
  const held = <A>(write: string, run: Effect.Effect<A, CloudFailed>) =>
    gate.through(write).pipe(
      Effect.mapError(({ message }) => new CloudFailed({ code: 'NotWritten', status: null, message })),
      Effect.andThen(run),
    );
  return {
    ...cloud,
    makeBucket: (account, bucket) => held(`make bucket ${bucket}`, cloud.makeBucket(account, bucket)),
    removeBucket: (account, bucket) => held(`remove bucket ${bucket}`, cloud.removeBucket(account, bucket)),
    removeVersions: (account, bucket, versions) =>
      held(`remove versions from ${bucket}`, cloud.removeVersions(account, bucket, versions)),
    abortUpload: (account, bucket, upload) =>
      held(`abort an upload to ${bucket}`, cloud.abortUpload(account, bucket, upload)),
    write: (account, bucket, key, text) => held(`write ${key}`, cloud.write(account, bucket, key, text)),
    putUser: (account, user) => held(`put user ${user.name}`, cloud.putUser(account, user)),
    issueKey: (account, user) => held(`issue a key of ${user}`, cloud.issueKey(account, user)),
    removeKey: (account, user, id) => held(`remove a key of ${user}`, cloud.removeKey(account, user, id)),
    removeUser: (account, user) => held(`remove user ${user}`, cloud.removeUser(account, user)),
  };
}

/** An attempt that is no longer allowed counts as a failed connection. */
export const gatedReceivers = (receivers: ReceiversShape, gate: Gate): ReceiversShape => ({
  post: (request) =>
    gate.through('post to a receiver').pipe(
      Effect.matchEffect({
        onFailure: ({ message }) => Effect.succeed({ is: 'networkError' as const, why: message }),
        onSuccess: () => receivers.post(request),
      }),
    ),
});
