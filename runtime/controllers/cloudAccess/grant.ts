import { Clock, Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import type { OwnerReference } from '../../../crds/kind.ts';
import { annotation, label, managedBy, systemNamespace } from '../../../crds/names.ts';
import type { CloudConnectionSpec } from '../../../crds/coreCloudConnection.ts';
import { accountOf, type CloudAccount } from '../../../rules/cloud/account.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { type AccessKey, Cloud, type CloudFailed } from '../../services/cloud.ts';
import { asSeen, Cluster, type WriteError } from '../../services/cluster/cluster.ts';
import { readSecret } from '../../services/secret.ts';
import { secretText } from '../../services/secretText.ts';

/** A bucket, its user, and the Secret in core-system that holds the user's key. */
export interface GrantRequest {
  readonly addresses: Pick<CloudConnectionSpec, 'endpoint' | 'iamEndpoint' | 'region'>;
  /** The account, with the region in which a missing bucket is created. */
  readonly account: CloudAccount;
  readonly bucket: string;
  readonly user: string;
  readonly policy: string;
  readonly secret: string;
  /** The only project that may use the Secret. */
  readonly project: string;
  readonly connection: string;
  /** Whether another connection was deleted, so that its grants to the same project may be used through this one. */
  readonly isGone: (connection: string) => boolean;
  /** The object with which the Secret is deleted. */
  readonly owner?: OwnerReference;
}

/** A key to a bucket, as its Secret holds it. */
export interface Grant {
  readonly is: 'granted';
  readonly region: string;
  readonly key: AccessKey;
  /** ms since the epoch. */
  readonly issuedAt: number;
}

export type Granted = Grant | { readonly is: 'taken'; readonly why: string };

/** A new key may be unknown to the cloud for this long. */
export const keySettlesMs = 60_000;

/**
 * A hash of the inputs of the Secret, without the requested region, because some callers use the bucket's own region
 * and others the connection's.
 */
const contentOf = ({ addresses, account, bucket, user, policy }: GrantRequest): string => {
  const { endpoint = '', iamEndpoint = '', region = '' } = addresses;
  const own = account.iam === null ? [account.accessKeyId, account.secretAccessKey] : [];
  return hashOf([endpoint, iamEndpoint, region, bucket, user, policy, own]);
};

const isFor = ({ metadata }: Secret, { project, connection }: GrantRequest): boolean =>
  metadata.labels?.[label.managedBy] === managedBy &&
  metadata.labels[label.project] === project &&
  metadata.annotations?.[annotation.cloudConnection] === connection;

/** Whether a Secret may be used: it is of this project, and of this connection or a deleted one. */
const isUsable = (secret: Secret, asked: GrantRequest): boolean => {
  const connection = secret.metadata.annotations?.[annotation.cloudConnection] ?? '';
  return isFor(secret, { ...asked, connection: asked.isGone(connection) ? connection : asked.connection });
};

/** Key and region of a bucket, as its Secret has them. */
export const grantIn = (secret: Secret): Grant => ({
  is: 'granted',
  region: secretText(secret, 'REGION'),
  key: {
    accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
    secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
  },
  issuedAt: msOf(secret.metadata.annotations?.[annotation.keyIssuedAt] ?? ''),
});

const isCurrent = (secret: Secret | undefined, asked: GrantRequest): secret is Secret =>
  secret !== undefined &&
  isFor(secret, asked) &&
  secret.metadata.annotations?.[annotation.applied] === contentOf(asked) &&
  secretText(secret, 'ACCESS_KEY_ID') !== '' &&
  secretText(secret, 'ACCESS_SECRET_KEY') !== '';

/** The cached grant; null when something is missing or differs. */
export const currentGrant = (asked: GrantRequest, reader: CacheReader): Grant | null => {
  const cached = reader.get(secrets, asked.secret);
  return isCurrent(cached, asked) ? grantIn(cached) : null;
};

/** Creates bucket, user, key and Secret. Existing ones are left unchanged unless they need a repair. */
export const reconcileGrant = Effect.fnUntraced(function* (
  asked: GrantRequest,
  repair: boolean,
): Effect.fn.Return<Granted, CloudFailed | WriteError, Cloud | Cluster> {
  const cloud = yield* Cloud;
  const stored = yield* readSecret(asked.secret);
  if (stored && !isUsable(stored, asked)) return { is: 'taken', why: takenBy(stored, asked) };
  if (!repair && isCurrent(stored, asked)) return grantIn(stored);
  const { account, bucket } = asked;
  yield* cloud.makeBucket(account, bucket);
  const region = (yield* cloud.bucketRegion(account, bucket)) ?? account.region;
  const key = account.iam === null ? account : yield* keyOfUser(asked, stored);
  const isNew = key.accessKeyId !== secretText(stored, 'ACCESS_KEY_ID');
  const issuedAt = isNew ? yield* Clock.currentTimeMillis : stored ? grantIn(stored).issuedAt : 0;
  const grant: Grant = { is: 'granted', region, key, issuedAt };
  const isWritten = isCurrent(stored, asked) && !isNew && grantIn(stored).region === region;
  if (!isWritten) yield* writeGrant(asked, stored, grant);
  return grant;
});

function takenBy({ metadata }: Secret, { bucket, secret }: GrantRequest): string {
  if (metadata.labels?.[label.managedBy] !== managedBy)
    return `Secret "${secret}" already exists and is not managed by Core`;
  return `bucket "${bucket}" is used through another project or cloud connection`;
}

/**
 * The key of the Secret while the cloud knows it, else a new one. IAM allows two keys: those in no Secret are deleted
 * first.
 */
const keyOfUser = Effect.fnUntraced(function* (
  { account, user, policy }: GrantRequest,
  stored: Secret | undefined,
): Effect.fn.Return<AccessKey, CloudFailed, Cloud> {
  const cloud = yield* Cloud;
  yield* cloud.putUser(account, { name: user, policy });
  const ids = (yield* cloud.accessKeys(account, user)) ?? [];
  const kept = stored && ids.includes(secretText(stored, 'ACCESS_KEY_ID')) ? grantIn(stored).key : null;
  const others = ids.filter((one) => one !== kept?.accessKeyId);
  yield* eachOf(others, (id) => cloud.removeKey(account, user, id));
  return kept ?? (yield* cloud.issueKey(account, user));
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');

const writeGrant = (asked: GrantRequest, stored: Secret | undefined, { region, key, issuedAt }: Grant) =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const written = {
      metadata: {
        labels: { [label.managedBy]: managedBy, [label.project]: asked.project },
        annotations: {
          [annotation.cloudConnection]: asked.connection,
          [annotation.applied]: contentOf(asked),
          [annotation.keyIssuedAt]: isoTime(issuedAt),
        },
        ...(asked.owner === undefined ? {} : { ownerReferences: [asked.owner] }),
      },
      data: {
        ACCESS_KEY_ID: encoded(key.accessKeyId),
        ACCESS_SECRET_KEY: encoded(key.secretAccessKey),
        REGION: encoded(region),
      },
    };
    const { secret: name } = asked;
    yield* stored
      ? cluster.patch(secrets, { name }, written, asSeen(stored))
      : cluster.create(secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          ...written,
          metadata: { name, namespace: systemNamespace, ...written.metadata },
        });
  });

/** Makes an empty request to the bucket, to see whether the key of a grant opens it. */
export const tryGrant = (
  { addresses, bucket }: GrantRequest,
  { key, region }: Grant,
): Effect.Effect<void, CloudFailed, Cloud> =>
  Effect.flatMap(Cloud, (cloud) =>
    Effect.asVoid(cloud.objects(accountOf(addresses, key, region), bucket, { prefix: '.core/', from: null })),
  );
