import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { distance, nearestTo } from '../../../http/dashboard/model/nearest.ts';
import { suite } from '../../support/suite.ts';

const nearest = suite('similar names');

const named = (word: string, also: readonly string[] = []) => ({ label: word, to: `/${word}`, also });
const all = [named('web'), named('webhooks'), named('checkout'), named('payments', ['svc-7f']), named('api')];
const near = (name: string) => nearestTo(name, all).map(({ label }) => label);

nearest('a similar name is found by a typing mistake, a part or the display name', () => {
  assert.equal(near('wbe'), ['web']);
  assert.equal(near('chekout'), ['checkout']);
  assert.equal(near('Payment'), ['payments']);
  assert.equal(near('hooks'), ['webhooks']);
  assert.equal(near('svc-7e'), ['payments']);
  assert.equal(near('nothing-like-it'), []);
});

nearest('similar names are sorted nearest first and at most five', () => {
  assert.equal(near('web'), ['web', 'webhooks']);
  const many = Array.from({ length: 304 }, (_, index) => named(`service-${index}`));
  assert.is(nearestTo('service-1', many).length, 5);
  assert.is(nearestTo('service-1', many)[0]?.label, 'service-1');
});

nearest('a distance is zero only for equal words, symmetric and at most the longer length', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.is(distance(one, one), 0);
      assert.is(distance(one, other), distance(other, one));
      assert.is(distance(one, other) === 0, one === other);
      assert.ok(distance(one, other) <= Math.max(one.length, other.length));
    }),
  );
});

nearest.run();
