import * as assert from 'uvu/assert';
import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { at, listAt, numberAt, textAt } from '../../../../runtime/embedded/api/json.ts';
import { startControllers } from '../../../../runtime/embedded/controllers/controllers.ts';
import { defaultNodes } from '../../../../runtime/embedded/nodes/defaults.ts';
import { startNodes } from '../../../../runtime/embedded/nodes/nodes.ts';
import { configMap, eventually, inSystem, started } from '../started.ts';
import { suite } from '../../../support/suite.ts';
import { template } from './world.ts';

const spec = suite('Services, evictions and deletions at the API');
const services = `${inSystem}/services`;
const service = (name: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...rest },
});

/** An API with nodes and controllers. */
async function cluster() {
  const api = await started();
  let nodes = startNodes(api.store, { ...clusterOptions, mode: 'simulated' });
  const controllers = startControllers(api.store, { ...clusterOptions, mode: 'simulated' });
  await api.send('POST', `${inSystem}/configmaps`, {
    body: configMap('simulated-nodes', defaultNodes(clusterOptions.names)),
  });
  const end = async () => {
    await controllers.stop();
    await nodes.stop();
    await api.end();
  };
  return {
    ...api,
    end,
    silenceNodes: () => nodes.stop(),
    wakeNodes: () => {
      nodes = startNodes(api.store, { ...clusterOptions, mode: 'simulated' });
    },
  };
}

spec('Services created concurrently get different addresses and ports', async () => {
  const api = await started();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const made = await Promise.all(
    names.map((name) => api.send('POST', services, { body: service(name, { type: 'NodePort' }) })),
  );
  const addresses = made.map(({ body }) => textAt(body, 'spec', 'clusterIP'));
  const ports = made.map(({ body }) => numberAt(body, 'spec', 'ports', 0, 'nodePort'));
  assert.is(new Set(addresses).size, names.length);
  assert.is(new Set(ports).size, names.length);
  for (const address of addresses) assert.match(address, /^10\.96\.\d+\.\d+$/);
  for (const port of ports) assert.ok(port >= 30_000 && port <= 32_767);

  const taken = await api.send('POST', services, { body: service('again', { clusterIP: addresses[0] }) });
  assert.is(taken.code, 422);
  assert.is(
    taken.body['message'],
    `Service "again" is invalid: spec.clusterIPs: Invalid value: ["${addresses[0]}"]: failed to allocate IP ${addresses[0]}: provided IP is already allocated`,
  );
  const closed = await api.send('POST', services, {
    body: service('again', { type: 'NodePort', ports: [{ port: 80, nodePort: ports[0] }] }),
  });
  assert.is(
    closed.body['message'],
    `Service "again" is invalid: spec.ports[0].nodePort: Invalid value: ${ports[0]}: provided port is already allocated`,
  );
  const headless = await api.send('POST', services, { body: service('again', { clusterIP: 'None' }) });
  assert.is(textAt(headless.body, 'spec', 'clusterIP'), 'None');

  const type = 'application/merge-patch+json';
  const moved = await api.send('PATCH', `${services}/s0`, { type, body: { spec: { clusterIP: '10.96.9.9' } } });
  assert.is(moved.code, 422);
  const plain = await api.send('PATCH', `${services}/s0`, { type, body: { spec: { type: 'ClusterIP' } } });
  assert.is(at(plain.body, 'spec', 'ports', 0, 'nodePort'), undefined);
  assert.is(textAt(plain.body, 'spec', 'clusterIP'), addresses[0]);
  assert.is(at(plain.body, 'spec', 'externalTrafficPolicy'), undefined);
  const own = await api.send('GET', '/api/v1/namespaces/default/services/kubernetes');
  assert.is(textAt(own.body, 'spec', 'clusterIP'), '10.96.0.1');
  await api.end();
});

spec('an eviction is refused without a budget left, and a pod on a silent node stays terminating', async () => {
  const api = await cluster();
  const { send } = api;
  const metadata = { name: 'web' };
  const selector = { matchLabels: { app: 'web' } };
  const deployment = { replicas: 2, selector, template: template('web:1') };
  await send('POST', '/apis/apps/v1/namespaces/core-system/deployments', {
    body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deployment },
  });
  const budgets = '/apis/policy/v1/namespaces/core-system/poddisruptionbudgets';
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { selector, minAvailable: 2 },
  };
  await send('POST', budgets, { body: budget });
  const healthy = async () => numberAt((await send('GET', `${budgets}/web`)).body, 'status', 'currentHealthy');
  await eventually(async () => (await healthy()) === 2, 'two pods are healthy');
  const [pod] = listAt((await send('GET', `${inSystem}/pods?labelSelector=app%3Dweb`)).body, 'items');
  const name = textAt(pod, 'metadata', 'name');
  const evict = () =>
    send('POST', `${inSystem}/pods/${name}/eviction`, {
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } },
    });
  const refused = await evict();
  assert.is(refused.code, 429);
  assert.is(refused.body['message'], "Cannot evict pod as it would violate the pod's disruption budget.");
  assert.is(
    textAt(refused.body, 'details', 'causes', 0, 'message'),
    'The disruption budget web needs 2 healthy pods and has 2 currently',
  );
  await send('PATCH', `${budgets}/web`, { type: 'application/merge-patch+json', body: { spec: { minAvailable: 1 } } });
  const allowed = async () => numberAt((await send('GET', `${budgets}/web`)).body, 'status', 'disruptionsAllowed');
  await eventually(async () => (await allowed()) === 1, 'one pod may go');
  await api.silenceNodes();
  assert.is((await evict()).code, 201);
  const ending = await send('GET', `${inSystem}/pods/${name}`);
  assert.is(numberAt(ending.body, 'metadata', 'deletionGracePeriodSeconds'), 30);
  assert.is((await send('DELETE', `${inSystem}/pods/${name}?gracePeriodSeconds=0`)).code, 200);
  assert.is((await send('GET', `${inSystem}/pods/${name}`)).code, 404);
  api.wakeNodes();
  await eventually(async () => (await healthy()) === 2, 'another pod took its place');
  await api.end();
});

spec.run();
