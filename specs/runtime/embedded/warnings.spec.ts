import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { createWarnings } from '../../../runtime/embedded/api/warnings.ts';
import { type Started, configMap, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('warnings');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
/** Each byte of a header is a character in Node. */
const decoded = (header: string) => Buffer.from(header, 'latin1').toString();
const headersOf = (...texts: readonly string[]) => {
  const warnings = createWarnings();
  texts.forEach(warnings.add);
  return warnings.headers().map(decoded);
};

spec('a warning names an unknown field with any characters, and the server continues', async ({ api }) => {
  const fields: readonly (readonly [string, string])[] = [
    ['имя', 'имя'],
    ['日本\u0085', '日本\\\\u0085'],
    ['😀 "x"', '😀 \\\\\\"x\\\\\\"'],
    ['\u0000\u001b\u007f', '\\\\x00\\\\x1b\\\\x7f'],
    ['\ud800', '\ufffd'],
    ['line\r\nSet-Cookie: a=b', 'line\\\\r\\\\nSet-Cookie: a=b'],
  ];
  for (const [index, [field, shown]] of fields.entries())
    for (const query of ['', '?dryRun=All', '?fieldValidation=Warn', '?dryRun=All&pretty=true']) {
      const body = { ...configMap(`w${index}${query === '' ? '' : 'x'}`), [field]: 1 };
      const { code, warning, headers } = await api.send('POST', maps + query, { body });
      assert.ok(code === 201 || code === 409, `${code} ${field}${query}`);
      assert.is(decoded(warning), `299 - "unknown field \\"${shown}\\""`, field);
      assert.is(headers['set-cookie'], undefined);
    }
  assert.is((await api.send('GET', '/version')).code, 200);
});

spec('refusals and patches carry warnings of unknown fields', async ({ api }) => {
  await api.send('POST', maps, { body: configMap('patched') });
  const patched = await api.send('PATCH', `${maps}/patched`, { body: { имя: 1 }, type: merge });
  assert.equal([patched.code, decoded(patched.warning)], [200, '299 - "unknown field \\"имя\\""']);
  const body = { ...configMap('Not a name'), имя: 1 };
  const refused = await api.send('POST', maps, { body });
  assert.equal([refused.code, decoded(refused.warning)], [422, '299 - "unknown field \\"имя\\""']);
});

spec('warnings beyond the limit of a response are cut, then left out, as by a real server', async ({ api }) => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`é${index}`, 1]));
  const flood = await api.send('POST', maps, { body: { ...configMap('flood'), ...many } });
  assert.is(flood.code, 201);
  assert.ok(flood.warning.length < 16_000, `${flood.warning.length} bytes`);
  const long = await api.send('POST', maps, { body: { ...configMap('long'), ['é'.repeat(100_000)]: 1 } });
  assert.is(decoded(long.warning), `299 - "unknown field \\"${'é'.repeat(241)}"`);
});

spec('each text is sent once, and none with control characters', () => {
  assert.equal(headersOf('a', 'a', '', 'b\n', 'c\u0080', 'd'), ['299 - "a"', '299 - "d"']);
});

spec('all texts are cut to 256 characters once together they have more than 4,096', () => {
  const [a, b] = ['я'.repeat(3_000), '😀'.repeat(1_000)];
  assert.equal(headersOf(a, b), [`299 - "${a}"`, `299 - "${b}"`]);
  const cut = headersOf(a, b, 'z'.repeat(97), 'short');
  assert.equal(cut, [
    `299 - "${'я'.repeat(256)}"`,
    `299 - "${'😀'.repeat(256)}"`,
    `299 - "${'z'.repeat(97)}"`,
    '299 - "short"',
  ]);
});

spec('no more warnings are sent once cut texts have 4,096 characters', () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(300, 'x'));
  assert.is(headersOf(...texts).length, 16);
});

spec.run();
