import { createPublicKey, verify } from 'node:crypto';
import { request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { type Json, at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Reply, type Started, configMap, inSystem, started } from './started.ts';

const spec = suite<{ api: Started }>('paths beside the resources');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'message')}`;
const refusal = '405 the server does not allow this method on the requested resource';

spec('a read-only resource refuses other methods', async ({ api }) => {
  for (const path of ['/apis/apps/v1', '/api/v1', '/api', '/version', '/openid/v1/jwks', '/'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.is(told(await api.send(method, path, { body: {} })), refusal, `${method} ${path}`);
  for (const path of ['/version', '/apis/apps/v1']) assert.is((await fetched(api, path, { method: 'HEAD' })).code, 405);
  // An aggregator answers these, which looks at no method.
  for (const path of ['/apis', '/apis/apps']) assert.is((await api.send('POST', path, { body: {} })).code, 200);
  for (const method of ['PUT', 'PATCH'])
    assert.is(told(await api.send(method, `${inSystem}/configmaps`, { body: {} })), refusal);
});

spec('the root path lists paths that exist', async ({ api }) => {
  const { body } = await api.send('GET', '/');
  const paths = listAt(body, 'paths');
  for (const path of ['/apis/apps/v1', '/healthz/ping', '/openapi/v3', '/version', '/livez'])
    assert.ok(paths.includes(path), path);
  assert.not.ok(paths.includes('/readyz/loopback-serving-certificate'));
  for (const path of paths.filter((one) => !String(one).startsWith('/readyz/')))
    assert.is((await api.send('GET', String(path))).code, 200, String(path));
});

spec('a token of a service account can be checked with the published keys alone', async ({ api }) => {
  const discovered = await api.send('GET', '/.well-known/openid-configuration');
  assert.is(discovered.headers['cache-control'], 'public, max-age=3600');
  assert.is(textAt(discovered.body, 'jwks_uri'), `${api.url}/openid/v1/jwks`);
  const keys = await api.send('GET', '/openid/v1/jwks');
  assert.is(keys.type, 'application/jwk-set+json');
  await api.send('POST', `${inSystem}/serviceaccounts`, { body: { metadata: { name: 'reader' } } });
  const made = await api.send('POST', `${inSystem}/serviceaccounts/reader/token`, { body: {} });
  const [head = '', claims = '', signature = ''] = textAt(made.body, 'status', 'token').split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
  const jwk = listAt(keys.body, 'keys').find((one) => textAt(one, 'kid') === textAt(read(head), 'kid'));
  const key = createPublicKey({ key: { kty: 'RSA', n: textAt(jwk, 'n'), e: textAt(jwk, 'e') }, format: 'jwk' });
  assert.ok(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')));
  assert.is(textAt(read(claims), 'iss'), textAt(discovered.body, 'issuer'));
});

spec('metrics are served in the text format of Prometheus', async ({ api }) => {
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('counted') });
  const { text } = await api.send('GET', '/metrics');
  assert.match(text, /^apiserver_resource_objects\{group="",resource="configmaps"\} [1-9]/m);
  assert.match(text, /^# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total \d/m);
});

/** The bytes of an answer and what they are encoded in. */
const fetched = (api: Started, path: string, { method = 'GET', accepted = '' }) =>
  new Promise<{ code: number; encoding: unknown; bytes: Buffer }>((done, failed) => {
    const headers = { Authorization: `Bearer ${api.token}`, 'Accept-Encoding': accepted };
    const asked = request(new URL(path, api.url), { method, ca: api.caPem, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: code = 0, headers: told } = response;
        done({ code, encoding: told['content-encoding'], bytes: Buffer.concat(chunks) });
      });
    });
    asked.on('error', failed).end();
  });

spec('a long response is compressed when the client accepts gzip', async ({ api }) => {
  const path = `${inSystem}/configmaps/long`;
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('long', { v: 'x'.repeat(200_000) }) });
  const plain = await fetched(api, path, { accepted: 'deflate, br' });
  assert.is((await fetched(api, path, { accepted: 'gzip;q=0, br' })).encoding, undefined, 'refused by its weight');
  const zipped = await fetched(api, path, { accepted: 'deflate, gzip;q=0.5' });
  assert.equal([plain.encoding, zipped.encoding], [undefined, 'gzip']);
  assert.ok(zipped.bytes.length < 10_000);
  assert.is(gunzipSync(zipped.bytes).toString(), plain.bytes.toString());
  assert.is((await fetched(api, `${inSystem}/configmaps/counted`, { accepted: 'gzip' })).encoding, undefined);
});

spec('some kinds are created by PUT when the object does not exist', async ({ api }) => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/core-system/leases';
  const put = (path: string, body: Json) => api.send('PUT', path, { body });
  const made = await put(`${leases}/made`, { metadata: { name: 'made' }, spec: {} });
  assert.equal([made.code, textAt(made.body, 'metadata', 'name')], [201, 'made']);
  // It is there now, and an update of a Lease says which version it is over.
  assert.match(told(await put(`${leases}/made`, { metadata: { name: 'made' } })), /^422 .*must be specified for an up/);
  assert.is((await put(`${leases}/made`, made.body)).code, 200);
  const stray = told(await put(`${leases}/stray`, { metadata: { name: 'stray', uid: 'abc' } }));
  assert.match(stray, /^409 .*Key: \/registry\/leases\/core-system\/stray, .*UID in object meta: $/);
  const elsewhere = leases.replace('core-system', 'nowhere');
  assert.is(told(await put(`${elsewhere}/x`, { metadata: { name: 'x' } })), '404 namespaces "nowhere" not found');
  const service = await put(`${inSystem}/services/s`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  assert.equal([service.code, typeof at(service.body, 'spec', 'clusterIP')], [201, 'string']);
  assert.is(told(await put(`${inSystem}/configmaps/none`, configMap('none'))), '404 configmaps "none" not found');
});

spec('a user who may only update cannot create by PUT', async ({ api }) => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/core-system';
  const rules = [{ apiGroups: [''], resources: ['limitranges'], verbs: ['update'] }];
  await api.send('POST', `${rbac}/roles`, { body: { metadata: { name: 'updater' }, rules } });
  const subjects = [{ kind: 'User', name: 'updater', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'updater' };
  await api.send('POST', `${rbac}/rolebindings`, { body: { metadata: { name: 'updater' }, roleRef, subjects } });
  const body = { metadata: { name: 'r' }, spec: { limits: [] } };
  const headers = { 'Impersonate-User': 'updater' };
  const path = `${inSystem}/limitranges/r`;
  assert.match(told(await api.send('PUT', path, { body, headers })), /^403 .* cannot create resource "limitranges"/);
  assert.is((await api.send('PUT', path, { body })).code, 201);
  assert.is((await api.send('PUT', path, { body, headers })).code, 200);
});

spec('an immutable field is named once in the message and twice in the causes', async ({ api }) => {
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('born') });
  const body = { metadata: { uid: 'abc', finalizers: ['x/y'], deletionTimestamp: '2020-01-01T00:00:00Z' } };
  const type = 'application/merge-patch+json';
  const reply = await api.send('PATCH', `${inSystem}/configmaps/born`, { body, type });
  assert.is(
    told(reply),
    '422 ConfigMap "born" is invalid: [metadata.uid: Invalid value: "abc": field is immutable, metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable]',
  );
  assert.is(listAt(reply.body, 'details', 'causes').length, 4);
});

spec.run();
