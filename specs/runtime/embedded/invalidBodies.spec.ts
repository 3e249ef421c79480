import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Json, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, configMap, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>(
  'bodies that nobody means well with are refused, and are no failure of the server',
);
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const yaml = 'application/yaml';

spec('the type of a Secret may be a name of Object.prototype', async ({ api }) => {
  for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const name = type.toLowerCase().replaceAll('_', '');
    const { code } = await api.send('POST', `${inSystem}/secrets`, { body: { metadata: { name }, type } });
    assert.is(code, 201, type);
  }
});

const definition = (schema: unknown): Json => ({
  metadata: { name: 'things.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const anywhere = ['type', 'properties', 'items', 'required', 'enum', 'default', 'allOf', 'not', 'pattern', 'format']
  .concat(['additionalProperties', 'x-kubernetes-validations', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'])
  .concat(['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields', 'maxLength', 'minimum', 'nullable']);
const odd = fc.constantFrom<unknown>(
  null,
  1,
  -1,
  'x',
  '(',
  '',
  true,
  [],
  [null],
  [[]],
  [1],
  {},
  { a: null },
  { a: 1 },
  'object',
  {
    type: 'object',
    default: 1,
  },
);

spec('a malformed schema of a definition is 400 or 422, wherever it is malformed', async ({ api }) => {
  const part = fc.dictionary(fc.constantFrom(...anywhere), odd, { maxKeys: 3 });
  const schema = fc.oneof(
    odd,
    part,
    fc.tuple(part, part).map(([outer, inner]) => ({ type: 'object', ...outer, properties: { a: inner } })),
    fc.tuple(part, part).map(([outer, inner]) => ({ type: 'array', ...outer, items: inner })),
  );
  await fc.assert(
    fc.asyncProperty(schema, async (one) => {
      const { code, text } = await api.send('POST', `${definitions}?dryRun=All`, { body: definition(one) });
      assert.ok([201, 400, 422].includes(code), `${code} ${text.slice(0, 300)}`);
    }),
    { numRuns: 300 },
  );
});

/** Nine names, each of which stands for nine of the one before it. */
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat(
    Array.from('bcdefghi', (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join()}]`),
  )
  .join('\n');

spec('schemas below items and additionalProperties are validated', async ({ api }) => {
  const below = (items: unknown) => ({
    type: 'object',
    properties: { spec: { type: 'array', items }, map: { type: 'object', additionalProperties: items } },
  });
  const malformed: readonly unknown[] = [
    'x',
    1,
    null,
    [],
    { type: 'object', properties: 1 },
    { type: 'object', properties: { a: null } },
    { type: 'object', properties: { a: 'x' } },
    { type: 'array', items: 'x' },
    { type: 'string', anyOf: { a: 1 } },
    { type: 'string', not: 1 },
    { type: 'object', required: [1] },
    { type: 'string', enum: 1 },
    { type: 'string', pattern: 1 },
    { type: 'string', 'x-kubernetes-validations': [1] },
    { type: 'string', 'x-kubernetes-validations': [{ rule: 1 }] },
  ];
  for (const items of malformed) {
    const { code, text } = await api.send('POST', `${definitions}?dryRun=All`, { body: definition(below(items)) });
    assert.ok(code === 400 || code === 422, `${JSON.stringify(items)}: ${code} ${text.slice(0, 300)}`);
  }
});

spec('YAML aliases that expand too much are 400', async ({ api }) => {
  assert.ok(bomb.length < 384);
  for (const [method, path, type] of [
    ['POST', maps, yaml],
    ['PATCH', `${maps}/bomb?fieldManager=me`, 'application/apply-patch+yaml'],
  ] as const) {
    const { code, body } = await api.send(method, path, { body: bomb, type });
    assert.equal([code, /alias/i.test(textAt(body, 'message'))], [400, true]);
  }
  const unknown = await api.send('POST', maps, { body: 'a: *nobody\n', type: yaml });
  assert.is(unknown.code, 400);
});

spec('nesting deeper than a thousand levels is refused in JSON, YAML and patches', async ({ api }) => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const body = (levels: number) =>
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"deep"},"x":${nested(levels)}}`;
  const told = async (levels: number, type = 'application/json') => {
    const { code, body: answer } = await api.send('POST', `${maps}?dryRun=All`, { body: body(levels), type });
    return `${code} ${textAt(answer, 'message')}`;
  };
  assert.match(await told(999), /^201 /);
  assert.match(await told(1_000), /^400 .*invalid character '\[' exceeded max depth/);
  assert.match(await told(300_000), /exceeded max depth/);
  assert.match(await told(1_000, yaml), /^400 .*exceeded max depth/);
  assert.match(await told(300_000, yaml), /^400 .*exceeded max depth/);
  await api.send('POST', maps, { body: configMap('deep') });
  const patch = { body: `{"x":${nested(1_000)}}`, type: merge };
  assert.is((await api.send('PATCH', `${maps}/deep`, patch)).code, 400);
});

spec('YAML that is not JSON may nest 250 levels', async ({ api }) => {
  const told = async (text: string) => {
    const body = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: deep-yaml}\nx:\n  ${text}`;
    const { code, body: answer } = await api.send('POST', `${maps}?dryRun=All`, { body, type: yaml });
    return `${code} ${textAt(answer, 'message')}`;
  };
  // The object and the number are a level each.
  assert.match(await told(`${'- '.repeat(248)}1\n`), /^201 /);
  for (const opens of ['- ', '? ', '[', '{a: ', '&a [', '- ? ', '- [', '? !t {'])
    for (const levels of [250, 1_000, 20_000])
      assert.match(await told(opens.repeat(levels)), /^400 .*exceeded max depth of 250/, `${opens} × ${levels}`);
});

spec('a hundred of very many faults or conflicts are listed, with the number of the others', async ({ api }) => {
  const many = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
  const told = async (method: string, path: string, body: unknown, type?: string) => {
    const { code, body: answer, text } = await api.send(method, path, { body, ...(type !== undefined && { type }) });
    assert.ok(text.length < 100_000, `${text.length} bytes`);
    return { code, causes: listAt(answer, 'details', 'causes').length, message: textAt(answer, 'message') };
  };
  const finalizers = await told('POST', maps, { metadata: { name: 'faulty', finalizers: many.map(() => '?') } });
  assert.equal([finalizers.code, finalizers.causes], [422, 100]);
  assert.match(finalizers.message, /, and 39900 more\]$/);
  const applied = (manager: string, data: unknown) =>
    told(
      'PATCH',
      `${maps}/claimed?fieldManager=${manager}`,
      { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'claimed' }, data },
      'application/apply-patch+yaml',
    );
  const values = <V>(value: V): Record<string, V> => Object.fromEntries(many.map((key) => [key, value]));
  const wrong = await applied('one', values(1));
  assert.equal([wrong.code, /\n {2}and 19900 more$/.test(wrong.message)], [500, true]);
  await api.send('POST', `${maps}?fieldManager=one`, { body: configMap('claimed', values('a')) });
  const conflict = await applied('two', values('b'));
  assert.equal([conflict.code, conflict.causes], [409, 100]);
  assert.match(conflict.message, /^Apply failed with 20000 conflicts: .*\nand 19900 more$/s);
});

spec('a body or a patch with too many values is 413', async ({ api }) => {
  const many = Object.fromEntries(Array.from({ length: 31_000 }, (_, index) => [`k${index}`, '']));
  assert.is((await api.send('POST', maps, { body: configMap('many', many) })).code, 413);
  await api.send('POST', maps, { body: configMap('grown') });
  const half = (from: number) => ({ data: Object.fromEntries(Object.entries(many).slice(from, from + 16_000)) });
  assert.is((await api.send('PATCH', `${maps}/grown`, { body: half(0), type: merge })).code, 200);
  assert.is((await api.send('PATCH', `${maps}/grown`, { body: half(15_500), type: merge })).code, 413);
});

spec('a body without JSON is refused whatever its patch is', async ({ api }) => {
  await api.send('POST', maps, { body: configMap('escaped') });
  for (const type of ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'])
    for (const body of ['{"\\x":1}', '{"a":"', '[', '{"a":1,"a":\u0000}', '\\']) {
      const path = `${maps}/escaped?fieldManager=me`;
      const { code, text } = await api.send('PATCH', path, { body, type: `application/${type}` });
      assert.ok(code === 400 || code === 415, `${type} ${body}: ${code} ${text}`);
    }
});

spec.run();
