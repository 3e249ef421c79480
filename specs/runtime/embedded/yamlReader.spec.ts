import * as assert from 'uvu/assert';
import { createYamlReader } from '../../../runtime/embedded/api/yaml/reader.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('reading YAML on a separate thread');
const limits = { shortest: 10, deadlineMs: 60_000, mostWaiting: 8, mostMemoryMb: 512 };
const many = (count: number) => '- a\n'.repeat(count);
const long = (text: string) => `${'# more than is read at once\n'.repeat(400)}${text}`;

spec('long YAML texts are read as short ones, and each caller gets its own', async () => {
  const reader = createYamlReader();
  const texts = ['a: 1\n', long('a: 2\n'), long('b: [x, y]\nb: z\n'), long('{'), 'c: {}'];
  const [short, second, twice, broken, last] = await Promise.all(texts.map((text) => reader.read(text, 'one')));
  assert.equal(short, { json: '{"a":1}', duplicates: '' });
  assert.equal(second, { json: '{"a":2}', duplicates: '' });
  assert.equal(twice, {
    json: '{"b":"z"}',
    duplicates: 'yaml: unmarshal errors:\n  line 402: key "b" already set in map',
  });
  assert.match(broken?.why ?? '', /^line 401: /);
  assert.equal(last, { json: '{"c":{}}', duplicates: '' });
  await reader.stop();
});

spec('a YAML text is abandoned at the deadline, and the next text is read by another thread', async () => {
  const reader = createYamlReader({ ...limits, deadlineMs: 1 });
  const late = await reader.read(many(20_000), 'one');
  assert.is(late.why, 'it takes too long to read');
  await reader.stop();
  const patient = createYamlReader(limits);
  assert.equal(await patient.read('abcdefghijklmn: 1\n', 'one'), { json: '{"abcdefghijklmn":1}', duplicates: '' });
  await patient.stop();
});

spec('an object is written as YAML that reads back equal, and too deep nesting is not written', async () => {
  const reader = createYamlReader();
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, [index, 'yes: no\n']]));
  for (const value of [{ b: ['x'], a: '1' }, many]) {
    const written = (await reader.write(JSON.stringify(value), 'one')) ?? '';
    const read = await reader.read(written, 'one');
    assert.equal(read.why === undefined ? JSON.parse(read.json) : read.why, value);
  }
  assert.is(await reader.write('{"b":[{"c":1}],"a":"x"}', 'one'), 'a: x\nb:\n- c: 1\n');
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  assert.is((await reader.write(nested(250), 'one'))?.length, 63_002);
  for (const levels of [251, 700, 1_000]) assert.is(await reader.write(nested(levels), 'one'), null);
  await reader.stop();
});

spec('a text of too many values is not read to its end', async () => {
  const reader = createYamlReader();
  for (const text of [many(40_000), `[${'x,'.repeat(61_000)}]`, '- \n'.repeat(61_000)]) {
    const reading = await reader.read(text, 'one');
    assert.equal(reading, { why: 'it holds too many values', holdsTooMany: true });
  }
  assert.is((await reader.read(many(30_000), 'one')).why, undefined);
  await reader.stop();
});

spec('callers take turns, however many texts each has waiting', async () => {
  const reader = createYamlReader({ ...limits, mostWaiting: 4 });
  const order: string[] = [];
  const ask = async (caller: string) => {
    await reader.read('abcdefghijklmn: 1\n', caller);
    order.push(caller);
  };
  await Promise.all(['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'second', 'third', 'second'].map(ask));
  // The first was begun before anybody else asked.
  assert.equal(order, ['greedy', 'greedy', 'second', 'third', 'greedy', 'second', 'greedy', 'greedy']);
  await reader.stop();
});

spec('a caller has a limited number of waiting texts, and others are not refused', async () => {
  const reader = createYamlReader({ ...limits, mostWaiting: 2 });
  const read = (caller: string) => reader.read('abcdefghijklmn: 1\n', caller);
  const write = (caller: string) => reader.write('{"abcdefghijklmn":1}', caller);
  const outcomes = await Promise.allSettled([
    read('one'),
    read('one'),
    write('one'),
    read('one'),
    write('one'),
    read('two'),
  ]);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  await reader.stop();
});

spec.run();
