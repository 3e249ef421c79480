import * as assert from 'uvu/assert';
import { type Json, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Reply, type Started, configMap, inSystem, started } from './started.ts';

const spec = suite<{ api: Started }>('requests');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const create = (api: Started, name: string, data: Json = {}, labels: Json = {}) =>
  api.send('POST', maps, { body: configMap(name, data, { labels }) });
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'message')}`;

spec('a request for all namespaces can only read', async ({ api }) => {
  await create(api, 'kept');
  const refusal = '405 the server does not allow this method on the requested resource';
  assert.is(told(await api.send('DELETE', '/api/v1/configmaps')), refusal);
  assert.is(told(await api.send('POST', '/api/v1/configmaps', { body: configMap('x') })), refusal);
  assert.is((await api.send('GET', `${maps}/kept`)).code, 200);
  assert.is((await api.send('GET', '/api/v1/configmaps')).code, 200);
});

spec('watch=true on one object is a read, and the old watch path selects one object', async ({ api }) => {
  await create(api, 'one');
  await create(api, 'two');
  const got = await api.send('GET', `${maps}/one?watch=true&timeoutSeconds=1`);
  assert.equal([got.body['kind'], textAt(got.body, 'metadata', 'name')], ['ConfigMap', 'one']);
  const watch = await api.watch('/api/v1/watch/namespaces/core-system/configmaps/two');
  const [event] = await watch.next(1);
  assert.is(textAt(event, 'object', 'metadata', 'name'), 'two');
  watch.stop();
  const inCluster = await api.watch('/api/v1/watch/namespaces/core-system');
  const [namespace] = await inCluster.next(1);
  assert.equal(
    [textAt(namespace, 'object', 'kind'), textAt(namespace, 'object', 'metadata', 'name')],
    ['Namespace', 'core-system'],
  );
  inCluster.stop();
});

spec('a collection deletion stops at its limit, and contradictory options are refused', async ({ api }) => {
  for (const name of ['a', 'b', 'c']) await create(api, `many-${name}`, {}, { many: 'yes' });
  const many = `${maps}?labelSelector=many%3Dyes`;
  const count = async () => listAt((await api.send('GET', many)).body, 'items').length;
  const refused = await api.send('DELETE', `${many}&resourceVersionMatch=Exact`);
  assert.is(refused.code, 422);
  assert.match(told(refused), /resourceVersionMatch is forbidden unless resourceVersion is provided/);
  assert.is(await count(), 3);
  const some = await api.send('DELETE', `${many}&limit=2`);
  assert.is(listAt(some.body, 'items').length, 2);
  assert.is(await count(), 1);
});

spec('a deletion of many objects that fails is reported', async ({ api }) => {
  // One more finalizer is too much for it.
  const room = 1.5 * 1024 * 1024 - 2_000;
  const text = String.fromCharCode(1).repeat(Math.floor(room / 6));
  assert.is((await create(api, 'large', { text }, { large: 'yes' })).code, 201);
  const large = (await api.send('GET', `${maps}/large`)).body;
  const pad = 'x'.repeat(1.5 * 1024 * 1024 - JSON.stringify(large).length - 20);
  const data = { data: { text: text + pad } };
  const type = 'application/merge-patch+json';
  assert.is((await api.send('PATCH', `${maps}/large`, { body: data, type })).code, 200);
  const body = { propagationPolicy: 'Foreground' };
  const failed = await api.send('DELETE', `${maps}?labelSelector=large%3Dyes`, { body });
  assert.match(told(failed), /^413 /);
  assert.is((await api.send('DELETE', `${maps}?labelSelector=large%3Dyes`)).code, 200);
  assert.is((await api.send('GET', `${maps}/large`)).code, 404);
});

spec('a client that should retry gets Retry-After', async ({ api }) => {
  const early = await api.send('GET', `${maps}?resourceVersion=999999`);
  assert.equal([early.code, early.headers['retry-after']], [504, '1']);
  assert.is((await api.send('GET', `${maps}/absent`)).headers['retry-after'], undefined);
});

spec('a response is indented for pretty=true and for curl', async ({ api }) => {
  const path = '/api/v1/namespaces/core-system';
  const { text, body } = await api.send('GET', path);
  assert.not.match(text, /\n/);
  const whole = JSON.stringify(body, null, 2);
  assert.is((await api.send('GET', `${path}?pretty=true`)).text, whole);
  const headers = { 'User-Agent': 'curl/8.0' };
  assert.is((await api.send('GET', path, { headers })).text, whole);
  assert.is((await api.send('GET', `${path}?pretty=0`, { headers })).text, text);
  assert.is((await api.send('GET', '/nope-this?pretty=1')).text, '404 page not found\n');
  assert.match((await api.send('GET', '/version')).text, /^\{\n {2}"major": "1",\n/);
});

spec('an unchanged discovery or OpenAPI document is answered with 304', async ({ api }) => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  for (const [path, asked] of [
    ['/openapi/v3', {}],
    ['/openapi/v3/apis/apps/v1', {}],
    ['/openapi/v2', {}],
    ['/apis', { accept }],
  ] as const) {
    const first = await api.send('GET', path, asked);
    const { etag = '' } = first.headers;
    assert.match(etag, /^"[0-9A-F]+"$/, path);
    const again = await api.send('GET', path, { ...asked, headers: { 'If-None-Match': etag } });
    assert.equal([again.code, again.text, again.headers.etag], [304, '', etag], path);
    const other = await api.send('GET', path, { ...asked, headers: { 'If-None-Match': '"other"' } });
    assert.equal([other.code, other.text === first.text], [200, true], path);
  }
});

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';
const unread = (why: string) => `400 the object provided is unrecognized (must be of type ConfigMap): ${why}`;
const badBodies: readonly (readonly [string, string])[] = [
  ['{"a"}', unread(`couldn't get version/kind; json parse error: invalid character '}' after object key ({"a"})`)],
  ['{"a":1', unread(`couldn't get version/kind; json parse error: unexpected end of JSON input ({"a":1)`)],
  ['', unread(`couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`)],
  [
    '[]',
    unread(
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${typeMeta} (5b5d)`,
    ),
  ],
  [
    '{"kind":"Deployment","apiVersion":"apps/v1"}',
    '400 Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
  ],
  [
    '{"kind":"Nothing","apiVersion":"shop/v3"}',
    `400 Nothing in version "v3" cannot be handled as a ConfigMap: no kind "Nothing" is registered for version "shop/v3" ${scheme}`,
  ],
  [
    '{"kind":"ConfigMap","apiVersion":"v2"}',
    `400 ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" ${scheme}`,
  ],
];

spec('a malformed body or one of another kind is refused in the words of the API', async ({ api }) => {
  for (const [body, refusal] of badBodies) assert.is(told(await api.send('POST', maps, { body })), refusal, body);
});

spec('an eviction names its pod, honours preconditions and ignores budgets without a selector', async ({ api }) => {
  const pods = `${inSystem}/pods`;
  const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const made = await api.send('POST', pods, { body });
  assert.is(made.code, 201, told(made));
  const type = 'application/merge-patch+json';
  await api.send('PATCH', `${pods}/p/status`, { body: { status: { phase: 'Running' } }, type });
  const budget = { metadata: { name: 'nobody' }, spec: { maxUnavailable: 0 } };
  await api.send('POST', '/apis/policy/v1/namespaces/core-system/poddisruptionbudgets', { body: budget });
  const evict = (eviction: Json) => api.send('POST', `${pods}/p/eviction`, { body: eviction });
  assert.is(told(await evict({})), '400 name in URL does not match name in Eviction object');
  const metadata = { name: 'p' };
  const { resourceVersion } = made.body['metadata'] as Json;
  const stale = await evict({ metadata, deleteOptions: { preconditions: { resourceVersion } } });
  assert.match(told(stale), /^409 .*the ResourceVersion in the precondition/);
  assert.is((await evict({ metadata })).code, 201);
});

spec.run();
