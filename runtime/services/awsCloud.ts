import type { LookupFunction } from 'node:net';
import { Layer } from 'effect';
import { awsBuckets } from './aws/buckets.ts';
import { awsClients } from './aws/clients.ts';
import { awsLists } from './aws/lists.ts';
import { awsObjects } from './aws/objects.ts';
import { awsUsers } from './aws/users.ts';
import { Cloud, type CloudShape } from './cloud.ts';
import type { ClusterNames } from './cluster/names.ts';

/** S3 and IAM of any compatible cloud, by the AWS SDK. */
export function awsCloudWith(silenceMs: number, lookup?: LookupFunction): CloudShape {
  const clients = awsClients(silenceMs, lookup);
  return { ...awsBuckets(clients), ...awsLists(clients), ...awsObjects(clients), ...awsUsers(clients) };
}

export const awsCloud = ({ lookup }: ClusterNames): Layer.Layer<Cloud> =>
  Layer.sync(Cloud, () => awsCloudWith(10_000, lookup));
