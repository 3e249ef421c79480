import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import type { CloudAccount } from '../../../rules/cloud/account.ts';
import { bucketPolicy } from '../../../rules/backupStorage/place.ts';
import { type RunningCloud, startCloud } from '../../../runtime/local/cloud/server.ts';
import { awsCloudWith } from '../../../runtime/services/awsCloud.ts';
import { namesOf, simulatedNames } from '../../../runtime/services/cluster/names.ts';
import type { CloudFailed, CloudPage, CloudShape, Listing } from '../../../runtime/services/cloud.ts';
import { accountOf, memoryCloud, rootKey } from '../../support/memory/cloud.ts';
import { noRadosgw, type RealStore, startRadosgw } from '../../support/radosgw.ts';
import { isWhole } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('clouds, each implementation');
const theirKey = { account: '222222222222', accessKeyId: 'AKIATHEIRS', secret: 'their-secret' };
const clouds: RunningCloud[] = [];
const dataDir = mkdtempSync(join(tmpdir(), 'core-cloud-'));
spec.after(async () => {
  for (const { stop } of clouds) await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface CloudUnderTest {
  readonly cloud: CloudShape;
  readonly account: CloudAccount;
  /** A store that tells no regions apart, and lists more at a time than a test stores. */
  readonly isReal?: boolean;
}
let folders = 0;
const settings = { accounts: [rootKey, theirKey], pageSize: 3 };
const atPort = (url: string) => accountOf({ endpoint: url, iam: { endpoint: url, region: 'us-east-1' } });

let radosgw: RealStore | null = null;
spec.after(() => radosgw?.stop());

/** One store for all tests, emptied for each. */
async function realCloud(): Promise<CloudUnderTest> {
  if (radosgw === null) {
    radosgw = await startRadosgw();
    radosgw.user('root', rootKey);
    radosgw.user('theirs', theirKey);
  }
  radosgw.empty(['root', 'theirs']);
  return { cloud: awsCloudWith(5_000), account: radosgw.account(rootKey), isReal: true };
}

/** The same suite holds the model in this process, the embedded cloud asked by the SDK over HTTP, and a real store. */
const subjects: Readonly<Record<string, (of?: { readonly withoutVersions?: boolean }) => Promise<CloudUnderTest>>> = {
  ...(isWhole && noRadosgw() === null ? { radosgw: realCloud } : {}),
  'in process': (of = {}) =>
    Promise.resolve({ cloud: memoryCloud(Date.now, { ...settings, ...of }).cloud, account: accountOf() }),
  'over HTTP': async (of = {}) => {
    const started = await startCloud({
      ...settings,
      ...of,
      dataDir: join(dataDir, String(++folders)),
      host: '127.0.0.1',
      port: 0,
      log: () => {},
    });
    clouds.push(started);
    return { cloud: awsCloudWith(5_000), account: atPort(started.url) };
  },
};

const run = <A>(asked: Effect.Effect<A, CloudFailed>): Promise<A> => Effect.runPromise(asked);
/** The code of a refusal, or `done`. */
const codeOf = async (asked: Effect.Effect<unknown, CloudFailed>): Promise<string> => {
  const result = await run(Effect.result(asked));
  return Result.isFailure(result) ? `${result.failure.status} ${result.failure.code}` : 'done';
};
/** Everything on all pages, and how many pages there were. */
async function every<A>(page: (listing: Listing) => Effect.Effect<CloudPage<A>, CloudFailed>, prefix = '') {
  const items: A[] = [];
  let pages = 0;
  for (let from: string | null = ''; from !== null;) {
    const told: CloudPage<A> = await run(page({ prefix, from: from === '' ? null : from }));
    items.push(...told.items);
    pages++;
    from = told.next;
  }
  return { items, pages };
}

const oddKeys = ['a b', 'a+b', 'a%2Fb', 'a/../b', 'a&<>"\'b', 'ä/ö/€/🧁', '.', 'a//b', 'a\nb', 'a?b=c#d'];
const uncarried = ['a\u0001b', 'a\rb'];

for (const [name, open] of Object.entries(subjects)) {
  const test = (title: string, body: (subject: CloudUnderTest) => Promise<void>) =>
    spec(`${name}: ${title}`, async () => body(await open()));

  test('the keys of an account are accepted, and wrong or unknown ones are refused', async ({ cloud, account }) => {
    assert.is(await codeOf(cloud.check(account)), 'done');
    assert.is(await codeOf(cloud.check({ ...account, secretAccessKey: 'x' })), '403 SignatureDoesNotMatch');
    assert.is(await codeOf(cloud.check({ ...account, accessKeyId: 'AKIANOBODY' })), '403 InvalidAccessKeyId');
  });

  test('creating a bucket twice succeeds, and a bucket of another account is refused', async ({
    cloud,
    account,
    isReal,
  }) => {
    await run(cloud.makeBucket(account, 'core-one'));
    await run(cloud.makeBucket(account, 'core-one'));
    assert.is(await run(cloud.bucketRegion(account, 'core-one')), isReal ? 'default' : 'eu-central-1');
    await run(cloud.makeBucket({ ...account, region: 'us-east-1' }, 'core-two'));
    assert.is(await run(cloud.bucketRegion(account, 'core-two')), isReal ? 'default' : 'us-east-1');
    const theirs = { ...account, accessKeyId: theirKey.accessKeyId, secretAccessKey: theirKey.secret };
    assert.is(await codeOf(cloud.makeBucket(theirs, 'core-one')), '409 BucketAlreadyExists');
    assert.is(await codeOf(cloud.objects(theirs, 'core-one', { prefix: '', from: null })), '403 AccessDenied');
    assert.is(await codeOf(cloud.bucketRegion(account, 'core-none')), '404 NoSuchBucket');
    assert.is(await codeOf(cloud.makeBucket(account, 'Core_Up')), '400 InvalidBucketName');
  });

  test('an empty bucket is removed, and removing it twice is no error', async ({ cloud, account }) => {
    await run(cloud.makeBucket(account, 'core-one'));
    await run(cloud.write(account, 'core-one', 'a', 'text'));
    assert.is(await codeOf(cloud.removeBucket(account, 'core-one')), '409 BucketNotEmpty');
    await run(cloud.removeVersions(account, 'core-one', [{ key: 'a', version: null }]));
    await run(cloud.removeBucket(account, 'core-one'));
    await run(cloud.removeBucket(account, 'core-one'));
    assert.is(await codeOf(cloud.objects(account, 'core-one', { prefix: '', from: null })), '404 NoSuchBucket');
  });

  test('objects are written, read, listed by pages in order, and grouped by folders', async ({
    cloud,
    account,
    isReal,
  }) => {
    await run(cloud.makeBucket(account, 'core-one'));
    const keys = ['shop/a/1', 'shop/a/2', 'shop/a-2/1', 'shop/b/1', 'shop/c', 'shopping/1'];
    for (const key of keys) await run(cloud.write(account, 'core-one', key, `text of ${key}`));
    assert.is(await run(cloud.read(account, 'core-one', 'shop/a/1')), 'text of shop/a/1');
    assert.is(await run(cloud.read(account, 'core-one', 'shop/none')), null);
    const bytes = await run(cloud.bytes(account, 'core-one', 'shop/a/1'));
    assert.is(Buffer.from(bytes ?? []).toString(), 'text of shop/a/1');
    assert.is(await run(cloud.bytes(account, 'core-one', 'shop/none')), null);
    assert.is(await codeOf(cloud.read(account, 'core-none', 'shop/a/1')), '404 NoSuchBucket');
    const all = await every((listing) => cloud.objects(account, 'core-one', listing));
    assert.equal(
      all.items.map(({ key }) => key),
      keys.toSorted(),
    );
    assert.is(all.pages, isReal ? 1 : 2);
    assert.is(all.items[0]?.size, 'text of shop/a-2/1'.length);
    assert.ok(Math.abs((all.items[0]?.modified ?? 0) - Date.now()) < 60_000);
    const folders = await every((listing) => cloud.folders(account, 'core-one', listing), 'shop/');
    assert.equal(folders.items, ['shop/a-2/', 'shop/a/', 'shop/b/']);
    const one = await every((listing) => cloud.objects(account, 'core-one', listing), 'shop/a/');
    assert.equal(
      one.items.map(({ key }) => key),
      ['shop/a/1', 'shop/a/2'],
    );
  });

  test('objects with any key are written, listed and removed, one by one when XML cannot carry the key', async ({
    cloud,
    account,
  }) => {
    await run(cloud.makeBucket(account, 'core-one'));
    const keys = [...oddKeys, ...uncarried];
    for (const key of keys) await run(cloud.write(account, 'core-one', key, key));
    const listed = await every((listing) => cloud.versions(account, 'core-one', listing));
    assert.equal(listed.items.map(({ key }) => key).toSorted(), keys.toSorted());
    for (const key of keys) assert.is(await run(cloud.read(account, 'core-one', key)), key, JSON.stringify(key));
    assert.equal(await run(cloud.removeVersions(account, 'core-one', listed.items)), []);
    assert.equal((await every((listing) => cloud.versions(account, 'core-one', listing))).items, []);
  });

  test('a key that the user may not delete is reported, and other keys are deleted', async ({
    cloud,
    account,
    isReal = false,
  }) => {
    await run(cloud.makeBucket(account, 'core-one'));
    for (const key of ['a/1', 'b/1']) await run(cloud.write(account, 'core-one', key, key));
    const policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: 'arn:aws:s3:::core-one/a/*' }],
    });
    await run(cloud.putUser(account, { name: 'core-half', policy }));
    const key = await run(cloud.issueKey(account, 'core-half'));
    const versions = ['a/1', 'b/1'].map((one) => ({ key: one, version: null }));
    const own = { ...account, ...key };
    if (isReal) {
      // Ceph asks for a right to the bucket before it looks at the keys of a batch.
      assert.is(await codeOf(cloud.removeVersions(own, 'core-one', versions)), '403 AccessDenied');
      for (const one of ['a/1', 'b/1']) assert.is(await run(cloud.read(account, 'core-one', one)), one);
      return;
    }
    const refused = await run(cloud.removeVersions(own, 'core-one', versions));
    assert.equal(
      refused.map((one) => [one.key, one.code]),
      [['b/1', 'AccessDenied']],
    );
    assert.is(await run(cloud.read(account, 'core-one', 'a/1')), null);
    assert.is(await run(cloud.read(account, 'core-one', 'b/1')), 'b/1');
  });

  test('BAK-003 a user opens its own bucket alone, and its keys are listed, limited and removed', async (subject) => {
    const { cloud, account } = subject;
    for (const bucket of ['core-one', 'core-two']) await run(cloud.makeBucket(account, bucket));
    assert.is(await run(cloud.accessKeys(account, 'core-one')), null);
    await run(cloud.putUser(account, { name: 'core-one', policy: bucketPolicy('core-one', 'aws') }));
    await run(cloud.putUser(account, { name: 'core-one', policy: bucketPolicy('core-one', 'aws') }));
    const [first, second] = [
      await run(cloud.issueKey(account, 'core-one')),
      await run(cloud.issueKey(account, 'core-one')),
    ];
    assert.is(await codeOf(cloud.issueKey(account, 'core-one')), '409 LimitExceeded');
    const ids = [first.accessKeyId, second.accessKeyId];
    assert.equal([...((await run(cloud.accessKeys(account, 'core-one'))) ?? [])].toSorted(), ids.toSorted());
    const own = { ...account, ...first };
    assert.is(await codeOf(cloud.write(own, 'core-one', 'a', 'text')), 'done');
    assert.is(await codeOf(cloud.write(own, 'core-two', 'a', 'text')), '403 AccessDenied');
    assert.is(await codeOf(cloud.removeBucket(own, 'core-one')), '403 AccessDenied');
    assert.is(await codeOf(cloud.check(own)), 'done', 'a refusal for want of rights is an answer');
    await run(cloud.removeKey(account, 'core-one', first.accessKeyId));
    await run(cloud.removeKey(account, 'core-one', first.accessKeyId));
    assert.is(await codeOf(cloud.write(own, 'core-one', 'a', 'text')), '403 InvalidAccessKeyId');
    await run(cloud.removeUser(account, 'core-one'));
    await run(cloud.removeUser(account, 'core-one'));
    assert.is(await run(cloud.accessKeys(account, 'core-one')), null);
    assert.is(await codeOf(cloud.issueKey(account, 'core-one')), '404 NoSuchEntity');
    assert.is(await codeOf(cloud.putUser({ ...account, iam: null }, { name: 'core-x', policy: '{}' })), '400 NoUsers');
  });

  // The real one names a version of everything.
  if (name === 'radosgw') continue;
  spec(`${name}: objects of a store without versions are listed and deleted`, async () => {
    const { cloud, account } = await open({ withoutVersions: true });
    await run(cloud.makeBucket(account, 'core-one'));
    for (const key of ['a', 'b', 'c', 'd']) await run(cloud.write(account, 'core-one', key, key));
    const { items, pages } = await every((listing) => cloud.versions(account, 'core-one', listing));
    assert.equal(
      items,
      ['a', 'b', 'c', 'd'].map((key) => ({ key, version: null })),
    );
    assert.is(pages, 2);
    assert.equal(await run(cloud.removeVersions(account, 'core-one', items)), []);
    assert.is(await codeOf(cloud.removeBucket(account, 'core-one')), 'done');
  });
}

spec('over HTTP: acknowledged writes outlive the process', async () => {
  const folder = join(dataDir, 'lasting');
  const start = () => startCloud({ ...settings, dataDir: folder, host: '127.0.0.1', port: 0, log: () => {} });
  const first = await start();
  const cloud = awsCloudWith(5_000);
  await run(cloud.makeBucket(atPort(first.url), 'core-one'));
  await run(cloud.write(atPort(first.url), 'core-one', 'a', 'before'));
  await run(cloud.write(atPort(first.url), 'core-one', 'a', 'after'));
  await run(cloud.putUser(atPort(first.url), { name: 'core-one', policy: bucketPolicy('core-one', 'aws') }));
  const key = await run(cloud.issueKey(atPort(first.url), 'core-one'));
  await first.stop();
  const second = await start();
  clouds.push(second);
  const own = { ...atPort(second.url), ...key };
  assert.is(await run(cloud.read(own, 'core-one', 'a')), 'after');
});

spec('over HTTP: no AWS_* variable of the process is ever used', async () => {
  const started = await startCloud({
    ...settings,
    dataDir: join(dataDir, 'env'),
    host: '127.0.0.1',
    port: 0,
    log: () => {},
  });
  clouds.push(started);
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: rootKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rootKey.secret,
    AWS_ENDPOINT_URL: started.url,
    AWS_REGION: 'nowhere-1',
  });
  try {
    const cloud = awsCloudWith(2_000);
    const nobody = { ...atPort(started.url), accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' };
    assert.is(await codeOf(cloud.check(nobody)), '403 InvalidAccessKeyId');
    const elsewhere = { ...nobody, endpoint: 'http://127.0.0.1:1' };
    assert.match(await codeOf(cloud.check(elsewhere)), /^null /);
  } finally {
    process.env = before;
  }
});

spec('over HTTP: a store in the cluster is reached by the address of its Service', async () => {
  const folder = join(dataDir, 'service');
  const started = await startCloud({ ...settings, dataDir: folder, host: '127.0.0.1', port: 0, log: () => {} });
  clouds.push(started);
  const asked: string[] = [];
  const { lookup } = namesOf({
    get: (_, { name }) => {
      asked.push(name);
      return Effect.succeed({ spec: { clusterIP: '127.0.0.1' } } as never);
    },
  });
  const cloud = awsCloudWith(5_000, lookup);
  const url = (host: string) => started.url.replace('127.0.0.1', host);
  assert.is(await codeOf(cloud.makeBucket(atPort(url('shelf.core-system.svc')), 'core-one')), 'done');
  assert.is(
    await codeOf(
      cloud.putUser(atPort(url('shelf.core-system.svc')), {
        name: 'core-one',
        policy: bucketPolicy('core-one', 'aws'),
      }),
    ),
    'done',
  );
  assert.ok(asked.length > 0 && asked.every((name) => name === 'shelf'));
  assert.is(await codeOf(cloud.check(atPort(url('localhost')))), 'done', 'others as the machine finds them');
  const acted = awsCloudWith(5_000, simulatedNames.lookup);
  const failed = await Effect.runPromise(Effect.flip(acted.check(atPort(url('shelf.core-system.svc')))));
  assert.is(failed.message, 'ENOTFOUND: the nodes are simulated and run no code; with CORE_NODES=podman they do');
  assert.is(await codeOf(acted.check(atPort(url('localhost')))), 'done');
});

spec.run();
