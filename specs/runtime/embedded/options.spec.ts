import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Json, at, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { isWhole } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { type Reply, type Started, configMap, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('options of verbs');
const wholly = unless(spec, isWhole ? null : 'pages that expire are played by `npm run whole`');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'reason')}: ${textAt(body, 'message')}`;
const names = ({ body }: Reply) =>
  listAt(body, 'items')
    .map((item) => `${textAt(item, 'metadata', 'name')}=${textAt(item, 'data', 'v')}`)
    .join(' ');
const encoded = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();

spec('the pages of a list and a list at an exact version show the objects of that version', async ({ api }) => {
  const labels = { snap: 'yes' };
  for (const name of ['a', 'b', 'c']) await api.send('POST', maps, { body: configMap(name, { v: '1' }, { labels }) });
  const list = (query: Readonly<Record<string, string>>) =>
    api.send('GET', `${maps}?${encoded({ labelSelector: 'snap=yes', ...query })}`);
  const first = await list({ limit: '1' });
  const version = textAt(first.body, 'metadata', 'resourceVersion');
  const token = textAt(first.body, 'metadata', 'continue');
  await api.send('PATCH', `${maps}/b`, { type: merge, body: { data: { v: '2' } } });
  await api.send('DELETE', `${maps}/c`);
  await api.send('POST', maps, { body: configMap('d', { v: '1' }, { labels }) });
  const rest = await list({ limit: '5', continue: token });
  assert.equal([names(rest), textAt(rest.body, 'metadata', 'resourceVersion')], ['b=1 c=1', version]);
  assert.is(names(await list({ resourceVersion: version, resourceVersionMatch: 'Exact' })), 'a=1 b=1 c=1');
  assert.is(names(await list({ resourceVersion: version, resourceVersionMatch: 'NotOlderThan' })), 'a=1 b=2 d=1');
  assert.is(names(await list({ resourceVersion: '0' })), 'a=1 b=2 d=1');
  assert.is(
    told(await list({ continue: token, resourceVersion: version })),
    '400 BadRequest: specifying resource version is not allowed when using continue',
  );
  assert.match(
    told(await list({ resourceVersion: '999999' })),
    /^504 Timeout: Timeout: Too large resource version: 999999, current: \d+$/,
  );
});

wholly('an expired page is refused with a token to continue over the current objects', async ({ api }) => {
  const path = `${inSystem}/serviceaccounts`;
  const account = (name: string): Json => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  const made = Array.from({ length: 20 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  for (const name of made) await api.send('POST', path, { body: account(name) });
  // The first of them is `default`, which every namespace has.
  const first = await api.send('GET', `${path}?limit=15`);
  for (let turn = 0; turn < 300; turn += 1)
    await Promise.all(
      made.map((name) =>
        api.send('PATCH', `${path}/${name}`, {
          type: merge,
          body: { metadata: { annotations: { turn: `${turn}` } } },
        }),
      ),
    );
  const late = await api.send('GET', `${path}?limit=15&continue=${textAt(first.body, 'metadata', 'continue')}`);
  assert.match(told(late), /^410 Expired: The provided continue parameter is too old to display a consistent list/);
  const next = await api.send('GET', `${path}?continue=${textAt(late.body, 'metadata', 'continue')}`);
  assert.equal(
    [next.code, listAt(next.body, 'items').map((item) => textAt(item, 'metadata', 'name'))],
    [200, made.slice(14)],
  );
});

spec('contradictory options are refused', async ({ api }) => {
  const rows: readonly (readonly [string, string])[] = [
    [
      'resourceVersionMatch=Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'resourceVersionMatch=Some&resourceVersion=1',
      'resourceVersionMatch: Unsupported value: "Some": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    [
      'watch=true&sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch=true&resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ];
  for (const [query, why] of rows)
    assert.is(
      told(await api.send('GET', `${maps}?${query}`)),
      `422 Invalid: ListOptions.meta.k8s.io "" is invalid: ${why}`,
      query,
    );
});

spec('a deletion takes its options from the body and from the query', async ({ api }) => {
  const create = (name: string) => api.send('POST', maps, { body: configMap(name) });
  await create('gone');
  const remove = (body: Json | null, query = '') =>
    api.send('DELETE', `${maps}/gone${query}`, body === null ? {} : { body });
  assert.is(
    told(await remove({ propagationPolicy: 'Sideways' })),
    '422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
  );
  assert.is(
    told(await remove({ propagationPolicy: 'Orphan', orphanDependents: true })),
    '422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  );
  assert.match(
    told(await remove(null, '?dryRun=Some')),
    /dryRun: Unsupported value: \["Some"\]: supported values: "All"/,
  );
  assert.is((await remove({ dryRun: ['All'] })).code, 200);
  assert.match(
    told(await remove({ preconditions: { resourceVersion: '1' } })),
    /^409 Conflict: Operation cannot be fulfilled on ConfigMap "gone": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
  );
  const held = await remove(null, '?propagationPolicy=Foreground');
  assert.is(held.code, 200);
});

spec('invalid selectors are refused in the words of the API', async ({ api }) => {
  const list = async (path: string, query: Readonly<Record<string, string>>) =>
    textAt((await api.send('GET', `${path}?${encoded(query)}`)).body, 'message');
  const labels = (labelSelector: string) => list(maps, { labelSelector });
  assert.is(await labels('a in (b'), "unable to parse requirement: found '', expected: ',' or ')'");
  assert.is(await labels('a b'), "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt");
  assert.is(await labels('a,,b'), "found ',', expected: identifier after ','");
  assert.is(await labels('('), "found '(', expected: !, identifier, or 'end of string'");
  assert.is(await labels('a in b'), "unable to parse requirement: found 'b' expected: '('");
  assert.match(
    await labels('a=@'),
    /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "@": a valid label/,
  );
  assert.match(
    await labels('a@=b'),
    /^unable to parse requirement: <nil>: Invalid value: "a@": name part must consist/,
  );
  assert.match(await labels('a>b'), /values\[0\]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an/);
  const fields = (fieldSelector: string, path = maps) => list(path, { fieldSelector });
  assert.is(
    await fields('data.v=1'),
    '"data.v" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
  assert.is(await fields('spec.x=1', `${inSystem}/pods`), 'field label not supported: spec.x');
  assert.is(await fields('metadata.name'), "invalid selector: 'metadata.name'; can't understand 'metadata.name'");
  assert.is(await fields('metadata.name=a=b'), 'invalid field selector: unescaped character in value: 61');
});

spec('custom objects are selected by the fields that their definition names', async ({ api }) => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cars.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'cars', kind: 'Car' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          selectableFields: [{ jsonPath: '.spec.color' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
            },
          },
        },
      ],
    },
  };
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const cars = '/apis/example.org/v1/namespaces/core-system/cars';
  for (const color of ['red', 'blue'])
    await api.send('POST', cars, {
      body: { apiVersion: 'example.org/v1', kind: 'Car', metadata: { name: color }, spec: { color } },
    });
  const found = await api.send('GET', `${cars}?fieldSelector=spec.color%3Dblue`);
  assert.equal(
    listAt(found.body, 'items').map((item) => textAt(item, 'metadata', 'name')),
    ['blue'],
  );
  assert.is(
    told(await api.send('GET', `${cars}?fieldSelector=spec.wheels%3D4`)),
    '400 BadRequest: field label not supported: spec.wheels',
  );
});

spec('a JSON patch that does not apply is 422, and a malformed one is 400', async ({ api }) => {
  await api.send('POST', maps, { body: configMap('patched', { v: '1' }) });
  const patch = async (body: unknown) =>
    told(await api.send('PATCH', `${maps}/patched`, { type: 'application/json-patch+json', body }));
  const refused = '422 Invalid: the server rejected our request due to an error in our request';
  assert.is(await patch([{ op: 'test', path: '/data/v', value: '2' }]), refused);
  assert.is(await patch([{ op: 'remove', path: '/data/w' }]), refused);
  for (const operation of [{ op: 'turn', path: '/data/v' }, { op: 'add' }, { op: 'move', path: '/data/v' }, null])
    assert.is(await patch([operation]), refused, JSON.stringify(operation));
  const unreadable = '400 BadRequest: error decoding patch: json: cannot unmarshal';
  assert.is(await patch({}), `${unreadable} object into Go value of type []handlers.jsonPatchOp`);
  assert.is(await patch([1]), `${unreadable} number into Go value of type handlers.jsonPatchOp`);
  assert.is(await patch([{ op: 1 }]), `${unreadable} number into Go struct field jsonPatchOp.op of type string`);
  const broken = 'error decoding patch: invalid character';
  assert.is(await patch('nope'), `400 BadRequest: ${broken} 'o' in literal null (expecting 'u')`);
  assert.is(await patch('[tru'), `400 BadRequest: ${broken} ' ' in literal true (expecting 'e')`);
  const added = [
    { op: 'replace', path: '/data/x', value: 'new' },
    { op: 'copy', from: '/data/none', path: '/data/y' },
    { op: 'add', path: '/data/z' },
  ];
  assert.is((await patch(added)).slice(0, 3), '200');
  const { body } = await api.send('GET', `${maps}/patched`);
  assert.equal(at(body, 'data'), { v: '1', x: 'new', y: '', z: '' });
  assert.is((await patch([{ op: 'test', path: '/data/v', value: '1' }])).slice(0, 3), '200');
});

const words = fc.constantFrom('x', 'y', 'z');
spec('a list at any version shows the objects at that version', async ({ api }) => {
  const path = `${inSystem}/limitranges`;
  const range = (name: string, v: string): Json => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name, annotations: { v } },
    spec: { limits: [] },
  });
  const shown = ({ body }: Reply) =>
    listAt(body, 'items').map((item) => [textAt(item, 'metadata', 'name'), at(item, 'metadata', 'annotations', 'v')]);
  const seen: { readonly version: string; readonly items: unknown }[] = [];
  const step = fc.record({ name: words, verb: fc.constantFrom('POST', 'PUT', 'DELETE') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat(9), async (steps, mark) => {
      for (const { name, verb } of steps)
        await api.send(verb, verb === 'POST' ? path : `${path}/${name}`, {
          ...(verb !== 'DELETE' && { body: range(name, `${mark}${verb}`) }),
        });
      const now = await api.send('GET', path);
      seen.push({ version: textAt(jsonAt(now.body, 'metadata'), 'resourceVersion'), items: shown(now) });
      for (const { version, items } of seen)
        assert.equal(
          shown(await api.send('GET', `${path}?resourceVersion=${version}&resourceVersionMatch=Exact`)),
          items,
        );
    }),
    { numRuns: 15 },
  );
});

spec.run();
