import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { allLike, firstLike, isLike, patternFault } from '../../../runtime/embedded/api/cel/functions/regex.ts';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('patterns');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const knots = '/apis/knots.example/v1/knots';
const evil = '(a+)+$';
/** An engine that goes back tries a billion ways through it. */
const long = `${'a'.repeat(30)}!`;
/** Far more than the work needs, far less than a billion ways take. */
const cpuMicros = 5_000_000;

const definition = (text: Json): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'knots.knots.example' },
  spec: {
    group: 'knots.example',
    scope: 'Cluster',
    names: { plural: 'knots', kind: 'Knot' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { plain: text, ruled: text, made: text } } },
      },
    ],
  },
});

spec('a pattern with exponential backtracking blocks no request', async ({ api }) => {
  const body = definition({ type: 'string' });
  const rule = { rule: `!self.matches('${evil}') && self.find('${evil}') == '' && self.findAll('${evil}') == ['x']` };
  const dynamic = { rule: '!self.matches(self.substring(0, 0) + "(a|aa)+$")' };
  const properties = {
    plain: { type: 'string', pattern: evil },
    ruled: { type: 'string', maxLength: 100, 'x-kubernetes-validations': [rule] },
    made: { type: 'string', maxLength: 100, 'x-kubernetes-validations': [dynamic] },
  };
  Object.assign((body['spec'] as { versions: { schema: Json }[] }).versions[0] ?? {}, {
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  assert.is((await api.send('POST', definitions, { body })).code, 201);
  const before = process.cpuUsage();
  const told = async (fields: Json) => {
    const knot = { apiVersion: 'knots.example/v1', kind: 'Knot', metadata: { name: 'one' }, ...fields };
    const { code, body: answer } = await api.send('POST', `${knots}?dryRun=All`, { body: knot });
    return [code, textAt(answer, 'message')];
  };
  assert.equal(await told({ plain: long }), [
    422,
    `Knot.knots.example "one" is invalid: plain: Invalid value: "${long}": plain in body should match '${evil}'`,
  ]);
  assert.match(String((await told({ ruled: long }))[1]), /ruled: Invalid value: "a+!": failed rule/);
  assert.equal(await told({ made: long }), [201, '']);
  assert.ok(process.cpuUsage(before).user < cpuMicros, 'it went back and forth');
});

spec('look-around and backreferences are refused in the words of a real API server', async ({ api }) => {
  const told = async (pattern: string) => {
    const body = definition({ type: 'string', pattern });
    const { body: answer } = await api.send('POST', `${definitions}?dryRun=All`, { body });
    return /properties\[plain\]\.pattern: Invalid value: "[^"]*": (.*?), spec\./.exec(textAt(answer, 'message'))?.[1];
  };
  const none = "must be a valid regular expression, but isn't: error parsing regexp:";
  assert.equal(
    [await told('(?=a)'), await told('(?<!a)b'), await told('(?>a)'), await told(String.raw`(a)\1`)],
    [
      `${none} invalid or unsupported Perl syntax: \`(?=\``,
      `${none} invalid named capture: \`(?<!a)b\``,
      `${none} invalid or unsupported Perl syntax: \`(?>\``,
      `${none} invalid escape sequence: \`\\1\``,
    ],
  );
});

spec('invalid patterns are refused in the words of Go, and valid ones are accepted', () => {
  const none = 'error parsing regexp: ';
  const faults = {
    '(': 'missing closing ): `(`',
    '[a': 'missing closing ]: `[a`',
    ')': 'unexpected ): `)`',
    '*a': 'missing argument to repetition operator: `*`',
    'a++': 'invalid nested repetition operator: `++`',
    'a{1001}': 'invalid repeat count: `{1001}`',
    '[z-a]': 'invalid character class range: `z-a`',
    '\\': 'trailing backslash at end of expression: ``',
    '\\Z': 'invalid escape sequence: `\\Z`',
    '(?z)a': 'invalid or unsupported Perl syntax: `(?z`',
  };
  for (const [pattern, why] of Object.entries(faults)) assert.is(patternFault(pattern), none + why);
  for (const pattern of ['(?i)a', '(?P<n>a)', '[[:alpha:]]', '\\pN', '\\Qa.b\\E', '\\_', '[]a]', 'a{,2}', '\\Aa\\z'])
    assert.is(patternFault(pattern), null, pattern);
});

spec('all matches of a pattern are found as by Go', () => {
  assert.equal(allLike('b*', 'abc'), ['', 'b', '']);
  assert.equal(allLike('a*', 'baaac'), ['', 'aaa', '']);
  assert.equal(allLike('', '😀a'), ['', '', '']);
  assert.equal(allLike('.', '😀a'), ['😀', 'a']);
  assert.equal(allLike('a|b', 'abab', 3), ['a', 'b', 'a']);
  assert.equal([firstLike('b+', 'abbc'), firstLike('x', 'abc')], ['bb', '']);
});

const atom = fc.constantFrom(
  'a',
  'b',
  '0',
  'é',
  '😀',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\W',
  '[a-z0-9]',
  'ab',
  '^',
  '$',
  '\\b',
);
const times = fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '{0,1}', '*?', '+?');
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    tie('piece'),
    fc.tuple(tie('pattern'), tie('piece')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
  ),
  piece: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(atom, times).map(([one, many]) => `(?:${one})${many}`),
    fc.tuple(tie('pattern'), times).map(([inner, many]) => `(${inner})${many}`),
    atom,
  ),
}));
// Short, as one of the two engines may go back and forth; without the ends of lines that only one of them knows.
const subject = fc
  .array(fc.constantFrom('a', 'b', '0', 'é', '😀', ' ', '-'), { maxLength: 6 })
  .map((all) => all.join(''));

spec('a pattern without look-around matches as in JavaScript', () => {
  fc.assert(
    fc.property(pattern, subject, (source, text) => {
      const whole = `^(?:${source})$`;
      assert.is(isLike(source, text), new RegExp(source, 'u').test(text));
      assert.is(isLike(whole, text), new RegExp(whole, 'u').test(text));
    }),
    { numRuns: 3_000 },
  );
});

spec.run();
