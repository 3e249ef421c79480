import { Clock, Effect } from 'effect';
import { arnPartition } from '../../../rules/cloud/account.ts';
import {
  type BackupStorage,
  bucketPolicy,
  namesSecret,
  storageSecretName,
  userOf,
} from '../../../rules/backupStorage/place.ts';
import { type StorageFailure, stateOfFailure, type StorageState } from '../../../rules/backupStorage/state.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { type Cloud, type CloudFailed, isRefusal } from '../../services/cloud.ts';
import type { Cluster, WriteError } from '../../services/cluster.ts';
import { accountFor } from './account.ts';
import { bringGrant, type Grant, type GrantAsked, keySettlesMs, standingGrant, tryGrant } from './grant.ts';

/** Backup storage by the project that asks for it. */
export interface StorageAsked extends BackupStorage {
  readonly project: string;
}

/** The buckets of projects for their backups, and what this process has found out about them. */
export interface BackupStorages {
  /**
   * Brings about what is missing of a bucket, its user and its Secret. What stands costs no request, unless `repair`
   * says that the bucket or its key did not work.
   */
  readonly bring: (
    asked: StorageAsked,
    reader: CacheReader,
    repair?: boolean,
  ) => Effect.Effect<StorageState, WriteError, Cloud | Cluster>;
}

/** What is kept of a bucket between passes. */
interface Memory {
  /** The key that was seen to open it. */
  readonly opens: Map<string, string>;
  /** Since when requests about it fail in a way that may pass, ms since the epoch. */
  readonly since: Map<string, number>;
}

export function backupStorages(): BackupStorages {
  const memory: Memory = { opens: new Map(), since: new Map() };
  return { bring: (asked, reader, repair = false) => bring(asked, { reader, repair, memory }) };
}

interface Around {
  readonly reader: CacheReader;
  readonly repair: boolean;
  readonly memory: Memory;
}

const failing = (error: string): StorageState => ({ is: 'failing', error });
const failureOf = (failure: CloudFailed): StorageFailure => ({ isRefusal: isRefusal(failure), why: failure.why });

const bring = Effect.fnUntraced(function* (
  storage: StorageAsked,
  around: Around,
): Effect.fn.Return<StorageState, WriteError, Cloud | Cluster> {
  const { project, connectionRef, bucket, region } = storage;
  const found = accountFor(around.reader, project, { name: connectionRef.name, region });
  if (found.is === 'unusable') return failing(found.why);
  if (!namesSecret(bucket)) return failing(`bucket "${bucket}" cannot be the name of a Secret: choose another bucket`);
  const asked: GrantAsked = {
    addresses: found.connection.spec,
    account: found.account,
    bucket,
    user: userOf(bucket),
    policy: bucketPolicy(bucket, arnPartition(found.connection.spec)),
    secret: storageSecretName(bucket),
    project,
    connection: connectionRef.name,
  };
  return yield* granted(asked, around).pipe(
    Effect.catchTag('CloudFailed', (failure) => failedState(asked, failureOf(failure), around.memory)),
  );
});

const keyOf = ({ project, connection, bucket }: GrantAsked): string => JSON.stringify([project, connection, bucket]);

const failedState = (asked: GrantAsked, failure: StorageFailure, { since }: Memory) =>
  Effect.map(Clock.currentTimeMillis, (now): StorageState => {
    const began = since.get(keyOf(asked)) ?? now;
    since.set(keyOf(asked), began);
    return stateOfFailure(failure, began, now);
  });

const granted = Effect.fnUntraced(function* (
  asked: GrantAsked,
  { reader, repair, memory }: Around,
): Effect.fn.Return<StorageState, CloudFailed | WriteError, Cloud | Cluster> {
  const standing = repair ? null : standingGrant(asked, reader);
  const grant = standing ?? (yield* bringGrant(asked, repair));
  if (grant.is === 'taken') return failing(grant.why);
  const works = yield* opened(asked, grant, memory);
  if (works) {
    memory.since.delete(keyOf(asked));
    return { is: 'working', region: grant.region, secret: asked.secret };
  }
  return { is: 'waiting', why: 'the cloud does not know the new key yet' };
});

/** Whether the key opens the bucket. A refused key that is not new any more is replaced. */
const opened = Effect.fnUntraced(function* (
  asked: GrantAsked,
  grant: Grant,
  { opens }: Memory,
): Effect.fn.Return<boolean, CloudFailed | WriteError, Cloud | Cluster> {
  const id = keyOf(asked);
  if (opens.get(id) === grant.key.accessKeyId) return true;
  const refusal = yield* tryGrant(asked, grant).pipe(
    Effect.as(null),
    Effect.catchIf(isRefusal, (failure) => Effect.succeed(failure)),
  );
  if (refusal === null) {
    opens.set(id, grant.key.accessKeyId);
    return true;
  }
  const now = yield* Clock.currentTimeMillis;
  if (refusal.status === 403 && now - grant.issuedAt < keySettlesMs) return false;
  const again = yield* bringGrant(asked, true);
  if (again.is === 'granted' && again.key.accessKeyId !== grant.key.accessKeyId) return false;
  return yield* refusal;
});
