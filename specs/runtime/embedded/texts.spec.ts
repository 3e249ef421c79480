import * as assert from 'uvu/assert';
import { assembled } from '../../../runtime/embedded/api/store/assembled.ts';
import { createTexts } from '../../../runtime/embedded/api/store/texts.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('texts');

/** An object that counts how often its text is made. */
function counting(name: string) {
  let made = 0;
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '' };
  const object: Stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  Object.defineProperty(object, 'toJSON', { value: () => (made++, { name }) });
  return { object, made: () => made };
}

spec('an object is serialized once, and once more after its text was removed', () => {
  const texts = createTexts();
  const { object, made } = counting('x');
  assert.is(texts.of(object), '{"name":"x"}');
  assert.is(texts.of(object), '{"name":"x"}');
  assert.is(made(), 1);
  texts.forget(object);
  assert.is(texts.of(object), '{"name":"x"}');
  assert.is(made(), 2);
});

spec('the least recently used texts are removed when the limit is exceeded', () => {
  const each = '{"name":"10"}'.length;
  const texts = createTexts(each * 16);
  const objects = Array.from({ length: 40 }, (_, number) => counting(String(number + 10)));
  const [first] = objects;
  for (const { object } of objects) {
    texts.of(object);
    if (first) texts.of(first.object);
  }
  assert.is(first?.made(), 1, 'it was asked for all the time');
  assert.equal(
    objects.map(({ object, made }) => (texts.of(object), made())).slice(1, 11),
    Array.from({ length: 10 }, () => 2),
  );
});

spec('fields of later parts replace earlier ones in place, and undefined ones are left out', () => {
  const parsed = JSON.parse('{"__proto__":{"a":1},"b":1,"c":2}') as object;
  const whole = assembled(parsed, { c: 3, d: undefined }, { e: 4 });
  assert.is(JSON.stringify(whole), '{"b":1,"c":3,"e":4}');
  assert.is(Object.getPrototypeOf(whole), Object.prototype);
});

spec.run();
