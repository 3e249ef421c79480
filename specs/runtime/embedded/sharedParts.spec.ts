import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import { readBody } from '../../../runtime/embedded/api/body.ts';
import { duplicateFields } from '../../../runtime/embedded/api/duplicates.ts';
import { mapped, mappedItems, same } from '../../../runtime/embedded/api/json.ts';
import { readAs } from '../../../runtime/embedded/api/published/read.ts';
import { withDefaults } from '../../../runtime/embedded/api/schema/default.ts';
import { pruned } from '../../../runtime/embedded/api/schema/prune.ts';
import type { Schema } from '../../../runtime/embedded/api/schema/schema.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('shared parts');

const schema: Schema = {
  type: 'object',
  properties: {
    kept: { type: 'object', properties: { text: { type: 'string' } } },
    filled: { type: 'object', properties: { size: { type: 'integer', default: 3 } } },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
};

spec('pruning and defaulting return the same object when nothing changes', () => {
  const whole = { kept: { text: 'x' }, filled: { size: 1 }, items: [{ name: 'a' }] };
  assert.is(
    pruned(schema, whole, '', () => assert.unreachable()),
    whole,
  );
  assert.is(withDefaults(schema, whole), whole);
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: 'b' } }, data: { c: 'd' } };
  const reading = readAs('io.k8s.api.core.v1.ConfigMap', configMap);
  assert.is(reading && 'object' in reading && reading.object, configMap);
});

spec('pruning and defaulting share the unchanged parts of an object', () => {
  const given = { kept: { text: 'x' }, filled: {}, items: [{ name: 'a' }, { name: 'b', odd: 1 }] };
  const unknown: string[] = [];
  const left = pruned(schema, given, '', (path) => unknown.push(path)) as typeof given;
  assert.equal(unknown, ['items[1].odd']);
  assert.equal(left.items, [{ name: 'a' }, { name: 'b' }]);
  assert.is(left.kept, given.kept);
  assert.is(left.items[0], given.items[0]);
  const filled = withDefaults(schema, given) as typeof given;
  assert.equal(filled.filled, { size: 3 });
  assert.is(filled.items, given.items);
  assert.equal(given.filled, {}, 'and what was given is not changed');
});

spec('a field that becomes undefined is omitted, and earlier fields keep their order', () => {
  const without = mapped({ a: 1, b: 2, c: 3 }, (value, field) => (field === 'b' ? undefined : value));
  assert.equal(Object.keys(without), ['a', 'c']);
  const items = [1, 2];
  assert.is(
    mappedItems(items, (item) => item),
    items,
  );
  assert.equal(
    mappedItems(items, (item, index) => (index === 1 ? 3 : item)),
    [1, 3],
  );
});

spec('names inherited from Object.prototype are not fields', () => {
  assert.is(same({}, { constructor: 'x' }), false);
  assert.is(same({ constructor: 'x' }, {}), false);
  assert.is(same({ a: undefined }, {}), true);
  assert.is(same({ a: undefined, b: 1 }, { b: 1, c: undefined }), true);
  assert.is(same({ a: undefined }, { b: 1 }), false);
});

spec('a duplicate field is found at any position and in any escaping', () => {
  const found = (text: string) => duplicateFields(text);
  assert.equal(found('{"a":1,"b":{"a":[{"c":1},{"c":1,"d":"\\"c\\":","c":2}]},"a":2}'), ['b.a[1].c', 'a']);
  assert.equal(found(String.raw`{"a\"b":1,"a\u0022b":2,"x\\":"\\","y":["x\\","x\\"]}`), ['a"b']);
  assert.equal(found('{"a":"{\\"a\\":1,\\"a\\":2}","b":["a","a"],"c":[[{"d":1}],[{"d":1}]]}'), []);
  assert.equal(found('[{"a":1,"a":2}]'), ['[0].a']);
});

/** A request whose body comes in these pieces, and then ends where it is complete. */
function requestOf(pieces: readonly string[], complete: boolean): IncomingMessage {
  const stream = new Readable({ read: () => {} });
  for (const piece of pieces) stream.push(piece);
  if (complete) stream.push(null);
  return Object.assign(stream, { headers: {}, complete }) as unknown as IncomingMessage;
}

spec('a body is read completely, and an aborted one is refused', async () => {
  assert.is((await readBody(requestOf(['{"a":', '1}'], true))).toString(), '{"a":1}');
  const broken = requestOf(['{"a":'], false);
  broken.once('data', () => broken.destroy());
  const why = await readBody(broken).then(
    () => 'read',
    (failure: unknown) => (failure instanceof Error ? failure.message : ''),
  );
  assert.is(why, 'the request ended before its body');
});

spec('at most a hundred duplicate fields are reported, each once, with bounded paths', () => {
  const twice = (name: string) => `"${name}":1,"${name}":2,"${name}":3`;
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const found = duplicateFields(`{"a":[{${names.map(twice).join()}}]}`);
  assert.is(found.length, 100);
  assert.equal([found[0], found[99]], ['a[0].n0', 'a[0].n99']);
  const depth = 9_000;
  const nested = `${'{"deep":'.repeat(depth)}{${names.map(twice).join()}}${'}'.repeat(depth)}`;
  const paths = duplicateFields(nested);
  assert.ok(paths.join('').length < 1_100_000, `${paths.join('').length} characters`);
  assert.is(paths[0], `${'deep.'.repeat(depth)}n0`);
});

spec.run();
