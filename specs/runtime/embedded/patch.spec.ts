import * as assert from 'uvu/assert';
import { type Json, at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { jsonPatch } from '../../../runtime/embedded/api/patch/jsonPatch.ts';
import { mergePatch } from '../../../runtime/embedded/api/patch/merge.ts';
import { builtInSchema } from '../../../runtime/embedded/api/schema/builtIn.ts';
import { strategicMerge } from '../../../runtime/embedded/api/patch/strategic.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { suite } from '../../support/suite.ts';
import { type Started, build, core, inSystem, install, started } from './started.ts';

const spec = suite<{ api: Started }>('patch');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

spec('a merge patch merges objects, removes by null and replaces lists', () => {
  const patched = mergePatch({ a: { b: 1, c: 2 }, l: [1, 2] }, { a: { b: null, d: 3 }, l: [3] });
  assert.equal(patched, { a: { c: 2, d: 3 }, l: [3] });
});

spec('a JSON patch is applied completely or not at all', () => {
  const object = { a: { b: [1, 2] }, 'x/y': 1 };
  const apply = (...operations: readonly Json[]) => jsonPatch(object, operations);
  assert.equal(apply({ op: 'add', path: '/a/b/1', value: 9 }), { a: { b: [1, 9, 2] }, 'x/y': 1 });
  assert.equal(apply({ op: 'add', path: '/a/b/-', value: 9 }), { a: { b: [1, 2, 9] }, 'x/y': 1 });
  assert.equal(apply({ op: 'remove', path: '/x~1y' }, { op: 'replace', path: '/a/b/0', value: 5 }), {
    a: { b: [5, 2] },
  });
  assert.equal(apply({ op: 'move', from: '/a/b/0', path: '/c' }), { a: { b: [2] }, 'x/y': 1, c: 1 });
  assert.throws(() => apply({ op: 'test', path: '/x~1y', value: 2 }), /rejected/);
  assert.throws(() => apply({ op: 'remove', path: '/nope' }), /rejected/);
  assert.throws(() => apply({ op: 'replace', path: '/a/b/7', value: 1 }), /rejected/);
});

spec('a JSON patch mutates neither the original object nor its own values', () => {
  const object = { list: [{ a: 1 }], map: { b: 1 } };
  const value = { deep: [1] };
  const patched = jsonPatch(object, [
    { op: 'add', path: '/list/0/c', value },
    { op: 'add', path: '/list/0/c/deep/-', value: 2 },
    { op: 'copy', from: '/list/0', path: '/list/-' },
    { op: 'replace', path: '/list/1/a', value: 7 },
    { op: 'move', from: '/map/b', path: '/list/0/a' },
    { op: 'add', path: '/map/__proto__', value: 3 },
    { op: 'add', path: '/map/constructor', value: 4 },
  ]);
  assert.equal(object, { list: [{ a: 1 }], map: { b: 1 } });
  assert.equal(value, { deep: [1] });
  assert.is(
    JSON.stringify(patched),
    '{"list":[{"a":1,"c":{"deep":[1,2]}},{"a":7,"c":{"deep":[1,2]}}],"map":{"__proto__":3,"constructor":4}}',
  );
  for (const path of ['/map/constructor/x', '/map/toString', '/list/toString', '/list/length'])
    assert.throws(() => jsonPatch(object, [{ op: 'remove', path }]), /rejected/, path);
  assert.throws(() => jsonPatch(object, [{ op: 'add', path: '/x/map/x', value: 1 }]), /rejected/);
});

const statusOf = (run: () => unknown): string => {
  try {
    run();
    return 'done';
  } catch (why) {
    return why instanceof StatusError ? `${why.body.code} ${why.body.message}` : String(why);
  }
};
const rejected = '422 the server rejected our request due to an error in our request';

spec('a JSON patch has at most 10,000 operations', () => {
  const adds = (count: number) => Array.from({ length: count }, () => ({ op: 'add', path: '/l/-', value: 1 }));
  assert.is(listAt(jsonPatch({ l: [] }, adds(10_000)), 'l').length, 10_000);
  assert.is(
    statusOf(() => jsonPatch({ l: [] }, adds(10_001))),
    '413 Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
});

spec('copy operations of a JSON patch add at most 3 MiB', () => {
  const doubling = Array.from({ length: 24 }, (_, index) => ({ op: 'copy', from: '/d', path: `/d/k${index}` }));
  const data = 'x'.repeat(100);
  assert.is(
    statusOf(() => jsonPatch({ d: { data } }, doubling)),
    rejected,
  );
  const text = { op: 'add', path: '/text', value: 'x'.repeat(1024 * 1024 - 2) };
  const copies = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/text', path: `/c${index}` }));
  assert.is(
    statusOf(() => jsonPatch({}, [text, ...copies(3)])),
    'done',
  );
  assert.is(
    statusOf(() => jsonPatch({}, [text, ...copies(4)])),
    rejected,
  );
});

spec('a JSON patch that repeatedly shifts a long list is refused', () => {
  const list = { op: 'add', path: '/l', value: Array.from({ length: 500_000 }, () => 0) };
  const first = Array.from({ length: 100 }, () => ({ op: 'add', path: '/l/0', value: 1 }));
  assert.match(
    statusOf(() => jsonPatch({}, [list, ...first])),
    /^413 Request entity too large: The JSON patch moves items/,
  );
});

spec('a patch of JSON operations that would fill the memory leaves the server as it was', async ({ api }) => {
  const maps = `${inSystem}/configmaps`;
  await api.send('POST', maps, { body: { metadata: { name: 'doubled' }, data: { a: 'x'.repeat(100) } } });
  const type = 'application/json-patch+json';
  const body = Array.from({ length: 24 }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/k${index}` }));
  for (const query of ['', '?dryRun=All', '?fieldValidation=Ignore']) {
    const { code, body: status } = await api.send('PATCH', `${maps}/doubled${query}`, { body, type });
    assert.is(`${code} ${textAt(status, 'message')}`, rejected);
  }
  assert.is((await api.send('GET', `${maps}/doubled`)).code, 200);
});

const pod = {
  metadata: { finalizers: ['a/x', 'b/y'] },
  spec: {
    containers: [
      {
        name: 'a',
        image: '1',
        env: [
          { name: 'X', value: '1' },
          { name: 'Y', value: '2' },
        ],
        ports: [{ containerPort: 80 }],
      },
      { name: 'b', image: '1' },
    ],
    tolerations: [{ key: 'old' }],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};

const merged = (patch: Json) => strategicMerge(pod, patch, builtInSchema('', 'Pod'));

spec('a strategic merge patch merges lists by their keys', () => {
  const patched = merged({
    metadata: { '$deleteFromPrimitiveList/finalizers': ['a/x'], finalizers: ['c/z'] },
    spec: {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [
        {
          name: 'a',
          image: '2',
          env: [
            { name: 'X', $patch: 'delete' },
            { name: 'Z', value: '3' },
          ],
        },
      ],
      tolerations: [{ key: 'new' }],
      volumes: [{ $retainKeys: ['name', 'secret'], name: 'v', emptyDir: null, secret: { secretName: 's' } }],
    },
  });
  assert.equal(listAt(patched, 'metadata', 'finalizers'), ['b/y', 'c/z']);
  assert.equal(
    listAt(patched, 'spec', 'containers').map((one) => `${textAt(one, 'name')}${textAt(one, 'image')}`),
    ['b1', 'a2'],
  );
  assert.equal(at(patched, 'spec', 'containers', 1, 'env'), [
    { name: 'Y', value: '2' },
    { name: 'Z', value: '3' },
  ]);
  assert.equal(at(patched, 'spec', 'containers', 1, 'ports'), [{ containerPort: 80 }]);
  assert.equal(at(patched, 'spec', 'tolerations'), [{ key: 'new' }]);
  assert.equal(at(patched, 'spec', 'volumes'), [{ name: 'v', secret: { secretName: 's' } }]);
});

spec('a strategic merge patch replaces or deletes as its directives say', () => {
  assert.equal(at(merged({ spec: { $patch: 'replace', hostname: 'h' } }), 'spec'), { hostname: 'h' });
  assert.equal(at(merged({ spec: { $patch: 'delete' } }), 'spec'), {});
  const containers = [{ $patch: 'replace' }, { name: 'c' }];
  assert.equal(at(merged({ spec: { containers } }), 'spec', 'containers'), [{ name: 'c' }]);
});

spec('lists are merged by the keys of their kind, and not by their names', () => {
  const service = { spec: { ports: [{ name: 'a', port: 80 }], externalIPs: ['1.1.1.1'] } };
  const patched = strategicMerge(
    service,
    {
      spec: {
        ports: [
          { port: 80, targetPort: 1 },
          { name: 'b', port: 81 },
        ],
        externalIPs: ['2.2.2.2'],
      },
    },
    builtInSchema('', 'Service'),
  );
  assert.equal(at(patched, 'spec'), {
    ports: [
      { name: 'a', port: 80, targetPort: 1 },
      { name: 'b', port: 81 },
    ],
    externalIPs: ['2.2.2.2'],
  });
  assert.throws(() => merged({ spec: { containers: [{ image: '3' }] } }), /does not contain declared merge key: name/);
  assert.throws(
    () => merged({ spec: { $patch: 'shuffle' } }),
    /unknown patch type: shuffle in map: map\[\$patch:shuffle\]/,
  );
});

spec('list items that a strategic merge patch does not name keep their order', () => {
  const { spec: ordered } = merged({
    spec: {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'new' }],
      containers: [{ name: 'new', image: '1' }],
    },
  });
  assert.equal(
    listAt(ordered, 'containers').map((one) => textAt(one, 'name')),
    ['a', 'b', 'new'],
  );
});

spec('a custom resource refuses a strategic merge patch', async ({ api }) => {
  await api.send('POST', `${core}/corebuilds`, { body: build('smp') });
  const refused = await api.send('PATCH', `${core}/corebuilds/smp`, {
    body: {},
    type: 'application/strategic-merge-patch+json',
  });
  assert.equal([refused.code, refused.body['reason']], [415, 'UnsupportedMediaType']);
});

spec(
  'server-side apply creates, keeps fields of others, removes fields no longer applied, and reports conflicts',
  async ({ api }) => {
    const apply = (manager: string, data: Json, force = false) =>
      api.send('PATCH', `${inSystem}/configmaps/applied?fieldManager=${manager}&force=${force}`, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data },
        type: 'application/apply-patch+yaml',
      });
    assert.is((await apply('one', { a: '1', b: '1' })).code, 201);
    assert.equal((await apply('two', { c: '2' })).body['data'], { a: '1', b: '1', c: '2' });
    assert.equal((await apply('one', { a: '1' })).body['data'], { a: '1', c: '2' });
    await apply('two', { c: '2', a: '1' });
    assert.equal((await apply('one', {})).body['data'], { a: '1', c: '2' }, 'two set it as well');
    await apply('one', { a: '1' });
    const conflict = await apply('two', { c: '2', a: '9' });
    assert.is(conflict.code, 409);
    assert.match(textAt(conflict.body, 'message'), /conflict with "one": \.data\.a/);
    assert.equal((await apply('two', { c: '2', a: '9' }, true)).body['data'], { a: '9', c: '2' });
  },
);

spec.run();
