import type { CloudConnectionSpec } from '../../crds/coreCloudConnection.ts';

/** The IAM endpoint of an account, and the region for which requests to it are signed. */
export interface IamAddress {
  readonly endpoint: string;
  readonly region: string;
}

/** An account of an S3-compatible cloud and the keys to it; endpoints are full URLs. */
export interface CloudAccount {
  readonly endpoint: string;
  /** Null when the cloud has no users, so its buckets use the account's own keys. */
  readonly iam: IamAddress | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Whether the account is at AWS, not at a compatible cloud. */
export const isAws = ({ endpoint }: CloudAccount): boolean =>
  /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname);

type Addresses = Pick<CloudConnectionSpec, 'region' | 'endpoint' | 'iamEndpoint'>;

const defaultRegion = 'us-east-1';

/** The partitions of AWS have their own domains and IAM servers. */
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

/** The partition in the names of AWS resources; clouds with their own endpoint use the common one. */
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

/** Whether buckets can have their own users. */
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
