import { KubeConfig, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import * as assert from 'uvu/assert';
import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Reply, type Started, build, configMap, core, inSystem, install, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('server-side apply');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/core-system/deployments';
const applyType = 'application/apply-patch+yaml';
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'reason')}: ${textAt(body, 'message')}`;
const apply = (api: Started, path: string, body: unknown, query: string) =>
  api.send('PATCH', `${path}?${query}`, { type: applyType, body });

interface Managed {
  readonly who: string;
  readonly fields: unknown;
}

/** Who manages what of an object: name, operation, subresource. */
const managed = (object: Json): readonly Managed[] =>
  listAt(object, 'metadata', 'managedFields')
    .filter(isJson)
    .map((entry) => ({
      who: ['manager', 'operation', 'subresource']
        .map((part) => textAt(entry, part))
        .join(' ')
        .trim(),
      fields: entry['fieldsV1'],
    }));
const managers = (object: Json) => managed(object).map(({ who }) => who);

const deployment = (name: string, replicas: number | null, image = 'web:1'): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'core-system' },
  spec: {
    ...(replicas !== null && { replicas }),
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'a', image, ports: [{ containerPort: 80 }] }] },
    },
  },
});

spec('every creator or editor of an object is recorded as manager of the fields it set', async ({ api }) => {
  const { body: made } = await api.send('POST', `${maps}?fieldManager=maker`, {
    body: configMap('recorded', { a: '1', b: '1' }, { labels: { x: 'y' } }),
  });
  assert.equal(managed(made), [
    {
      who: 'maker Update',
      fields: {
        'f:data': { '.': {}, 'f:a': {}, 'f:b': {} },
        'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
      },
    },
  ]);
  const { body: changed } = await api.send('PATCH', `${maps}/recorded?fieldManager=other`, {
    type: merge,
    body: { data: { a: '2', b: null, c: '1' } },
  });
  assert.equal(managed(changed), [
    { who: 'maker Update', fields: { 'f:data': {}, 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } } },
    { who: 'other Update', fields: { 'f:data': { 'f:a': {}, 'f:c': {} } } },
  ]);
  const same = await api.send('PUT', `${maps}/recorded?fieldManager=third`, { body: changed });
  assert.equal(same.body, changed, 'a write that changes nothing is recorded by nobody');
});

spec('managedFields of a request are stored unchanged, refused when invalid and cleared by [{}]', async ({ api }) => {
  await api.send('POST', `${maps}?fieldManager=maker`, { body: configMap('said', { a: '1' }) });
  const patch = async (managedFields: unknown) =>
    (await api.send('PATCH', `${maps}/said?fieldManager=x`, { type: merge, body: { metadata: { managedFields } } }))
      .body;
  const entry = { manager: 'me', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
  const mine = [{ ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } }];
  assert.equal(managers(await patch(mine)), ['me Update']);
  assert.equal(managers(await patch([{ ...entry, operation: 'Nothing' }])), ['me Update']);
  assert.equal(managers(await patch(null)), ['me Update']);
  assert.equal(managers(await patch([{ ...mine[0], apiVersion: 'v0' }])), []);
  const { body } = await api.send('PATCH', `${maps}/said`, { type: merge, body: { data: { b: '1' } } });
  assert.equal(managers(body), [], 'and none comes back by an update');
  await apply(api, `${maps}/said`, configMap('said', { c: '1' }), 'fieldManager=me');
  assert.equal(managers((await api.send('GET', `${maps}/said`)).body), ['me Apply', 'before-first-apply Update']);
  assert.equal(managers(await patch([{}])), []);
});

spec('an apply that changes fields of other managers is refused with each of these fields', async ({ api }) => {
  await api.send('POST', `${deployments}?fieldManager=kubectl-client-side-apply`, { body: deployment('web', 2) });
  const refused = await apply(api, `${deployments}/web`, deployment('web', 3), 'fieldManager=ci');
  assert.is(
    told(refused),
    '409 Conflict: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
  );
  assert.equal(at(refused.body, 'details', 'causes'), [
    {
      reason: 'FieldManagerConflict',
      message: 'conflict with "kubectl-client-side-apply" using apps/v1',
      field: '.spec.replicas',
    },
  ]);
  await api.send('PATCH', `${deployments}/web/scale?fieldManager=scaler`, {
    type: merge,
    body: { spec: { replicas: 4 } },
  });
  const many = await apply(api, `${deployments}/web`, deployment('web', 3, 'web:2'), 'fieldManager=ci');
  assert.is(
    told(many),
    '409 Conflict: Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:\n' +
      '- .spec.template.spec.containers[name="a"].image\n' +
      'conflicts with "scaler" with subresource "scale" using apps/v1:\n' +
      '- .spec.replicas',
  );
  const forced = await apply(api, `${deployments}/web`, deployment('web', 3, 'web:2'), 'fieldManager=ci&force=true');
  assert.is(forced.code, 200);
  assert.equal(managers(forced.body), ['ci Apply', 'kubectl-client-side-apply Update']);
  const again = await apply(api, `${deployments}/web`, deployment('web', 3, 'web:2'), 'fieldManager=ci');
  assert.equal(again.body, forced.body, 'the same again changes nothing');
});

spec('a server-side apply by kubectl takes over fields of its client-side applies', async ({ api }) => {
  const last = JSON.stringify(deployment('taken', 2));
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last };
  const made = deployment('taken', 2);
  await api.send('POST', `${deployments}?fieldManager=kubectl-client-side-apply`, {
    body: { ...made, metadata: { ...jsonAt(made, 'metadata'), annotations } },
  });
  const other = await apply(api, `${deployments}/taken`, deployment('taken', 3), 'fieldManager=ci');
  assert.is(other.code, 409);
  const own = await apply(api, `${deployments}/taken`, deployment('taken', 3), 'fieldManager=kubectl');
  assert.is(own.code, 200, told(own));
  const kept = textAt(own.body, 'metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration');
  assert.is(at(JSON.parse(kept), 'spec', 'replicas'), 3, 'its record follows');
});

spec('a key may have a name of Object.prototype', async ({ api }) => {
  const data = JSON.parse('{"__proto__":"1","constructor":"2"}') as Readonly<Record<string, string>>;
  const path = `${maps}/strange`;
  await apply(api, path, configMap('strange', { a: '1' }), 'fieldManager=one');
  const { code, body } = await apply(api, path, configMap('strange', data), 'fieldManager=two');
  assert.is(code, 200, told({ code, body } as Reply));
  const entries = Object.entries(jsonAt(body, 'data')).toSorted(([one], [other]) => (one < other ? -1 : 1));
  assert.equal(entries, [
    ['__proto__', '1'],
    ['a', '1'],
    ['constructor', '2'],
  ]);
});

spec('an apply of the status and one of the object change separate fields', async ({ api }) => {
  const builds = `${core}/corebuilds`;
  const given: Json = { ...build('apart'), status: { phase: 'Running' } };
  const first = await apply(api, `${builds}/apart`, given, 'fieldManager=one');
  assert.is(first.code, 201, told(first));
  assert.is(at(first.body, 'status', 'phase'), undefined);
  const second = await apply(api, `${builds}/apart/status`, given, 'fieldManager=two');
  const { body } = second;
  assert.is(second.code, 200, told(second));
  assert.is(at(body, 'status', 'phase'), 'Running');
  const fields = Object.fromEntries(managed(body).map(({ who, fields: set }) => [who, set]));
  assert.equal(fields['two Apply status'], { 'f:status': { 'f:phase': {} } });
  assert.is(at(fields['one Apply'], 'f:status'), undefined);
  const empty = { apiVersion: given['apiVersion'], kind: given['kind'], metadata: { name: 'apart' } };
  const gone = await apply(api, `${builds}/apart/status`, empty, 'fieldManager=two');
  assert.is(at(gone.body, 'status', 'phase'), undefined);
  assert.equal(managers(gone.body), ['one Apply']);
});

spec('a scale is applied like its object', async ({ api }) => {
  await apply(api, `${deployments}/scaled`, deployment('scaled', 2), 'fieldManager=owner');
  const scale = (replicas: number): Json => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'scaled', namespace: 'core-system' },
    spec: { replicas },
  });
  const path = `${deployments}/scaled/scale`;
  assert.is(
    told(await apply(api, path, scale(5), 'fieldManager=auto')),
    '409 Conflict: Apply failed with 1 conflict: conflict with "owner": .spec.replicas',
  );
  const forced = await apply(api, path, scale(5), 'fieldManager=auto&force=true');
  assert.equal([forced.body['kind'], at(forced.body, 'spec', 'replicas')], ['Scale', 5]);
  const { body } = await api.send('GET', `${deployments}/scaled`);
  assert.is(at(body, 'spec', 'replicas'), 5);
  const fields = Object.fromEntries(managed(body).map(({ who, fields: set }) => [who, set]));
  assert.equal(fields['auto Apply scale'], { 'f:spec': { 'f:replicas': {} } });
  assert.is(at(fields['owner Apply'], 'f:spec', 'f:replicas'), undefined);
  const table = await api.send('GET', path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  assert.equal(
    listAt(table.body, 'columnDefinitions').map((column) => textAt(column, 'name')),
    ['Name', 'Desired', 'Available', 'Age'],
  );
});

spec('a malformed apply is refused', async ({ api }) => {
  const path = `${maps}/refused`;
  const body = configMap('refused', { a: '1' });
  assert.is(
    told(await apply(api, path, body, '')),
    '422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  );
  assert.is(
    told(await apply(api, path, { ...body, kind: 'Secret' }, 'fieldManager=me')),
    '400 BadRequest: invalid object type: /v1, Kind=Secret',
  );
  assert.is(
    told(await apply(api, path, configMap('refused', {}, { managedFields: [] }), 'fieldManager=me')),
    '400 BadRequest: metadata.managedFields must be nil',
  );
  assert.is(
    told(await apply(api, path, configMap('refused', {}, { uid: 'u' }), 'fieldManager=me')),
    '409 Conflict: Operation cannot be fulfilled on configmaps "refused": uid mismatch: the provided object specified uid u, and no existing object was found',
  );
  assert.is(
    told(await apply(api, `${deployments}/x`, { ...deployment('x', 1), extra: 1 }, 'fieldManager=me')),
    '500 : failed to create typed patch object (core-system/x; apps/v1, Kind=Deployment): .extra: field not declared in schema',
  );
  const twice = { finalizers: ['a.b/c', 'a.b/c'] };
  assert.is(
    told(await apply(api, path, configMap('refused', {}, twice), 'fieldManager=me')),
    '500 : failed to create typed patch object (/refused; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="a.b/c"]',
  );
  assert.is((await api.send('GET', path)).code, 404);
  await apply(api, path, body, 'fieldManager=me');
  assert.match(
    told(await apply(api, path, configMap('refused', { a: '2' }, { resourceVersion: '1' }), 'fieldManager=me')),
    /^409 Conflict: Operation cannot be fulfilled on configmaps "refused": the object has been modified; please/,
  );
  assert.match(
    told(await apply(api, path, configMap('refused', {}, { uid: 'other' }), 'fieldManager=me')),
    /metadata\.uid/,
  );
  assert.match(
    told(await api.send('PATCH', `${path}?force=true`, { type: merge, body: {} })),
    /force: Forbidden: may not be specified for non-apply patch/,
  );
  const dry = await apply(api, path, configMap('refused', { a: '9' }), 'fieldManager=me&dryRun=All');
  assert.is(at(dry.body, 'data', 'a'), '9');
  assert.is(at((await api.send('GET', path)).body, 'data', 'a'), '1');
});

spec('the apply of client-node creates an object and shares its fields', async ({ api }) => {
  const config = new KubeConfig();
  config.loadFromFile(api.kubeconfigPath);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'client', namespace: 'core-system' },
    data: { a: '1' },
  };
  await objects.patch(object, undefined, undefined, 'node', false, PatchStrategy.ServerSideApply);
  const { body } = await api.send('GET', `${maps}/client`);
  assert.equal([managers(body), body['data']], [['node Apply'], { a: '1' }]);
  const refused = await objects
    .patch({ ...object, data: { a: '2' } }, undefined, undefined, 'other', false, PatchStrategy.ServerSideApply)
    .then(
      () => 'taken',
      (why: unknown) => String(why),
    );
  assert.match(refused, /Apply failed with 1 conflict: conflict with \\*"node\\*": \.data\.a/);
});

spec.run();
