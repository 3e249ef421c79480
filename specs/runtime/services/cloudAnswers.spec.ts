import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { bucketPolicy } from '../../../rules/backupStorage/place.ts';
import { startCloud } from '../../../runtime/local/cloud/server.ts';
import { awsCloudWith } from '../../../runtime/services/awsCloud.ts';
import { failureOf as wordsOf } from '../../../runtime/services/aws/failure.ts';
import type { CloudFailed } from '../../../runtime/services/cloud.ts';
import { listening } from '../../support/backupScripts.ts';
import { accountOf, rootKey } from '../../support/memory/cloud.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const spec = suite('answers of a cloud');

type Answering = (request: IncomingMessage, response: ServerResponse) => void;
const servers: { readonly stop: () => Promise<void> }[] = [];
spec.after(async () => {
  for (const { stop } of servers) await stop();
});

/** A server that answers everything in one way until it is told of another, and what it was asked. */
async function cloudThat(answer: Answering, silenceMs = 5_000) {
  const how = { answer };
  const asked: string[] = [];
  const server = await listening(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume();
      how.answer(request, response);
    }),
  );
  servers.push(server);
  const endpoint = `http://127.0.0.1:${server.port}`;
  const account = accountOf({ endpoint, iam: { endpoint, region: 'us-east-1' } });
  return { how, asked, account, cloud: awsCloudWith(silenceMs) };
}

const run = <A>(asked: Effect.Effect<A, CloudFailed>): Promise<A> => Effect.runPromise(asked);
async function failureOf(asked: Effect.Effect<unknown, CloudFailed>): Promise<CloudFailed> {
  const result = await run(Effect.result(asked));
  assert.ok(Result.isFailure(result), 'it does not fail');
  return result.failure;
}

const text =
  (status: number, body = '', type = 'application/xml'): Answering =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const error = (code: string, text: string) => `<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
const page = '<html><body>Sign in</body></html>';
const everything = { prefix: '', from: null };

spec('a refusal or failure carries the message of the cloud or its status, never the text of a library', async () => {
  const { how, account, cloud } = await cloudThat(text(200));
  const told = async (answer: Answering) => {
    how.answer = answer;
    const { message, status } = await failureOf(cloud.check(account));
    return [status, message];
  };
  assert.equal(await told(text(403, error('SignatureDoesNotMatch', 'no'))), [
    403,
    'SignatureDoesNotMatch: no (HTTP 403)',
  ]);
  assert.equal(await told(text(301, error('PermanentRedirect', 'elsewhere'))), [
    301,
    'PermanentRedirect: elsewhere (HTTP 301)',
  ]);
  assert.equal(await told(text(403)), [403, 'HTTP 403']);
  assert.equal(await told(text(403, page, 'text/html')), [403, 'HTTP 403']);
  assert.equal(await told(text(404, 'not found', 'text/plain')), [
    404,
    'something else than a cloud answers there (HTTP 404)',
  ]);
  assert.equal(await told(text(503, error('SlowDown', 'less'))), [503, 'SlowDown: less (HTTP 503)']);
  assert.equal(await told(text(200, '{}', 'application/json')), [null, 'something else than a cloud answers there']);
  const [status, why] = await told(text(200, error('InternalError', 'sorry')));
  assert.ok(status !== 200, 'an error in an answer of 200 is one');
  assert.match(String(why), /^InternalError: sorry/);
  const aborted = Object.assign(new Error('Request aborted'), { name: 'AbortError' });
  assert.is(wordsOf(aborted, account).message, 'not done within 60 s');
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:7090'), { code: 'ECONNREFUSED' });
  assert.is(wordsOf(refused, account).message, 'connect ECONNREFUSED 127.0.0.1:7090');
});

spec('a web page in place of a list is a failure, not an empty list', async () => {
  for (const answer of [text(200, page, 'text/html'), text(200)]) {
    const { account, cloud } = await cloudThat(answer);
    for (const asked of [
      cloud.check(account),
      cloud.objects(account, 'core-one', everything),
      cloud.folders(account, 'core-one', everything),
      cloud.versions(account, 'core-one', everything),
      cloud.uploads(account, 'core-one', everything),
    ])
      assert.is((await failureOf(asked)).message, 'something else than a cloud answers there');
  }
});

spec('an endless answer is aborted before it fills the memory', async () => {
  let sent = 0;
  const chunk = '<Contents><Key>a</Key></Contents>'.repeat(10_000);
  const { account, cloud } = await cloudThat((_, response) => {
    response.writeHead(200).write('<ListBucketResult>');
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  assert.is(
    (await failureOf(cloud.objects(account, 'core-one', everything))).message,
    'the answer is longer than 64 MB',
  );
  assert.ok(sent < 256 * 1_048_576, `${sent} bytes were sent`);
});

spec('calls to a silent cloud fail at once between two attempts after the first timeout', async () => {
  const silenceMs = 250;
  const { how, asked, account, cloud } = await cloudThat(() => {}, silenceMs);
  assert.is((await failureOf(cloud.check(account))).message, 'no answer within 0.25 s');
  const requests = asked.length;
  for (let pass = 0; pass < 20; pass++)
    assert.is((await failureOf(cloud.check({ ...account, region: `r-${pass}` }))).message, 'no answer within 0.25 s');
  assert.is(asked.length, requests, 'nobody waits for it');
  how.answer = text(200, '<ListBucketResult><Name>core-one</Name></ListBucketResult>');
  assert.equal((await run(cloud.objects(account, 'core-one', everything))).items, [], 'what it answers is asked for');
  how.answer = text(200, '<ListAllMyBucketsResult><Owner><ID>1</ID></Owner></ListAllMyBucketsResult>');
  await until(async () => Result.isSuccess(await run(Effect.result(cloud.check(account)))), 'it is tried again');
});

spec('a new bucket is closed to the public, and an existing one stays unchanged', async () => {
  const { how, asked, account, cloud } = await cloudThat(text(200));
  await run(cloud.makeBucket(account, 'core-one'));
  assert.equal(asked, ['HEAD /core-one/', 'PUT /core-one/']);
  how.answer = ({ method }, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end();
  await run(cloud.makeBucket(account, 'core-two'));
  assert.equal(asked.slice(2), ['HEAD /core-two/', 'PUT /core-two/', 'PUT /core-two/?publicAccessBlock=']);
});

spec('the region of a bucket is read from the cloud, with defaults for two old names and for none', async () => {
  const { how, account, cloud } = await cloudThat(text(200));
  const told = (answer: Answering) => {
    how.answer = answer;
    return run(cloud.bucketRegion(account, 'core-one'));
  };
  const named = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  const at = (place: string) => text(200, `<LocationConstraint ${named}>${place}</LocationConstraint>`);
  assert.is(await told(at('')), 'us-east-1');
  assert.is(await told(at('EU')), 'eu-west-1');
  assert.is(await told(at('ap-south-2')), 'ap-south-2');
  assert.is(await told(text(501, error('NotImplemented', 'no'))), null);
  assert.is(await told(text(403, error('AccessDenied', 'no'))), null);
  const elsewhere: Answering = (_, response) =>
    response.writeHead(301, { 'x-amz-bucket-region': 'sa-east-1' }).end(error('PermanentRedirect', 'there'));
  assert.is(await told(elsewhere), 'sa-east-1');
  how.answer = text(404, error('NoSuchBucket', 'no'));
  assert.is((await failureOf(cloud.bucketRegion(account, 'core-one'))).code, 'NoSuchBucket');
});

spec('keys limited to one bucket work for a connection without users', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-cloud-'));
  const started = await startCloud({ accounts: [rootKey], dataDir, host: '127.0.0.1', port: 0, log: () => {} });
  try {
    const cloud = awsCloudWith(5_000);
    const root = accountOf({ endpoint: started.url, iam: { endpoint: started.url, region: 'us-east-1' } });
    for (const bucket of ['core-one', 'core-two']) await run(cloud.makeBucket(root, bucket));
    await run(cloud.putUser(root, { name: 'core-one', policy: bucketPolicy('core-one', 'aws') }));
    const key = await run(cloud.issueKey(root, 'core-one'));
    const given = { ...root, ...key, iam: null };
    await run(cloud.check(given));
    await run(cloud.makeBucket(given, 'core-one'));
    await run(cloud.write(given, 'core-one', 'a', 'text'));
    for (const bucket of ['core-two', 'core-new'])
      assert.is((await failureOf(cloud.makeBucket(given, bucket))).code, 'AccessDenied');
    assert.is((await failureOf(cloud.makeBucket({ ...given, iam: root.iam }, 'core-one'))).code, 'AccessDenied');
  } finally {
    await started.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

spec.run();
