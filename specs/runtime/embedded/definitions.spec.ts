import * as assert from 'uvu/assert';
import { type Json, at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, build, core, eventually, install, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('definitions');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.org/v1/namespaces/core-system/things';
const text = { type: 'string' };
const number = { type: 'integer', format: 'int32' };

const definition = (schema: Json, more: Json = {}): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});
const thing = (name: string, spec: Json): Json => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['name'],
      'x-kubernetes-validations': [
        { rule: 'self.name == oldSelf.name', message: 'name is immutable' },
        { rule: '!has(self.low) || !has(self.high) || self.low + 1 <= self.high', message: 'low must be below high' },
      ],
      properties: {
        name: { ...text, pattern: '^[a-z]+$', maxLength: 5 },
        low: { ...number, minimum: 1 },
        high: number,
        mode: { ...text, enum: ['on', 'off'], default: 'on' },
        maybe: { ...text, nullable: true },
        at: { ...text, format: 'date-time' },
        tags: { type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'set', items: text },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
          items: {
            type: 'object',
            required: ['port'],
            properties: { port: number, protocol: { ...text, default: 'TCP' } },
          },
        },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        size: { 'x-kubernetes-int-or-string': true },
      },
    },
  },
};

spec('a definition is served at once with its conditions, and its objects are deleted with it', async ({ api }) => {
  assert.is((await api.send('GET', things)).code, 404);
  const made = await api.send('POST', definitions, {
    body: definition({
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    }),
  });
  assert.is(made.code, 201);
  const holds = listAt(made.body, 'status', 'conditions').map(
    (one) => `${textAt(one, 'type')}=${textAt(one, 'status')}`,
  );
  assert.equal(holds, ['NamesAccepted=True', 'Established=True']);
  assert.is((await api.send('POST', things, { body: thing('x', { a: 1 }) })).code, 201);
  const { body } = await api.send('GET', '/apis/example.org/v1');
  assert.equal(
    listAt(body, 'resources').map((one) => textAt(one, 'name')),
    ['things'],
  );
  await api.send('DELETE', `${definitions}/things.example.org`);
  await eventually(async () => (await api.send('GET', things)).code === 404, 'the API is gone');
  await api.send('POST', definitions, {
    body: definition(schema, {
      subresources: { scale: { specReplicasPath: '.spec.low', statusReplicasPath: '.status.n' } },
    }),
  });
  assert.equal(listAt((await api.send('GET', things)).body, 'items'), [], 'and so are its objects');
});

spec('definitions that cannot be served are refused', async ({ api }) => {
  const refused = async (body: Json) => textAt((await api.send('POST', definitions, { body })).body, 'message');
  assert.match(
    await refused({ ...definition(schema), metadata: { name: 'other' } }),
    /metadata\.name: Invalid value: "other"/,
  );
  const untyped = { type: 'object', properties: { spec: { description: 'x' } } };
  assert.match(await refused(definition(untyped)), /properties\[spec\]\.type: Required value/);
  const broken = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.(' }] };
  assert.match(await refused(definition(broken)), /compilation failed/);
});

spec('every fault of an object is reported in the words of the API', async ({ api }) => {
  const faults = async (given: Json) => {
    const { code, body } = await api.send('POST', things, { body: thing('bad', given) });
    assert.is(code, 422, JSON.stringify(body));
    assert.match(textAt(body, 'message'), /^Thing\.example\.org "bad" is invalid: /);
    return listAt(body, 'details', 'causes')
      .map((cause) => `${textAt(cause, 'field')}: ${textAt(cause, 'message')}`)
      .filter((fault) => !fault.includes('some validation rules were not checked'));
  };
  assert.equal(await faults({}), ['spec.name: Required value']);
  assert.equal(await faults({ name: 3 }), [
    'spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"',
  ]);
  assert.equal(await faults({ name: 'abcdefg' }), ['spec.name: Too long: may not be more than 5 bytes']);
  assert.equal(await faults({ name: 'A' }), [
    `spec.name: Invalid value: "A": spec.name in body should match '^[a-z]+$'`,
  ]);
  assert.equal(await faults({ name: 'a', mode: 'x' }), [
    'spec.mode: Unsupported value: "x": supported values: "on", "off"',
  ]);
  assert.equal(await faults({ name: 'a', low: 0 }), [
    'spec.low: Invalid value: 0: spec.low in body should be greater than or equal to 1',
  ]);
  assert.equal(await faults({ name: 'a', tags: ['x', 'x'] }), ['spec.tags[1]: Duplicate value: "x"']);
  assert.equal(await faults({ name: 'a', tags: ['x', 'y', 'z'] }), [
    'spec.tags: Too many: 3: must have at most 2 items',
  ]);
  assert.equal(await faults({ name: 'a', ports: [{ port: 1 }, { port: 1 }] }), [
    'spec.ports[1]: Duplicate value: {"port":1}',
  ]);
  assert.equal(await faults({ name: 'a', at: 'noon' }), [
    'spec.at: Invalid value: "noon": spec.at in body must be of type date-time: "noon"',
  ]);
  assert.equal(await faults({ name: 'a', low: 3, high: 3 }), ['spec: Invalid value: low must be below high']);
  assert.equal((await faults({ mode: 'x', low: 0 })).length, 3, 'all at once');
});

spec('defaults are filled in, also in lists; unknown fields are pruned, warned about, or refused', async ({ api }) => {
  const given = { name: 'a', ports: [{ port: 1 }], open: { any: { thing: 1 } }, maybe: null, size: '5', extra: 1 };
  const made = await api.send('POST', things, { body: thing('filled', given) });
  assert.equal(made.body['spec'], {
    name: 'a',
    ports: [{ port: 1, protocol: 'TCP' }],
    open: { any: { thing: 1 } },
    maybe: null,
    size: '5',
    mode: 'on',
  });
  assert.is(made.warning, '299 - "unknown field \\"spec.extra\\""');
  const strict = await api.send('POST', `${things}?fieldValidation=Strict`, { body: thing('strict', given) });
  assert.is(strict.code, 400);
  assert.match(textAt(strict.body, 'message'), /strict decoding error: unknown field "spec\.extra"$/);
  const quiet = await api.send('POST', `${things}?fieldValidation=Ignore`, { body: thing('quiet', given) });
  assert.equal([quiet.code, quiet.warning], [201, '']);
});

spec('a transition rule applies from the second version of an object', async ({ api }) => {
  await api.send('POST', things, { body: thing('fixed', { name: 'a' }) });
  const patch = (body: Json) => api.send('PATCH', `${things}/fixed`, { body, type: merge });
  assert.is((await patch({ spec: { mode: 'off' } })).code, 200);
  const refused = await patch({ spec: { name: 'b' } });
  assert.equal(
    textAt(refused.body, 'message'),
    'Thing.example.org "fixed" is invalid: spec: Invalid value: name is immutable',
  );
});

spec('the scale subresource reads and writes the fields it names', async ({ api }) => {
  await api.send('POST', things, { body: thing('scaled', { name: 'a', low: 2 }) });
  const path = `${things}/scaled/scale`;
  assert.equal(at((await api.send('GET', path)).body, 'spec'), { replicas: 2 });
  const patched = await api.send('PATCH', path, { body: { spec: { replicas: 4 } }, type: merge });
  assert.is(at(patched.body, 'spec', 'replicas'), 4);
  assert.is(at((await api.send('GET', `${things}/scaled`)).body, 'spec', 'low'), 4);
});

spec('objects of Core kinds are accepted, and their rules are enforced', async ({ api }) => {
  assert.is((await api.send('POST', `${core}/corebuilds`, { body: build('ours') })).code, 201);
  const { body } = await api.send('POST', `${core}/corebuilds`, {
    body: { ...build('bad'), spec: { project: 'p', environment: 'e' } },
  });
  // With a field missing a real API server asks no rule, and says so.
  const unruled =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  assert.is(
    textAt(body, 'message'),
    `CoreBuild.core.platform "bad" is invalid: [spec.app: Required value, ${unruled}]`,
  );
  const ours = `${core}/corebuilds/ours`;
  const moved = await api.send('PATCH', ours, { body: { spec: { environment: 'another' } }, type: merge });
  assert.is(
    textAt(moved.body, 'message'),
    'CoreBuild.core.platform "ours" is invalid: spec: Invalid value: the spec of a build is changed only through its service, which then makes a new build',
  );
});

spec('CON-044 the limit of a console session is immutable, and one out of range becomes 300', async ({ api }) => {
  const sessions = `${core}/coreconsolesessions`;
  const made = (name: string, timeoutSeconds?: number) => ({
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreConsoleSession',
    metadata: { name },
    spec: {
      app: 'web',
      project: 'shop',
      environment: 'production',
      pod: 'web-1',
      container: 'app',
      command: ['sh'],
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    },
  });
  const change = async (name: string, patch: object) =>
    (await api.send('PATCH', `${sessions}/${name}`, { body: patch, type: merge })).code;
  await api.send('POST', sessions, { body: made('usual') });
  for (const seconds of [901, 0, -1]) {
    await api.send('POST', sessions, { body: made(`odd${seconds}`, seconds) });
    assert.is(await change(`odd${seconds}`, { spec: { timeoutSeconds: 900 } }), 422, String(seconds));
    assert.is(await change(`odd${seconds}`, { spec: { timeoutSeconds: 300 } }), 200, String(seconds));
    assert.is(await change(`odd${seconds}`, { spec: { timeoutSeconds: 299 } }), 422, String(seconds));
  }
  for (const spec of [
    { timeoutSeconds: 900 },
    { timeoutSeconds: 1 },
    { pod: 'web-2' },
    { actor: 'nobody' },
    { command: null },
  ])
    assert.is(await change('usual', { spec }), 422, JSON.stringify(spec));
  assert.is(await change('usual', { metadata: { labels: { kept: 'true' } } }), 200);
});

spec.run();
