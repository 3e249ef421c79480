import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { continuesWith, goodForMs } from '../../../http/lists/continue.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('continue tokens');
const keyOf = (text: string) => () => Buffer.from(text.padEnd(32, '.'));
const of = { list: '/apps', caller: 'session admin' };
const place = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });

spec('a continue token is accepted for its list and caller until it expires', () => {
  fc.assert(
    fc.property(place, fc.string(), fc.string(), (sealed, list, caller) => {
      let now = 1_000_000;
      const continues = continuesWith(keyOf('one'), () => now);
      const text = continues.seal({ list, caller }, sealed);
      assert.match(text, /^[\w-]+$/);
      now += goodForMs;
      assert.equal(continues.open({ list, caller }, text), { is: 'place', place: sealed });
      assert.equal(continues.open({ list: `${list}x`, caller }, text), { is: 'of another list' });
      assert.equal(continues.open({ list, caller: `${caller}x` }, text), { is: 'of another list' });
      now += 1;
      assert.equal(continues.open({ list, caller }, text), { is: 'too old' });
    }),
  );
});

spec('a malformed continue token is refused without an error', () => {
  const continues = continuesWith(keyOf('one'), () => 0);
  const text = continues.seal(of, ['a']);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.nat(text.length - 1)), (other) => {
      const given = typeof other === 'number' ? text.slice(0, other) : other;
      assert.not.equal(continues.open(of, given).is, 'place');
    }),
  );
});

spec('a continue token is valid in another process with the same key and too old with another key', () => {
  const text = continuesWith(keyOf('one'), () => 0).seal(of, ['a']);
  assert.equal(continuesWith(keyOf('one'), () => 1).open(of, text), { is: 'place', place: ['a'] });
  assert.equal(continuesWith(keyOf('two'), () => 1).open(of, text), { is: 'too old' });
});

spec.run();
