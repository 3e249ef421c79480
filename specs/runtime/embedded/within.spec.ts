import * as assert from 'uvu/assert';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, inSystem } from './started.ts';
import { type Cluster, startedNodes } from './startedNodes.ts';

const within = suite('objects written by the cluster itself');
let world: Cluster;

within.before(async () => {
  world = await startedNodes();
});
within.after(() => world.end());

const jobs = `${inSystem.replace('/api/v1', '/apis/batch/v1')}/jobs`;
const containers = [{ name: 'main', image: 'busybox:1', command: ['true'] }];
const managers = (object: unknown) =>
  listAt(object, 'metadata', 'managedFields').map((one) => `${textAt(one, 'manager')} ${textAt(one, 'subresource')}`);

within('a pod of a Job has an account, its token and tolerations like any other, and its managers', async () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'made' },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  };
  assert.is((await world.send('POST', jobs, { body: job })).code, 201);
  const podOf = async () =>
    listAt((await world.send('GET', `${inSystem}/pods?labelSelector=job-name%3Dmade`)).body, 'items')[0];
  await eventually(async () => textAt(await podOf(), 'status', 'phase') === 'Succeeded', 'the pod is over');
  const pod = await podOf();
  assert.is(textAt(pod, 'spec', 'serviceAccountName'), 'default');
  assert.match(textAt(pod, 'spec', 'volumes', 0, 'name'), /^kube-api-access-\w{5}$/);
  assert.is(listAt(pod, 'spec', 'tolerations').length, 2);
  assert.is(textAt(pod, 'status', 'qosClass'), 'BestEffort');
  assert.equal(managers(pod).toSorted(), ['kube-controller-manager ', 'kubelet ', 'kubelet status']);
  assert.match(textAt(pod, 'status', 'podIP'), /^10\.\d+\.\d+\.\d+$/);
});

within('fields added to a pod by admission have no manager', async () => {
  await world.runPod('plain');
  const { body } = await world.send('GET', `${inSystem}/pods/plain`);
  assert.not.match(JSON.stringify(listAt(body, 'metadata', 'managedFields')[0]), /serviceAccount|tolerations|volumes/);
});

within('running pods have different addresses', async () => {
  const names = ['first', 'second', 'third', 'fourth'];
  await Promise.all(names.map((name) => world.runPod(name)));
  const { body } = await world.send('GET', `${inSystem}/pods`);
  const addresses = listAt(body, 'items')
    .filter((pod) => textAt(pod, 'status', 'phase') === 'Running')
    .map((pod) => textAt(pod, 'status', 'podIP'));
  assert.is(new Set(addresses).size, addresses.length);
});

within('the system namespaces cannot be deleted', async () => {
  for (const name of ['default', 'kube-system', 'kube-public']) {
    const { code, body } = await world.send('DELETE', `/api/v1/namespaces/${name}`);
    assert.is(code, 403);
    assert.is(textAt(body, 'message'), `namespaces "${name}" is forbidden: this namespace may not be deleted`);
  }
});

within('a Service under dry run shows an address and holds none', async () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'dry' },
    spec: { ports: [{ port: 80 }] },
  };
  const { code, body } = await world.send('POST', `${inSystem}/services?dryRun=All`, { body: service });
  assert.is(code, 201);
  assert.match(textAt(body, 'spec', 'clusterIP'), /^10\.96\./);
  assert.is((await world.send('GET', `${inSystem}/services/dry`)).code, 404);
});

within('a volume claim grows only with a class that allows expansion and does not change otherwise', async () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
  };
  const at = `${inSystem}/persistentvolumeclaims`;
  assert.is((await world.send('POST', at, { body: claim })).code, 201);
  const patch = (body: object) => world.send('PATCH', `${at}/data`, { body, type: 'application/merge-patch+json' });
  const changed = await patch({ spec: { accessModes: ['ReadWriteMany'] } });
  assert.is(changed.code, 422);
  assert.match(textAt(changed.body, 'message'), /spec: Forbidden: spec is immutable after creation/);
  assert.is((await patch({ spec: { resources: { requests: { storage: '2Gi' } } } })).code, 422);
});

within.run();
