import { Layer } from 'effect';
import { awsBuckets } from './aws/buckets.ts';
import { awsClients } from './aws/clients.ts';
import { awsLists } from './aws/lists.ts';
import { awsObjects } from './aws/objects.ts';
import { awsUsers } from './aws/users.ts';
import { Cloud, type CloudShape } from './cloud.ts';

/** S3 and IAM by the AWS SDK, which any compatible cloud answers. */
export function awsCloudWith(silenceMs: number): CloudShape {
  const clients = awsClients(silenceMs);
  return { ...awsBuckets(clients), ...awsLists(clients), ...awsObjects(clients), ...awsUsers(clients) };
}

export const awsCloud: Layer.Layer<Cloud> = Layer.sync(Cloud, () => awsCloudWith(10_000));
