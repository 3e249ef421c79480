import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CreateMultipartUploadCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { dumpIn } from '../../../rules/backup/points.ts';
import { downloadScript, uploadScript } from '../../../rules/backup/scripts.ts';
import { bucketPolicy } from '../../../rules/backupStorage/place.ts';
import type { CloudAccount } from '../../../rules/cloud/account.ts';
import { awsCloudWith } from '../../../runtime/services/awsCloud.ts';
import type { CloudFailed, CloudPage, Listing } from '../../../runtime/services/cloud.ts';
import { noRadosgw, type RealStore, startRadosgw } from '../../support/radosgw.ts';
import { isWhole } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';

const plain = suite('backups in a real store');
const spec = unless(plain, isWhole ? noRadosgw() : '`npm run whole` runs a real store');
const rootKey = { accessKeyId: 'AKIAROOT', secret: 'the-root-secret' };
const cloud = awsCloudWith(10_000);
const folder = mkdtempSync(join(tmpdir(), 'core-real-store-'));
let store: RealStore | null = null;

async function opened(): Promise<CloudAccount> {
  if (store === null) {
    store = await startRadosgw();
    store.user('root', rootKey);
  }
  store.empty(['root']);
  return store.account(rootKey);
}
plain.after(async () => {
  await store?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = <A>(asked: Effect.Effect<A, CloudFailed>): Promise<A> => Effect.runPromise(asked);

async function every<A>(prefix: string, page: (listing: Listing) => Effect.Effect<CloudPage<A>, CloudFailed>) {
  const items: A[] = [];
  for (let from: string | null = ''; from !== null;) {
    const told: CloudPage<A> = await run(page({ prefix, from: from === '' ? null : from }));
    items.push(...told.items);
    from = told.next;
  }
  return items;
}

const s3Of = ({ endpoint, accessKeyId, secretAccessKey }: CloudAccount) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

spec('BAK-076 versions, markers and unfinished uploads under a prefix are deleted, and others stay', async () => {
  const account = await opened();
  const Bucket = 'core-one';
  await run(cloud.makeBucket(account, Bucket));
  const s3 = s3Of(account);
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  for (const key of ['shop/a/1', 'shop/a/1', 'shop/a/2', 'shop/a-2/1', 'shop/ab'])
    await run(cloud.write(account, Bucket, key, `text of ${key}`));
  // Deleted without its version, an object of such a bucket leaves a marker.
  await run(cloud.removeVersions(account, Bucket, [{ key: 'shop/a/2', version: null }]));
  for (const Key of ['shop/a/cut', 'shop/a-2/cut']) await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));

  const versions = await every('shop/a/', (listing) => cloud.versions(account, Bucket, listing));
  assert.equal(
    versions.map(({ key }) => key),
    ['shop/a/1', 'shop/a/1', 'shop/a/2', 'shop/a/2'],
  );
  assert.equal(await run(cloud.removeVersions(account, Bucket, versions)), []);
  const uploads = await every('shop/a/', (listing) => cloud.uploads(account, Bucket, listing));
  assert.equal(
    uploads.map(({ key }) => key),
    ['shop/a/cut'],
  );
  for (const upload of uploads) await run(cloud.abortUpload(account, Bucket, upload));

  assert.equal(await every('shop/a/', (listing) => cloud.versions(account, Bucket, listing)), []);
  assert.equal(await every('shop/a/', (listing) => cloud.uploads(account, Bucket, listing)), []);
  const left = await every('', (listing) => cloud.versions(account, Bucket, listing));
  assert.equal(
    left.map(({ key }) => key),
    ['shop/a-2/1', 'shop/ab'],
  );
  assert.is((await every('', (listing) => cloud.uploads(account, Bucket, listing))).length, 1);
  s3.destroy();
});

/** Runs a script as its pod does, with this environment alone. */
const shell = (script: string, cwd: string, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number; readonly says: string }>((resolve) => {
    const PATH = process.env['PATH'] ?? '';
    execFile('sh', ['-c', script], { cwd, env: { PATH, ...env } }, (error, _, message) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), says: message }),
    );
  });

spec('BAK-003 BAK-069 a key issued for a bucket stores and reads a dump there, and has no other access', async () => {
  const account = await opened();
  for (const bucket of ['core-one', 'core-two']) await run(cloud.makeBucket(account, bucket));
  await run(cloud.putUser(account, { name: 'core-one', policy: bucketPolicy('core-one', 'aws') }));
  const key = await run(cloud.issueKey(account, 'core-one'));
  const dump = gzipSync('insert into t values (1);');
  writeFileSync(join(folder, 'dump.sql.gz'), dump);
  writeFileSync(join(folder, 'point'), '20270101T020000Z');
  const env = {
    ENDPOINT: account.endpoint,
    REGION: 'us-east-1',
    BUCKET: 'core-one',
    FOLDER: 'shop/orders-1',
    ACCESS_KEY_ID: key.accessKeyId,
    ACCESS_SECRET_KEY: key.secretAccessKey,
  };
  const stored = await shell(uploadScript, folder, env);
  assert.is(stored.code, 0, stored.says);
  const listed = await every('shop/orders-1/', (listing) => cloud.objects(account, 'core-one', listing));
  assert.equal(
    listed.map((one) => dumpIn(one.key.slice('shop/orders-1/'.length))?.id ?? one.key),
    ['20270101T020000Z'],
  );
  const read = await shell(downloadScript, folder, { ...env, RESTORE_POINT: '20270101T020000Z' });
  assert.is(read.code, 0, read.says);
  assert.equal(readFileSync(join(folder, 'dump.sql.gz')), dump);
  const own = { ...account, ...key };
  const old = listed.map((one) => ({ key: one.key, version: null }));
  assert.equal(await run(cloud.removeVersions(own, 'core-one', old)), [], 'old dumps go by the same key');
  assert.is.not((await shell(uploadScript, folder, { ...env, BUCKET: 'core-two' })).code, 0);
  assert.equal(await every('', (listing) => cloud.objects(account, 'core-two', listing)), []);
});

plain.run();
