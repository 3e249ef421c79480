import type { CoreObjectStore, ObjectStoreSpec } from '../../crds/coreObjectStore.ts';
import { systemNamespace } from '../../crds/names.ts';
import { userOf } from '../backupStorage/place.ts';

const uidLength = 8;

/** Whether Core chose the name of the bucket, which then belongs to the object and is deleted with it. */
export const hasOwnBucket = ({ bucket }: ObjectStoreSpec): boolean => bucket === undefined;

export const bucketOf = ({ metadata: { name, uid = '' } }: CoreObjectStore, { bucket }: ObjectStoreSpec): string =>
  bucket ?? `core-${name}-${uid.slice(0, uidLength)}`;

/** The user of a bucket: of this object, because several may name one bucket. */
export const userOfStore = ({ metadata: { name, uid = '' } }: CoreObjectStore): string =>
  userOf(`core-store-${name}-${uid.slice(0, uidLength)}`);

/** The Secret in core-system with the key to a bucket. */
export const keysSecretName = (store: string): string => `${store}-bucket-keys`;
/** The Secret in core-system with the keys of a server. */
export const rootSecretName = (store: string): string => `${store}-store-root`;

export const claimName = (store: string): string => `${store}-store`;

export const serverPort = 8_333;
export const iamPort = 8_111;
const hostOf = (server: string): string => `${server}.${systemNamespace}.svc`;
/** The addresses of S3 and IAM on a server in the cluster. */
export const serverAddresses = (server: string) => ({
  endpoint: `http://${hostOf(server)}:${serverPort}`,
  iamEndpoint: `http://${hostOf(server)}:${iamPort}`,
  region: 'us-east-1',
});
