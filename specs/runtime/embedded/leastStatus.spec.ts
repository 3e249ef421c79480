import * as assert from 'uvu/assert';
import type { Json } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('default status');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const group = (name: string) => `/apis/${name}/namespaces/core-system`;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const selector = { matchLabels: { app: 'web' } };
const job = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };
const loadBalancer = { loadBalancer: {} };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } };
const attachment = { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
const scaled = { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
const backend = { service: { name: 'web', port: { number: 80 } } };
const policy = {
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
  },
  validations: [{ expression: 'true' }],
};
const daemons = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
const budget = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const machine = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];
const nodeInfo = Object.fromEntries(machine.map((name) => [name, '']));
const daemonEndpoints = { kubeletEndpoint: { Port: 0 } };

/** Where an object of each kind is created, by which spec, and the status that a kube-apiserver then shows. */
const kinds: readonly (readonly [kind: string, path: string, spec: Json, status: Json])[] = [
  ['Deployment', `${group('apps/v1')}/deployments`, { selector, template }, {}],
  ['ReplicaSet', `${group('apps/v1')}/replicasets`, { selector, template }, { replicas: 0 }],
  [
    'StatefulSet',
    `${group('apps/v1')}/statefulsets`,
    { selector, template, serviceName: 'web' },
    { replicas: 0, availableReplicas: 0 },
  ],
  ['DaemonSet', `${group('apps/v1')}/daemonsets`, { selector, template }, daemons],
  ['ReplicationController', `${inSystem}/replicationcontrollers`, { template }, { replicas: 0 }],
  ['Job', `${group('batch/v1')}/jobs`, job, {}],
  ['CronJob', `${group('batch/v1')}/cronjobs`, { schedule: '* * * * *', jobTemplate: { spec: job } }, {}],
  ['Pod', `${inSystem}/pods`, template.spec, { phase: 'Pending', qosClass: 'BestEffort' }],
  ['Service', `${inSystem}/services`, { ports: [{ port: 80 }] }, loadBalancer],
  ['Ingress', `${group('networking.k8s.io/v1')}/ingresses`, { defaultBackend: backend }, loadBalancer],
  ['PersistentVolumeClaim', `${inSystem}/persistentvolumeclaims`, claim, { phase: 'Pending' }],
  ['PersistentVolume', '/api/v1/persistentvolumes', volume, { phase: 'Pending' }],
  ['Namespace', '/api/v1/namespaces', {}, { phase: 'Active' }],
  ['Node', '/api/v1/nodes', {}, { daemonEndpoints, nodeInfo }],
  ['ResourceQuota', `${inSystem}/resourcequotas`, { hard: { pods: '9' } }, {}],
  ['PodDisruptionBudget', `${group('policy/v1')}/poddisruptionbudgets`, { selector }, budget],
  [
    'HorizontalPodAutoscaler',
    `${group('autoscaling/v2')}/horizontalpodautoscalers`,
    scaled,
    { desiredReplicas: 0, currentMetrics: null },
  ],
  [
    'HorizontalPodAutoscaler',
    `${group('autoscaling/v1')}/horizontalpodautoscalers`,
    scaled,
    { currentReplicas: 0, desiredReplicas: 0 },
  ],
  ['VolumeAttachment', '/apis/storage.k8s.io/v1/volumeattachments', attachment, { attached: false }],
  ['ValidatingAdmissionPolicy', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', policy, {}],
];

const versionIn = (path: string) => /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))\//.exec(path)?.slice(1).find(Boolean);

for (const [kind, path, given, status] of kinds)
  spec(`a ${kind} of ${versionIn(path)} without a status gets the default status`, async ({ api }) => {
    const body = {
      apiVersion: versionIn(path),
      kind,
      metadata: { name: `least-${versionIn(path)?.split('/').at(-1)}` },
      spec: given,
    };
    const { code, body: made } = await api.send('POST', path, { body });
    assert.is(code, 201, JSON.stringify(made));
    assert.equal(made['status'], status);
  });

spec('a Node keeps its reported status and gets the other default fields', async ({ api }) => {
  const status = { nodeInfo: { kubeletVersion: 'v1.36.0' }, addresses: [{ type: 'Hostname', address: 'n' }] };
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'reporting' }, status };
  const { body: made } = await api.send('POST', '/api/v1/nodes', { body });
  assert.equal(made['status'], {
    daemonEndpoints,
    ...status,
    nodeInfo: { ...nodeInfo, kubeletVersion: 'v1.36.0' },
  });
});

spec('a removed status is restored as an empty one', async ({ api }) => {
  const path = `${group('apps/v1')}/deployments/least-v1`;
  const reported = await api.send('PATCH', `${path}/status`, { body: { status: { replicas: 3 } }, type: merge });
  assert.equal(reported.body['status'], { replicas: 3 });
  const emptied = await api.send('PATCH', `${path}/status`, { body: { status: null }, type: merge });
  assert.equal(emptied.body['status'], {});
});

spec.run();
