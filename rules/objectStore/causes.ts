import { byFailedAction } from '../cause/failedAction.ts';
import { type CauseRule, firstOf, found, itself } from '../cause/rule.ts';
import { byServer } from '../cause/server.ts';
import { external, hidden, sentence } from '../words.ts';
import type { ObjectStoreSeen } from './facts.ts';

const connection = ({ cloud }: ObjectStoreSeen) => ({ kind: 'CoreCloudConnection', name: cloud?.name ?? '' });
const missing = itself<ObjectStoreSeen>('CloudConnectionMissing', connection);
const elsewhere = itself<ObjectStoreSeen>('CloudConnectionForeign', connection);

/** The cloud connection is absent, of another project, or of none. */
export const byConnection: CauseRule<ObjectStoreSeen> = found(
  ['CloudConnectionMissing', 'CloudConnectionForeign'],
  (seen, input) => (seen.cloud?.is === 'foreign' ? elsewhere : missing).find(seen, input),
);

const silent = (why: string) => sentence('the cloud does not answer: {why}', { why: hidden(why) });

/** The cloud refused a bucket, has been silent for long, or its account cannot be used. */
export const byFailingBucket: CauseRule<ObjectStoreSeen> = found(
  ['CloudRefused', 'CloudSilent', 'CloudConnectionMissing'],
  ({ bucket }, { self }) => {
    if (bucket?.is !== 'failing') return [];
    const { error, by } = bucket;
    if (by === 'silence') return [{ reason: 'CloudSilent', severity: 'failure', message: silent(error), on: self }];
    if (by === 'account') return [{ reason: 'CloudConnectionMissing', message: external(error), on: self }];
    const message = sentence('the cloud refused the bucket: {error}', { error: hidden(error) });
    return [{ reason: 'CloudRefused', message, on: self }];
  },
);

/** The cloud has not answered about a bucket yet, or its new key does not open it yet. */
export const byAwaitedBucket: CauseRule<ObjectStoreSeen> = found(
  ['CloudSilent', 'ProviderStarting'],
  ({ bucket }, { self, message }) =>
    bucket?.is === 'waiting' && bucket.by === 'silence'
      ? [{ reason: 'CloudSilent', message: silent(bucket.why), on: self }]
      : [{ reason: 'ProviderStarting', message, on: self }],
);

/** What was made of it could not be removed. */
export const byUnremoved: CauseRule<object> = found(['DeletionWaits'], (_, { self, message }) => [
  { of: 'Deletion', reason: 'DeletionWaits', severity: 'failure', message, on: self },
]);

/** The copies of a server, which also tell what refuses them. */
export const byStartingStore: CauseRule<ObjectStoreSeen> = firstOf<ObjectStoreSeen>(
  { ...byFailedAction, find: () => [] },
  byServer,
  itself('CopiesStarting'),
);
