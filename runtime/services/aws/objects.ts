import { Buffer } from 'node:buffer';
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Effect } from 'effect';
import type { CloudAccount, CloudFailed, CloudShape, CloudVersion } from '../cloud.ts';
import type { AwsClients } from './clients.ts';
import { codeOf, statusIn } from './failure.ts';

// What XML 1.0 cannot contain, or reads as another character, fails a whole batch.
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff\ud800-\udfff]/u;

const absent = new Set(['NoSuchKey', 'NoSuchVersion', 'NotFound']);
const identified = ({ key, version }: CloudVersion) => ({
  Key: key,
  ...(version === null ? {} : { VersionId: version }),
});

type Objects = Pick<CloudShape, 'removeVersions' | 'abortUpload' | 'read' | 'bytes' | 'write'>;

export const awsObjects = ({ s3 }: AwsClients): Objects => ({
  removeVersions: (account, Bucket, versions) =>
    s3(account, async ({ DeleteObjectCommand, DeleteObjectsCommand }, client, abortSignal) => {
      const single = versions.filter(({ key }) => notInXml.test(key));
      const batch = versions.filter((one) => !single.includes(one));
      for (const one of single)
        await client.send(new DeleteObjectCommand({ Bucket, ...identified(one) }), { abortSignal });
      if (batch.length === 0) return [];
      const Delete = { Quiet: true, Objects: batch.map(identified) };
      const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), { abortSignal });
      return Errors.filter(({ Code }) => !absent.has(Code ?? '')).map(({ Key, Code, Message }) => ({
        key: Key ?? '',
        code: Code ?? '',
        text: Message ?? '',
      }));
    }),

  abortUpload: (account, Bucket, { key, upload }) =>
    s3(account, async ({ AbortMultipartUploadCommand }, client, abortSignal) => {
      const aborted = new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: upload });
      await client.send(aborted, { abortSignal }).catch((error: unknown) => {
        if (codeOf(error) !== 'NoSuchUpload') throw error;
      });
    }),

  read: (account, Bucket, Key) => read(s3, { account, Bucket, Key }, (body) => body?.transformToString() ?? ''),
  bytes: (account, Bucket, Key) =>
    read(s3, { account, Bucket, Key }, (body) => body?.transformToByteArray() ?? new Uint8Array()),

  write: (account, Bucket, Key, text) =>
    s3(account, async ({ PutObjectCommand }, client, abortSignal) => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(text) }), { abortSignal });
    }),
});

interface Place {
  readonly account: CloudAccount;
  readonly Bucket: string;
  readonly Key: string;
}

/** Reads an object's body; null when the key does not exist. */
const read = <A>(
  s3: AwsClients['s3'],
  { account, ...place }: Place,
  of: (body: GetObjectCommandOutput['Body']) => A | Promise<A>,
): Effect.Effect<A | null, CloudFailed> =>
  s3(account, async ({ GetObjectCommand }, client, abortSignal) => {
    try {
      const { Body } = await client.send(new GetObjectCommand(place), { abortSignal });
      return await of(Body);
    } catch (error) {
      if (absent.has(codeOf(error)) && statusIn(error) === 404) return null;
      throw error;
    }
  });
