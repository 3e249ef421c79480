import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from './suite.ts';

const spec = suite('fast-check with a seed');

const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
const own = { seed: 1, numRuns: 8 };

spec('a string of any characters has the values of fast-check itself', () => {
  assert.equal(fc.sample(fc.string({ unit: 'binary', maxLength: 3 }), own).map(codesOf), [
    [841393, 764772],
    [1114101],
    [],
    [731904, 391803],
    [235238],
    [878791, 699522, 636413],
    [197128, 298012],
    [191669],
  ]);
});

spec('a string of any characters is shrunk to the simplest that fails', () => {
  const isPlain = (text: string) => codesOf(text).every((code) => code < 0x20000);
  const { counterexample } = fc.check(fc.property(fc.string({ unit: 'binary' }), isPlain), { seed: 1 });
  assert.equal((counterexample ?? []).map(codesOf), [[0x20000]]);
});

spec('a string of any characters has every character and no half of one', () => {
  const codes = fc.sample(fc.string({ unit: 'binary', minLength: 1 }), { seed: 1, numRuns: 2_000 }).flatMap(codesOf);
  assert.not.ok(codes.some((code) => code >= 0xd800 && code < 0xe000));
  assert.ok(codes.some((code) => code < 0x80) && codes.some((code) => code > 0x10ff00));
});

spec.run();
