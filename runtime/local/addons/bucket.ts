import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import type { Server } from './postgres/server.ts';

/** A location in a cloud, and the Secret with its keys. */
export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  /** Without a slash at its end. */
  readonly folder: string;
  readonly credentials: string;
}

interface Env {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string } };
}

/** The bucket that the last container of a Job writes to; null when it names none. */
export function bucketOfJob(job: Job): Bucket | null {
  const { spec } = job as KubeObject & {
    readonly spec?: {
      readonly template?: { readonly spec?: { readonly containers?: readonly { readonly env?: readonly Env[] }[] } };
    };
  };
  const env = spec?.template?.spec?.containers?.at(-1)?.env ?? [];
  const one = (name: string) => env.find((variable) => variable.name === name);
  const credentials = one('ACCESS_KEY_ID')?.valueFrom?.secretKeyRef?.name;
  const [endpoint, bucket, folder] = ['ENDPOINT', 'BUCKET', 'FOLDER'].map((name) => one(name)?.value);
  return endpoint === undefined || !bucket || !folder || !credentials
    ? null
    : { endpoint, bucket, folder, credentials };
}

/** The bucket that a server archives to; null when it does not archive. */
export function bucketOfServer({ spec }: Server): Bucket | null {
  const {
    destinationPath = '',
    endpointURL = '',
    serverName = '',
    s3Credentials,
  } = spec?.backup?.barmanObjectStore ?? {};
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(destinationPath) ?? [];
  const credentials = s3Credentials?.accessKeyId?.name ?? '';
  const folder = [path, serverName].filter(Boolean).join('/');
  return bucket === '' || credentials === '' ? null : { endpoint: endpointURL, bucket, folder, credentials };
}
