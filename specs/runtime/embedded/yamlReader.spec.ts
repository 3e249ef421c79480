import * as assert from 'uvu/assert';
import { createYamlReader } from '../../../runtime/embedded/api/yaml/reader.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('YAML is read on a thread of its own');
const long = (text: string) => `${'# more than is read at once\n'.repeat(400)}${text}`;

spec('a long text is read as a short one is, each gets its own', async () => {
  const reader = createYamlReader();
  const texts = ['a: 1\n', long('a: 2\n'), long('b: [x, y]\nb: z\n'), long('{'), 'c: {}'];
  const [short, second, twice, broken, last] = await Promise.all(texts.map(reader.read));
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

spec('a text that takes too long is given up, and the next one is read by another thread', async () => {
  const reader = createYamlReader({ shortest: 10, deadlineMs: 1, mostWaiting: 8, mostMemoryMb: 512 });
  const late = await reader.read('- a\n'.repeat(500_000));
  assert.is(late.why, 'it takes too long to read');
  await reader.stop();
  const patient = createYamlReader({ shortest: 10, deadlineMs: 60_000, mostWaiting: 8, mostMemoryMb: 512 });
  assert.equal(await patient.read('abcdefghijklmn: 1\n'), { json: '{"abcdefghijklmn":1}', duplicates: '' });
  await patient.stop();
});

spec('a text is written as it is read, short or long; what nests too deep is not', async () => {
  const reader = createYamlReader();
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, [index, 'yes: no\n']]));
  for (const value of [{ b: ['x'], a: '1' }, many]) {
    const written = (await reader.write(JSON.stringify(value))) ?? '';
    const read = await reader.read(written);
    assert.equal(read.why === undefined ? JSON.parse(read.json) : read.why, value);
  }
  assert.is(await reader.write('{"b":[{"c":1}],"a":"x"}'), 'a: x\nb:\n- c: 1\n');
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  assert.is((await reader.write(nested(250)))?.length, 63_002);
  for (const levels of [251, 700, 1_000]) assert.is(await reader.write(nested(levels)), null);
  await reader.stop();
});

spec('no more texts wait than there is room for', async () => {
  const reader = createYamlReader({ shortest: 10, deadlineMs: 60_000, mostWaiting: 2, mostMemoryMb: 512 });
  const asked = Array.from({ length: 4 }, () => reader.read('abcdefghijklmn: 1\n'));
  const outcomes = await Promise.allSettled(asked);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  );
  await reader.stop();
});

spec.run();
