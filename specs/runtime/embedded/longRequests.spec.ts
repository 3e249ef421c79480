import * as assert from 'uvu/assert';
import { createPace } from '../../../runtime/embedded/api/pace.ts';
import { builtIn } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { openapi } from '../../../runtime/embedded/api/openapi/openapi.ts';
import { suite } from '../../support/suite.ts';
import { emptySet } from '../../../runtime/embedded/api/managedFields/fieldSet.ts';
import { afterApply, applySteps } from '../../../runtime/embedded/api/managedFields/ownership.ts';
import { type Started, configMap, inSystem, started } from './started.ts';

const spec = suite<{ api: Started }>('long requests beside short ones');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const keys = (value: string) => Object.fromEntries(Array.from({ length: 29_000 }, (_, index) => [`k${index}`, value]));
const apply = (name: string, value: string) => ({
  body: { ...configMap(name, keys(value)) },
  type: 'application/apply-patch+yaml',
});

const turn = () => new Promise((done) => setImmediate(done));

spec('one step of long work runs in each turn of the event loop over all requests', async () => {
  const pace = createPace();
  const long = { headers: { 'content-length': String(3 * 1024 * 1024) } };
  let steps = 0;
  const work = async () => {
    for (let step = 0; step < 3; step += 1) {
      await pace.next(long);
      steps += 1;
    }
  };
  const all = Promise.all([work(), work(), work()]);
  for (let most = 1; most <= 9; most += 1) {
    await turn();
    assert.ok(steps <= most, `${steps} steps in ${most} turns`);
  }
  await all;
  assert.is(steps, 9);
});

spec('a short request does not wait for a turn of the event loop', async () => {
  const pace = createPace();
  const order: string[] = [];
  const short = pace.next({ headers: { 'content-length': '1000' } }).then(() => order.push('short'));
  await Promise.all([turn().then(() => order.push('turn')), short]);
  assert.equal(order, ['short', 'turn']);
});

spec('an apply is worked out in steps, however many keys it gives', () => {
  const manager = { name: 'one', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;
  const write = { typed: { schema: null }, manager, now: '', ignored: emptySet };
  const first = afterApply(write, [], {}, { data: keys('a'), more: { b: 'c' } });
  const steps = applySteps(write, first.owners, first.object, { data: keys('b') });
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  // What a manager gives no longer is looked for in steps of its own.
  assert.is(pauses, 7);
});

spec('29,000 keys are applied and changed by a second apply', async ({ api }) => {
  const path = `${maps}/applied?fieldManager=one`;
  for (const [value, code] of [
    ['a', 201],
    ['b', 200],
  ] as const)
    assert.is((await api.send('PATCH', path, apply('applied', value))).code, code);
  assert.equal((await api.send('GET', `${maps}/applied`)).body['data'], keys('b'));
});

spec('a change made while a long one is worked out is not lost', async ({ api }) => {
  await api.send('POST', maps, { body: configMap('shared', { first: '1' }) });
  const long = api.send('PATCH', `${maps}/shared`, {
    body: { data: keys('x') },
    type: 'application/merge-patch+json',
  });
  const short = api.send('PATCH', `${maps}/shared`, {
    body: { data: { second: '2' } },
    type: 'application/merge-patch+json',
  });
  assert.equal([(await long).code, (await short).code], [200, 200]);
  const { body } = await api.send('GET', `${maps}/shared`);
  assert.equal(body['data'], { first: '1', ...keys('x'), second: '2' });
});

spec('long YAML texts beyond the share of a caller are refused with 429 and can be retried', async ({ api }) => {
  const text = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${'  # nothing\n'.repeat(20_000)}`;
  const sent = Array.from({ length: 12 }, (_, index) =>
    api.send('POST', maps, { body: text(`yaml${index}`), type: 'application/yaml' }),
  );
  const replies = await Promise.all(sent);
  const refused = replies.filter(({ code }) => code === 429);
  assert.ok(refused.length > 0 && refused.every(({ headers }) => Number(headers['retry-after']) > 0));
  // One is read, four wait.
  assert.ok(replies.filter(({ code }) => code === 201).length >= 5);
  assert.is((await api.send('POST', maps, { body: text('later'), type: 'application/yaml' })).code, 201);
});

spec('a write is not refused when its YAML answer would have to wait', async ({ api }) => {
  const data = { text: 'x'.repeat(10_000) };
  await api.send('POST', maps, { body: configMap('shown', data) });
  const accept = 'application/yaml';
  const writes = Array.from({ length: 12 }, (_, index) =>
    api.send('POST', maps, { body: configMap(`written${index}`, data), accept }),
  );
  assert.ok((await Promise.all(writes)).every(({ code }) => code === 201));
  const reads = await Promise.all(Array.from({ length: 12 }, () => api.send('GET', `${maps}/shown`, { accept })));
  assert.ok(reads.every(({ code, type }) => code === 429 || (code === 200 && type.startsWith(accept))));
});

spec('a JSON patch whose path is megabytes long is refused without being read', async ({ api }) => {
  await api.send('POST', maps, { body: configMap('pointed', { a: 'b' }) });
  const refusal = async (path: string) => {
    const sent = { body: JSON.stringify([{ op: 'add', path, value: 'x' }]), type: 'application/json-patch+json' };
    const { code, text } = await api.send('PATCH', `${maps}/pointed`, sent);
    assert.ok(text.length < 1_000, `${text.length} bytes`);
    return code;
  };
  assert.is(await refusal(`/data${'/a'.repeat(1_000_000)}`), 422);
  assert.is(await refusal('/'.repeat(2_000_000)), 422);
  assert.is(await refusal(`/data/${'a'.repeat(2_000_000)}`), 413);
  assert.is(await refusal(`/data/${'~1'.repeat(1_000_000)}`), 413);
});

spec('an OpenAPI document of all kinds is written once for all readers', async ({ api }) => {
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const registry = { all: () => builtIn, find: () => undefined };
  for (const form of ['application/json', accept])
    assert.is(openapi('/openapi/v2', form, registry), openapi('/openapi/v2', form, registry));
  const binary = await api.send('GET', '/openapi/v2', { accept });
  assert.is(binary.code, 200);
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: {
      metadata: { name: 'things.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  });
  assert.match((await api.send('GET', '/openapi/v2')).text, /io\.x\.v1\.Thing/);
  assert.match((await api.send('GET', '/openapi/v2', { accept })).text, /io\.x\.v1\.Thing/);
});

spec.run();
