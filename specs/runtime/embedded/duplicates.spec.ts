import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { duplicateFields, duplicatesOfText } from '../../../runtime/embedded/api/duplicates.ts';
import { type JsonReading, readJson } from '../../../runtime/embedded/api/jsonText.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('duplicate fields of a body');

function readingOf(text: string): Extract<JsonReading, { readonly value: unknown }> {
  const read = readJson(text);
  if (read.why !== undefined) throw new Error(read.why);
  return read;
}

const name = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"a:b"', '"{\\":\\"c"', '"__proto__"', '"0"', '""');
const plain = fc.constantFrom('1', '"a:"', '":\\""', 'null', 'true');
const { text } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    plain,
    fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(name, tie('text')), { maxLength: 4 })
      .map((fields) => `{${fields.map(([field, value]) => `${field} : ${value}`).join(',')}}`),
  ),
}));

spec('duplicate fields found by counting names equal those found one by one', () => {
  let twice = 0;
  fc.assert(
    fc.property(text, (body) => {
      const found = duplicateFields(body);
      if (found.length > 0) twice += 1;
      assert.equal(duplicatesOfText(body, readingOf(body)), found);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(twice > 100, 'bodies that give a field twice were drawn');
});

spec('duplicate fields are not searched when the text has as many names as were read', () => {
  assert.equal(duplicatesOfText('{"a":1,"a":2}', readingOf('{"a":{"b":[{"c":":"}]}}')), []);
});

spec.run();
