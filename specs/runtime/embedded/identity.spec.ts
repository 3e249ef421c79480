import * as assert from 'uvu/assert';
import { at, type Json, jsonAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { build, configMap, core, inSystem, install, merge, type Reply, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('identity of objects');
spec.before.each(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after.each(({ api }) => api.end());

const builds = `${core}/corebuilds`;
const maps = `${inSystem}/configmaps`;
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'reason')}: ${textAt(body, 'message')}`;
const placed = (object: Json, metadata: Json): Json => ({
  ...object,
  metadata: { ...jsonAt(object, 'metadata'), ...metadata },
});

spec('an object is replaced only under its own name, namespace and uid', async ({ api }) => {
  const { body: made } = await api.send('POST', maps, { body: configMap('a') });
  const put = async (metadata: Json) => told(await api.send('PUT', `${maps}/a`, { body: placed(made, metadata) }));
  assert.is(
    await put({ name: 'b' }),
    '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
  );
  assert.match(await put({ name: '' }), /^400 BadRequest: the name of the object \(a based on URL\)/);
  assert.match(await put({ namespace: 'default' }), /^400 BadRequest: the namespace of the provided object/);
  assert.match(await put({ uid: 'other', resourceVersion: '1' }), /^409 Conflict: .*Precondition failed: UID in/);
  assert.match(await put({ resourceVersion: '1' }), /^409 Conflict: .*has been modified/);
  assert.is((await api.send('PUT', `${maps}/a`, { body: configMap('a', { k: 'v' }) })).code, 200);
});

spec(
  'an object of a Core kind is replaced only with a resourceVersion, and a patch uses the current one',
  async ({ api }) => {
    const { body: made } = await api.send('POST', builds, { body: build('a') });
    const refused =
      '422 Invalid: corebuilds.core.platform "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update';
    const put = async (resourceVersion: string) =>
      told(await api.send('PUT', `${builds}/a`, { body: placed(made, { resourceVersion }) }));
    assert.is(await put(''), refused);
    assert.is(await put('0'), refused);
    const body = { metadata: { resourceVersion: null } };
    assert.is(told(await api.send('PATCH', `${builds}/a`, { type: merge, body })), refused);
  },
);

spec('a patch or apply that changes the identity of an object is refused', async ({ api }) => {
  await api.send('POST', builds, { body: build('a') });
  const patch = async (type: string, body: unknown, query = '') =>
    told(await api.send('PATCH', `${builds}/a${query}`, { type, body }));
  const rename = /^400 BadRequest: the name of the object \(b\) does not match the name on the URL \(a\)$/;
  const json = 'application/json-patch+json';
  assert.match(await patch(json, [{ op: 'replace', path: '/metadata/name', value: 'b' }]), rename);
  assert.match(await patch('application/apply-patch+yaml', build('b'), '?fieldManager=me'), rename);
  assert.match(
    await patch(json, [{ op: 'replace', path: '/kind', value: 'CoreApp' }]),
    /^422 Invalid: CoreApp.core.platform "a" is invalid: kind: Invalid value: "CoreApp": must be CoreBuild$/,
  );
  const fresh = await api.send('PATCH', `${builds}/new?fieldManager=me`, {
    type: 'application/apply-patch+yaml',
    body: build('b'),
  });
  assert.match(told(fresh), /^400 BadRequest: the name of the object \(b\)/);
  const { body } = await api.send('GET', `${builds}/a`);
  assert.equal([body['kind'], at(body, 'metadata', 'name')], ['CoreBuild', 'a']);
});

spec('the scale of an object has the identity of the object', async ({ api }) => {
  await api.send('POST', '/apis/apps/v1/namespaces/core-system/deployments', {
    body: {
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  });
  const path = '/apis/apps/v1/namespaces/core-system/deployments/d/scale';
  const scale = async (body: Json) => told(await api.send('PATCH', path, { type: merge, body }));
  assert.match(await scale({ metadata: { name: 'e' }, spec: { replicas: 3 } }), /^400 BadRequest: the name/);
  assert.match(await scale({ metadata: { uid: 'other' } }), /^422 Invalid: .*metadata.uid: Invalid value: "other"/);
  assert.is((await api.send('PATCH', path, { type: merge, body: { spec: { replicas: 3 } } })).code, 200);
});

spec('a created object with a resourceVersion is answered 500, as by Kubernetes', async ({ api }) => {
  const create = async (body: Json, query = '') => told(await api.send('POST', `${maps}${query}`, { body }));
  const versioned = configMap('v', {}, { resourceVersion: '9' });
  assert.is(await create(versioned), '500 : resourceVersion should not be set on objects to be created');
  assert.match(await create(versioned, '?dryRun=All'), /^201/);
  assert.is((await api.send('GET', `${maps}/v`)).code, 404);
});

spec('a deletion event carries the last stored object with a new version', async ({ api }) => {
  const held = { finalizers: ['core.platform/held'] };
  const { body: plain } = await api.send('POST', builds, { body: build('plain') });
  const { body: made } = await api.send('POST', builds, { body: build('held', {}, held) });
  const watch = await api.watch(`${builds}?watch=true&resourceVersion=${textAt(made, 'metadata', 'resourceVersion')}`);
  await api.send('DELETE', `${builds}/plain`);
  await api.send('DELETE', `${builds}/held`);
  const freed = await api.send('PATCH', `${builds}/held`, { type: merge, body: { metadata: { finalizers: null } } });
  const [atOnce, marked, late] = (await watch.next(3)).map((event) => jsonAt(event, 'object'));
  assert.equal(atOnce, placed(plain, { resourceVersion: textAt(atOnce, 'metadata', 'resourceVersion') }));
  assert.is.not(textAt(atOnce, 'metadata', 'resourceVersion'), textAt(plain, 'metadata', 'resourceVersion'));
  assert.equal(late, placed(marked ?? {}, { resourceVersion: textAt(late, 'metadata', 'resourceVersion') }));
  assert.equal(at(late, 'metadata', 'finalizers'), held.finalizers);
  assert.is(textAt(freed.body, 'metadata', 'resourceVersion'), textAt(marked, 'metadata', 'resourceVersion'));
  assert.is(at(freed.body, 'metadata', 'finalizers'), undefined);
  watch.stop();
});

spec.run();
