import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { IAMClient } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import { Effect } from 'effect';
import type { IamAddress } from '../../../rules/cloud/account.ts';
import { type CloudAccount, CloudFailed } from '../cloud.ts';
import { type Lru, lru } from '../lru.ts';
import { failureOf, longestMs, notDone } from './failure.ts';
import { beneathReaders, boundAnswers } from './longest.ts';
import { aroundEverything, heedSilence, type Silences } from './silence.ts';

export type S3Sdk = typeof import('@aws-sdk/client-s3');
export type IamSdk = typeof import('@aws-sdk/client-iam');

const attempts = 2;
const clientsKept = 50;

/** One request to S3 or IAM, by a client of the account. */
export interface AwsClients {
  readonly s3: <A>(
    account: CloudAccount,
    run: (sdk: S3Sdk, client: S3Client, abortSignal: AbortSignal) => Promise<A>,
  ) => Effect.Effect<A, CloudFailed>;
  readonly iam: <A>(
    account: CloudAccount,
    run: (sdk: IamSdk, client: IAMClient, abortSignal: AbortSignal) => Promise<A>,
  ) => Effect.Effect<A, CloudFailed>;
}

/**
 * Caches clients by account. Everything that the SDK would read from environment or files is given: credentials,
 * endpoint, region, retries. A cloud that is silent for `silenceMs` counts as failed. `lookup` finds one inside the
 * cluster.
 */
export function awsClients(silenceMs: number, lookup?: LookupFunction): AwsClients {
  const s3Clients = lru<S3Client>(clientsKept);
  const iamClients = lru<IAMClient>(clientsKept);
  const silences: Silences = new Map();
  let s3Sdk: Promise<S3Sdk> | undefined;
  let iamSdk: Promise<IamSdk> | undefined;

  const config = ({ accessKeyId, secretAccessKey }: CloudAccount, endpoint: string, region: string) => ({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: attempts,
    retryMode: 'standard' as const,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: {
      connectionTimeout: silenceMs,
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      ...(lookup && { httpAgent: { lookup } }),
    },
  });

  const s3Client = (account: CloudAccount, { S3Client }: S3Sdk): S3Client =>
    kept(s3Clients, keyOf(account, account.endpoint, account.region), () => {
      const { endpoint, region } = account;
      const client = new S3Client({
        ...config(account, endpoint, region),
        forcePathStyle: true,
        followRegionRedirects: false,
        // Many stores reject the default checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      client.middlewareStack.add(boundAnswers, beneathReaders);
      client.middlewareStack.add(heedSilence({ endpoint, silenceMs, silences }), aroundEverything);
      return client;
    });
  const iamClient = (account: CloudAccount, { endpoint, region }: IamAddress, { IAMClient }: IamSdk): IAMClient =>
    kept(iamClients, keyOf(account, endpoint, region), () => {
      const client = new IAMClient(config(account, endpoint, region));
      client.middlewareStack.add(boundAnswers, beneathReaders);
      client.middlewareStack.add(heedSilence({ endpoint, silenceMs, silences }), aroundEverything);
      return client;
    });

  return {
    s3: (account, run) =>
      asked(account, async (signal) => {
        s3Sdk ??= quiet(() => import('@aws-sdk/client-s3'));
        const sdk = await s3Sdk;
        return run(sdk, s3Client(account, sdk), signal);
      }),
    iam: (account, run) =>
      asked(account, async (signal) => {
        const { iam } = account;
        if (iam === null)
          throw new CloudFailed({
            code: 'NoUsers',
            status: 400,
            message: 'the cloud connection has no address for users',
          });
        iamSdk ??= quiet(() => import('@aws-sdk/client-iam'));
        const sdk = await iamSdk;
        return run(sdk, iamClient(account, iam, sdk), signal);
      }),
  };
}

const asked = <A>(account: CloudAccount, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => failureOf(error, account) }).pipe(
    Effect.timeoutOrElse({
      duration: longestMs,
      orElse: () => Effect.fail(new CloudFailed({ code: 'Timeout', status: null, message: notDone })),
    }),
  );

/** Loaded on first use: most installations have no cloud connection. */
function quiet<Sdk>(load: () => Promise<Sdk>): Promise<Sdk> {
  // Its notice about Node versions would appear among the JSON lines of the log.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return load();
}

const keyOf = ({ accessKeyId, secretAccessKey }: CloudAccount, endpoint: string, region: string): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoint, region, accessKeyId, secretAccessKey]))
    .digest('base64url');

function kept<Client extends object>(clients: Lru<Client>, key: string, make: () => Client): Client {
  const known = clients.get(key);
  if (known !== undefined) return known;
  const client = make();
  clients.set(key, client);
  return client;
}
