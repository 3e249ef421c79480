import * as assert from 'uvu/assert';
import { type Json, at, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { byPreference } from '../../../runtime/embedded/api/kinds/versionOrder.ts';
import { suite } from '../../support/suite.ts';
import { type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('conversion');
spec.before(async (context) => {
  context.api = await started();
  await context.api.send('POST', definitions, { body: definition(named, { strategy: 'None' }) });
  await context.api.send('POST', definitions, { body: definition(called, webhook) });
});
spec.after(({ api }) => api.end());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const named = 'named.example';
const called = 'called.example';
const webhook = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    clientConfig: { service: { name: 'converter', namespace: 'default', path: '/convert' } },
  },
};

/** `v1` is stored; each version has a field of its own. */
const definition = (group: string, conversion: Json, stored = 'v1'): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `cups.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'cups', kind: 'Cup' },
    conversion,
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === stored,
      subresources: { scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r' } },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { r: { type: 'integer' }, [`of${name}`]: { type: 'string' } } },
          },
        },
      },
    })),
  },
});

const cup = (group: string, version: string, name: string, of: Json = {}): Json => ({
  apiVersion: `${group}/${version}`,
  kind: 'Cup',
  metadata: { name },
  spec: of,
});
const cups = (group: string, version: string) => `/apis/${group}/${version}/cups`;
const shown = (body: Json) => [textAt(body, 'apiVersion'), at(body, 'spec')];

spec('versions without a converter each show only the fields they declare', async ({ api }) => {
  const path = (version: string) => `${cups(named, version)}/a`;
  const seen = async () =>
    Promise.all(['v1', 'v2'].map(async (version) => shown((await api.send('GET', path(version))).body)));
  const body = cup(named, 'v2', 'a', { r: 1, ofv2: 'x' });
  assert.is((await api.send('POST', cups(named, 'v2'), { body })).code, 201);
  assert.equal(await seen(), [
    ['named.example/v1', { r: 1 }],
    ['named.example/v2', { r: 1 }],
  ]);
  const { body: now } = await api.send('GET', path('v2'));
  const replaced = await api.send('PUT', path('v2'), { body: { ...now, spec: { r: 2 } } });
  assert.equal([replaced.code, ...shown(replaced.body)], [200, 'named.example/v2', { r: 2 }]);
  const patch = { body: { spec: { ofv1: 'y' } }, type: 'application/merge-patch+json' };
  assert.is((await api.send('PATCH', path('v1'), patch)).code, 200);
  assert.equal(await seen(), [
    ['named.example/v1', { r: 2, ofv1: 'y' }],
    ['named.example/v2', { r: 2 }],
  ]);
  await api.send('PATCH', path('v2'), { ...patch, body: { spec: { r: 3 } } });
  assert.equal(await seen(), [
    ['named.example/v1', { r: 3 }],
    ['named.example/v2', { r: 3 }],
  ]);
});

const refusal = (version: string, status = 500) => [
  status,
  `conversion webhook for called.example/${version}, Kind=Cup failed: Post "https://converter.default.svc:443/convert?timeout=30s": webhooks are not called`,
];

spec('a request that needs a conversion webhook is refused', async ({ api }) => {
  const told = async (method: string, path: string, body?: Json, type?: string) => {
    const answer = await api.send(method, path, { ...(body && { body }), ...(type !== undefined && { type }) });
    return [answer.code, textAt(answer.body, 'message')];
  };
  const [v1, v2] = [cups(called, 'v1'), cups(called, 'v2')];
  assert.is((await api.send('GET', v2)).code, 200, 'there is nothing to convert');
  assert.equal(await told('POST', v2, cup(called, 'v2', 'a')), refusal('v2'));
  assert.equal(await told('POST', `${v2}?dryRun=All`, cup(called, 'v2', 'a')), refusal('v2'));
  assert.is((await api.send('POST', v1, { body: cup(called, 'v1', 'a', { r: 1 }) })).code, 201);
  assert.equal(await told('GET', `${v2}/a`), refusal('v1'));
  assert.equal(await told('GET', v2), refusal('v1'));
  assert.equal(await told('GET', `${v2}/a/scale`), refusal('v1'));
  assert.equal(await told('PUT', `${v2}/a`, cup(called, 'v2', 'a')), refusal('v1'));
  const merge = 'application/merge-patch+json';
  assert.equal(await told('PATCH', `${v2}/a`, { spec: { r: 2 } }, merge), refusal('v1'));
  const apply = 'application/apply-patch+yaml';
  assert.equal(await told('PATCH', `${v2}/a?fieldManager=x`, cup(called, 'v2', 'a'), apply), refusal('v1'));
  assert.equal(await told('DELETE', `${v2}/a`), refusal('v1'));
  assert.equal(await told('DELETE', v2), refusal('v1'));
  for (const as of ['Table', 'PartialObjectMetadataList']) {
    const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
    assert.is((await api.send('GET', v2, { accept })).code, 500, as);
  }
  assert.equal(await told('GET', `${v2}/none`), [404, 'cups.called.example "none" not found']);
});

spec('the stored version is served without the conversion webhook', async ({ api }) => {
  const v1 = cups(called, 'v1');
  const patch = { body: { spec: { r: 5 } }, type: 'application/merge-patch+json' };
  const { code, body } = await api.send('PATCH', `${v1}/a`, patch);
  assert.equal([code, ...shown(body)], [200, 'called.example/v1', { r: 5 }]);
  assert.equal(
    listAt((await api.send('GET', v1)).body, 'items').map((one) => at(one, 'spec')),
    [{ r: 5 }],
  );
  assert.is((await api.send('GET', `${v1}/a/scale`)).code, 200);
});

spec('a watch in another version ends with the reason, and disturbs no other', async ({ api }) => {
  const [v1, v2] = [cups(called, 'v1'), cups(called, 'v2')];
  const { body } = await api.send('GET', v1);
  const from = textAt(body, 'metadata', 'resourceVersion');
  const good = await api.watch(`${v1}?watch=1&resourceVersion=${from}`);
  const bad = await api.watch(`${v2}?watch=1&resourceVersion=${from}`);
  assert.is((await api.send('POST', v1, { body: cup(called, 'v1', 'b') })).code, 201);
  const [event = {}] = await bad.next(1);
  assert.equal([event['type'], textAt(event, 'object', 'message')], ['ERROR', refusal('v1')[1]]);
  await bad.ended;
  assert.is((await api.send('POST', v1, { body: cup(called, 'v1', 'c') })).code, 201);
  assert.equal(
    (await good.next(2)).map((one) => textAt(one, 'object', 'metadata', 'name')),
    ['b', 'c'],
  );
  good.stop();
});

spec('an object keeps its stored version until the next write', async ({ api }) => {
  const { body: now } = await api.send('GET', `${definitions}/cups.${called}`);
  assert.is(at(now, 'spec', 'conversion', 'webhook', 'clientConfig', 'service', 'port'), 443);
  const next = { ...now, spec: jsonAt(definition(called, webhook, 'v2'), 'spec') };
  assert.is((await api.send('PUT', `${definitions}/cups.${called}`, { body: next })).code, 200);
  const [v1, v2] = [cups(called, 'v1'), cups(called, 'v2')];
  assert.is((await api.send('GET', `${v1}/a`)).code, 200);
  assert.is((await api.send('GET', `${v2}/a`)).code, 500);
  assert.is((await api.send('POST', v2, { body: cup(called, 'v2', 'd') })).code, 201);
  const patch = { body: { spec: { r: 6 } }, type: 'application/merge-patch+json' };
  assert.is((await api.send('PATCH', `${v1}/a`, patch)).code, 500);
});

spec('the most stable version is preferred', async ({ api }) => {
  const { body } = await api.send('GET', `/apis/${named}`);
  assert.equal(
    listAt(body, 'versions').map((one) => textAt(one, 'version')),
    ['v2', 'v1'],
  );
  const all = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  assert.equal(all.toReversed().toSorted(byPreference), all);
});

spec.run();
