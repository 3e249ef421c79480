import * as assert from 'uvu/assert';
import { clusterOptions } from '../../../runtime/local/clusterOptions.ts';
import { requiredNodeTags } from '../../../crds/admission/requiredNodeTags.ts';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { startNodes } from '../../../runtime/embedded/nodes/nodes.ts';
import { suite } from '../../support/suite.ts';
import { type Reply, type Started, eventually, started } from './started.ts';

const tags = suite('required node tags');
let api: Started;
tags.before(async () => {
  api = await started();
});
tags.after(() => api.end());

const group = '/apis/admissionregistration.k8s.io/v1';
const policyPath = `${group}/validatingadmissionpolicies`;
const bindingPath = `${group}/validatingadmissionpolicybindings`;
const message = ({ body }: Reply) => textAt(body, 'message');

tags('NET-014 core-required-node-tags: pods select the nodes that their namespace requires', async () => {
  for (const object of requiredNodeTags)
    await api.send('POST', object.kind.endsWith('Binding') ? bindingPath : policyPath, { body: object });
  const space = (name: string, tags: string | null) =>
    api.send('POST', '/api/v1/namespaces', {
      body: { metadata: { name, ...(tags !== null && { annotations: { 'core.platform/required-tags': tags } }) } },
    });
  await space('free', null);
  await space('empty', '');
  await space('tagged', 'gpu,ssd');
  const spec = (...tags: readonly string[]) => ({
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'busybox:1' }],
    ...(tags.length > 0 && {
      nodeSelector: Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])),
    }),
  });
  const pod = (namespace: string, ...tags: readonly string[]) =>
    api.send('POST', `/api/v1/namespaces/${namespace}/pods`, {
      body: { metadata: { name: `p-${tags.join('-') || 'none'}` }, spec: spec(...tags) },
    });
  assert.is((await pod('free')).code, 201);
  assert.is((await pod('empty')).code, 201);
  assert.is((await pod('tagged', 'gpu', 'ssd')).code, 201);
  const refusal = (name: string, missing: string) =>
    `pods "${name}" is forbidden: ValidatingAdmissionPolicy 'core-required-node-tags' with binding 'core-required-node-tags' denied request: the node selector lacks tags that the namespace requires: ${missing}`;
  assert.is(message(await pod('tagged')), refusal('p-none', 'gpu, ssd'));
  assert.is(message(await pod('tagged', 'ssd')), refusal('p-ssd', 'gpu'));

  const nodes = startNodes(api.store, { ...clusterOptions, mode: 'simulated' });
  const job = (name: string, ...tags: readonly string[]) =>
    api.send('POST', '/apis/batch/v1/namespaces/tagged/jobs', {
      body: { metadata: { name }, spec: { template: { spec: spec(...tags) } } },
    });
  assert.is((await job('refused', 'gpu')).code, 201);
  assert.is((await job('allowed', 'gpu', 'ssd')).code, 201);
  const items = async (path: string) =>
    ((await api.send('GET', `/api/v1/namespaces/tagged/${path}`)).body['items'] ?? []) as readonly Json[];
  const failed = async () =>
    (await items('events')).find((event) => textAt(event, 'reason') === 'FailedCreate') ?? null;
  const podsOf = async (name: string) => items(`pods?labelSelector=job-name%3D${name}`);
  await eventually(async () => (await failed()) !== null && (await podsOf('allowed')).length === 1, 'both were tried');
  assert.match(textAt(await failed(), 'message'), /^Error creating: pods "refused-[a-z0-9]{5}" is forbidden: .*: ssd$/);
  assert.is((await podsOf('refused')).length, 0);
  await nodes.stop();
});

tags.run();
