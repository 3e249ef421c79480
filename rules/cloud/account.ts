import type { CloudConnectionSpec } from '../../crds/coreCloudConnection.ts';

/** Where the users of an account are kept, and the region that requests to it are signed for. */
export interface IamAddress {
  readonly endpoint: string;
  readonly region: string;
}

/** An account of an S3-compatible cloud and the keys to it; endpoints are full URLs. */
export interface CloudAccount {
  readonly endpoint: string;
  /** Null where the cloud has no users, so that its buckets are used with the account's own keys. */
  readonly iam: IamAddress | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Whether AWS itself answers there, not another cloud that speaks as it does. */
export const isAws = ({ endpoint }: CloudAccount): boolean =>
  /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname);

type Addresses = Pick<CloudConnectionSpec, 'region' | 'endpoint' | 'iamEndpoint'>;

const defaultRegion = 'us-east-1';

/** The partitions of AWS have domains and IAM servers of their own. */
const partitions = [
  {
    begins: 'cn-',
    name: 'aws-cn',
    domain: 'amazonaws.com.cn',
    iam: 'iam.cn-north-1.amazonaws.com.cn',
    signedFor: 'cn-north-1',
  },
  {
    begins: 'us-gov-',
    name: 'aws-us-gov',
    domain: 'amazonaws.com',
    iam: 'iam.us-gov.amazonaws.com',
    signedFor: 'us-gov-west-1',
  },
  { begins: '', name: 'aws', domain: 'amazonaws.com', iam: 'iam.amazonaws.com', signedFor: defaultRegion },
] as const;

const partitionOf = (region: string) =>
  partitions.find(({ begins }) => region.startsWith(begins)) ?? partitions[partitions.length - 1];

/** The partition in the names of AWS resources; clouds with an endpoint of their own use the common one. */
export const arnPartition = ({ endpoint, region = '' }: Addresses): string =>
  endpoint === undefined ? (partitionOf(region)?.name ?? 'aws') : 'aws';

/** The region of buckets that name none. */
const regionOf = ({ region }: Addresses): string => region || defaultRegion;

/** The address of the S3 API for buckets of a region. */
const s3Endpoint = ({ endpoint }: Addresses, region: string): string =>
  endpoint ?? `https://s3.${region}.${partitionOf(region)?.domain ?? 'amazonaws.com'}`;

function iamAddress(addresses: Addresses, region: string): IamAddress | null {
  const { endpoint, iamEndpoint } = addresses;
  if (iamEndpoint !== undefined) return { endpoint: iamEndpoint, region };
  if (endpoint !== undefined) return null;
  const partition = partitionOf(region);
  return partition ? { endpoint: `https://${partition.iam}`, region: partition.signedFor } : null;
}

/** Whether buckets can get users of their own. */
export const hasUsers = (addresses: Addresses): boolean => iamAddress(addresses, regionOf(addresses)) !== null;

/** The account of a connection by its keys, for buckets of a region. */
export const accountOf = (
  addresses: Addresses,
  keys: Pick<CloudAccount, 'accessKeyId' | 'secretAccessKey'>,
  region: string = regionOf(addresses),
): CloudAccount => ({
  endpoint: s3Endpoint(addresses, region),
  iam: iamAddress(addresses, region),
  region,
  ...keys,
});
