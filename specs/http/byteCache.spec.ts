import * as assert from 'uvu/assert';
import { makeByteCache } from '../../http/response/byteCache.ts';
import { suite } from '../support/suite.ts';

const kept = suite('byte cache');

const counted = () => {
  const made: string[] = [];
  const keep = makeByteCache(10);
  const of = (name: string, length = 4) =>
    keep(name, async () => {
      made.push(name);
      await Promise.resolve();
      return Buffer.alloc(length);
    });
  return { made, of };
};

kept('a value is computed once for concurrent and later requests', async () => {
  const { made, of } = counted();
  const [one, other] = await Promise.all([of('a'), of('a')]);
  assert.is(one, other);
  assert.is(await of('a'), one);
  assert.equal(made, ['a']);
});

kept('the oldest value is evicted when the cache is full, and a larger one than the cache is not stored', async () => {
  const { made, of } = counted();
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await of(name);
  assert.equal(made, ['a', 'b', 'c', 'a']);
  assert.is((await of('huge', 11)).length, 11);
  await of('huge', 11);
  assert.equal(made.slice(4), ['huge', 'huge']);
});

kept('a failed computation is repeated by the next request', async () => {
  const keep = makeByteCache(10);
  const failed = await keep('a', () => Promise.reject(new Error('no room'))).catch(String);
  assert.is(failed, 'Error: no room');
  assert.is((await keep('a', () => Promise.resolve(Buffer.alloc(3)))).length, 3);
});

kept.run();
