import { Context, Effect, Exit, Fiber, Layer, Result } from 'effect';
import * as assert from 'uvu/assert';
import { type Bucket, ObjectStore, type ObjectStoreShape } from '../../../runtime/services/objectStore.ts';
import { s3ObjectStoreWith } from '../../../runtime/services/s3ObjectStore.ts';
import { accessKeyId, type Fault, type S3, secretAccessKey, startS3 } from '../../support/s3.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const objects = suite('s3ObjectStore');
let s3: S3;
let store: ObjectStoreShape;
/** A store with a short time-out, for responses that never come. */
let impatient: ObjectStoreShape;
let logs: Bucket;

const storeThatWaits = async (ms: number) =>
  Context.get(await Effect.runPromise(Effect.scoped(Layer.build(s3ObjectStoreWith(ms)))), ObjectStore);

objects.before(async () => {
  s3 = await startS3(['logs']);
  [store, impatient] = [await storeThatWaits(120_000), await storeThatWaits(300)];
  logs = { endpoint: s3.url, region: 'eu-west-1', bucket: 'logs', accessKeyId, secretAccessKey };
});
objects.before.each(() => s3.fail(null));
objects.after(() => s3.stop());

const whyOf = async <A, E extends { readonly message: string }>(asked: Effect.Effect<A, E>): Promise<string> => {
  const result = await Effect.runPromise(Effect.result(asked));
  return Result.isFailure(result) ? result.failure.message : (assert.unreachable('it succeeded') as never);
};

objects('a log is stored whole under its key, with metadata, and read back', async () => {
  const text = `ünïcode\n${'x'.repeat(200_000)}`;
  await Effect.runPromise(store.put(logs, 'builds/a b.log', { text, metadata: { run: '123' }, over: null }));
  assert.is(s3.objects.get('logs/builds/a b.log')?.text, text);
  assert.equal((await Effect.runPromise(store.head(logs, 'builds/a b.log')))?.metadata, { run: '123' });
  assert.is(await Effect.runPromise(store.get(logs, 'builds/a b.log')), text);
});

objects('an empty text is an object too', async () => {
  await Effect.runPromise(store.put(logs, 'empty', { text: '', metadata: {}, over: null }));
  assert.is(await Effect.runPromise(store.get(logs, 'empty')), '');
  assert.equal((await Effect.runPromise(store.head(logs, 'empty')))?.metadata, {});
});

objects('a missing object reads as null', async () => {
  assert.is(await Effect.runPromise(store.head(logs, 'nothing')), null);
  assert.is(await Effect.runPromise(store.get(logs, 'nothing')), null);
});

objects('a missing bucket or a wrong key fails with the code of the store', async () => {
  assert.match(await whyOf(store.get({ ...logs, bucket: 'other' }, 'a')), /NoSuchBucket.*HTTP 404/);
  assert.match(
    await whyOf(store.put({ ...logs, bucket: 'other' }, 'a', { text: '', metadata: {}, over: null })),
    /NoSuchBucket/,
  );
  assert.match(
    await whyOf(store.put({ ...logs, accessKeyId: 'WRONG' }, 'a', { text: '', metadata: {}, over: null })),
    /InvalidAccessKeyId.*HTTP 403/,
  );
});

objects('one bad response is retried, a second one is reported', async () => {
  const busy: Fault = { is: 'error', status: 503, code: 'SlowDown', message: 'reduce your rate' };
  s3.fail(busy);
  await Effect.runPromise(store.put(logs, 'once', { text: 'x', metadata: {}, over: null }));
  const before = s3.requests.length;
  s3.fail(busy, busy, busy, busy);
  assert.match(
    await whyOf(store.put(logs, 'twice', { text: 'x', metadata: {}, over: null })),
    /SlowDown: reduce your rate.*HTTP 503/,
  );
  assert.is(s3.requests.length - before, 2);
});

const broken: readonly (readonly [string, Fault, RegExp])[] = [
  ['no answer', { is: 'silent' }, /Timeout/i],
  ['a connection that is cut', { is: 'reset' }, /ECONNRESET|hang up|aborted/i],
  ['an answer that is no XML', { is: 'text', status: 502, body: '<html>bad & ugly' }, /502/],
];
for (const [name, fault, expected] of broken)
  objects(`${name} is a failure with a message`, async () => {
    s3.fail(fault, fault);
    const { put } = fault.is === 'silent' ? impatient : store;
    assert.match(await whyOf(put(logs, 'a', { text: 'x', metadata: {}, over: null })), expected);
  });

objects('an object written meanwhile by another client is not overwritten', async () => {
  const put = (text: string, over: string | null) => store.put(logs, 'fenced', { text, metadata: {}, over });
  const etag = async () => (await Effect.runPromise(store.head(logs, 'fenced')))?.etag ?? '';
  await Effect.runPromise(put('first', null));
  const first = await etag();
  assert.match(await whyOf(put('again', null)), /PreconditionFailed/);
  await Effect.runPromise(put('second', first));
  assert.is.not(await etag(), first);
  assert.match(await whyOf(put('late', first)), /PreconditionFailed/);
  assert.is(await Effect.runPromise(store.get(logs, 'fenced')), 'second');
});

objects('an object is written without a condition when the store does not support conditions', async () => {
  s3.fail({ is: 'error', status: 501, code: 'NotImplemented' });
  await Effect.runPromise(store.put(logs, 'plain', { text: 'x', metadata: {}, over: null }));
  assert.is(await Effect.runPromise(store.get(logs, 'plain')), 'x');
});

objects('an invalid or unreachable address is a failure', async () => {
  assert.match(await whyOf(store.get({ ...logs, endpoint: 'http://127.0.0.1:1' }, 'a')), /ECONNREFUSED/);
  assert.ok((await whyOf(store.get({ ...logs, endpoint: 'no address' }, 'a'))).length > 0);
});

objects('no failure contains the secret key', async () => {
  s3.fail({ is: 'error', status: 400, code: 'Odd', message: `you sent ${secretAccessKey}` });
  const why = await whyOf(store.get(logs, 'a'));
  assert.match(why, /Odd: you sent \*\*\*/);
  assert.not.match(why, new RegExp(secretAccessKey));
});

objects('a request to the store is aborted when its caller is interrupted', async () => {
  s3.fail({ is: 'silent' });
  const before = s3.requests.length;
  const fiber = Effect.runFork(store.get(logs, 'once'));
  await until(() => s3.requests.length > before, 'the request came');
  await Effect.runPromise(Fiber.interrupt(fiber));
  assert.ok(Exit.hasInterrupts(await Effect.runPromise(Fiber.await(fiber))));
  assert.is(s3.requests.length - before, 1);
});

objects.run();
