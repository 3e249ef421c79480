import type { Stored } from '../../store.ts';
import { at, isJson, jsonAt, listAt, numberAt, textAt, wordOf } from '../json.ts';
import { age, shortDuration } from './age.ts';
import { type Column, nameColumn } from './column.ts';
import { podReady, podRestarts, podStatus } from './pod.ts';

type Cell = (object: Stored) => unknown;

const text = (name: string, cell: Cell): Column => ({ name, type: 'string', cell });
const wide = (name: string, cell: Cell): Column => ({ name, type: 'string', priority: 1, cell });
const number = (name: string, cell: Cell): Column => ({ name, type: 'integer', cell });
const path =
  (...steps: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...steps) || '<none>';
const count =
  (...steps: readonly string[]): Cell =>
  (object) =>
    numberAt(object, ...steps);
const size =
  (field: string): Cell =>
  (object) =>
    Object.keys(jsonAt(object, field)).length;
const aged: Column = { name: 'Age', type: 'string', cell: ({ metadata }) => age(metadata.creationTimestamp) };
const joined = (parts: readonly unknown[]) => parts.filter((part) => part !== '').join(',') || '<none>';

const labelsText = (labels: unknown) =>
  joined(Object.entries(isJson(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`));
const containers = (object: Stored) => listAt(object, 'spec', 'template', 'spec', 'containers');
const containerNames = wide('Containers', (object) => joined(containers(object).map((one) => textAt(one, 'name'))));
const containerImages = wide('Images', (object) => joined(containers(object).map((one) => textAt(one, 'image'))));
const podSelector = wide('Selector', (object) => labelsText(at(object, 'spec', 'selector', 'matchLabels')));
const workload = [containerNames, containerImages, podSelector];

function nodeStatus(node: Stored): string {
  const ready = listAt(node, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles({ metadata }: Stored): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(metadata.labels ?? {}).filter((key) => key.startsWith(prefix));
  return joined(roles.map((key) => key.slice(prefix.length)));
}

const nodeAddress =
  (type: string): Cell =>
  (node) =>
    textAt(
      listAt(node, 'status', 'addresses').find((one) => textAt(one, 'type') === type),
      'address',
    ) || '<none>';

function servicePorts(service: Stored): string {
  return joined(
    listAt(service, 'spec', 'ports').map((port) => {
      const nodePort = numberAt(port, 'nodePort');
      return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol') || 'TCP'}`;
    }),
  );
}

function jobStatus(job: Stored): string {
  const holds = (type: string) =>
    listAt(job, 'status', 'conditions').some((one) => textAt(one, 'type') === type && textAt(one, 'status') === 'True');
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return holds('Suspended') ? 'Suspended' : 'Running';
}

function jobDuration(job: Stored): string {
  const start = Date.parse(textAt(job, 'status', 'startTime'));
  const end = Date.parse(textAt(job, 'status', 'completionTime'));
  return Number.isNaN(start) ? '' : shortDuration((Number.isNaN(end) ? Date.now() : end) - start);
}

const ready: Column = text('Ready', (object) => {
  const wanted = at(object, 'spec', 'replicas') ?? 1;
  return `${numberAt(object, 'status', 'readyReplicas')}/${wordOf(wanted)}`;
});

const lastSeen = (event: Stored) =>
  age(
    at(event, 'series', 'lastObservedTime') ??
      at(event, 'lastTimestamp') ??
      at(event, 'eventTime') ??
      event.metadata.creationTimestamp,
  );
const eventObject = (event: Stored) =>
  `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`;

/** The columns of the built-in kinds that have more than a name and an age. */
export const builtInColumns: Readonly<Record<string, readonly Column[]>> = {
  Pod: [
    nameColumn,
    text('Ready', podReady),
    text('Status', podStatus),
    text('Restarts', (pod) => String(podRestarts(pod))),
    aged,
    wide('IP', path('status', 'podIP')),
    wide('Node', path('spec', 'nodeName')),
    wide('Nominated Node', path('status', 'nominatedNodeName')),
    wide('Readiness Gates', () => '<none>'),
  ],
  Job: [
    nameColumn,
    text('Status', jobStatus),
    text(
      'Completions',
      (job) => `${numberAt(job, 'status', 'succeeded')}/${numberAt(job, 'spec', 'completions') || 1}`,
    ),
    text('Duration', jobDuration),
    aged,
    ...workload,
  ],
  CronJob: [
    nameColumn,
    text('Schedule', path('spec', 'schedule')),
    text('Timezone', path('spec', 'timeZone')),
    text('Suspend', (cron) => (at(cron, 'spec', 'suspend') === true ? 'True' : 'False')),
    number('Active', (cron) => listAt(cron, 'status', 'active').length),
    text('Last Schedule', (cron) => {
      const last = at(cron, 'status', 'lastScheduleTime');
      return last === undefined ? '<none>' : age(last);
    }),
    aged,
  ],
  Secret: [nameColumn, text('Type', path('type')), number('Data', size('data')), aged],
  ConfigMap: [
    nameColumn,
    number('Data', (map) => Object.keys({ ...jsonAt(map, 'data'), ...jsonAt(map, 'binaryData') }).length),
    aged,
  ],
  Event: [
    text('Last Seen', lastSeen),
    text('Type', path('type')),
    text('Reason', path('reason')),
    text('Object', eventObject),
    wide('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath')),
    wide('Source', (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent')),
    text('Message', (event) => textAt(event, 'message').trim()),
    wide('First Seen', (event) => age(at(event, 'firstTimestamp') ?? event.metadata.creationTimestamp)),
    wide('Count', (event) => String(numberAt(event, 'count') || 1)),
    { ...nameColumn, priority: 1 },
  ],
  Node: [
    nameColumn,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    aged,
    text('Version', path('status', 'nodeInfo', 'kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', path('status', 'nodeInfo', 'osImage')),
    wide('Kernel-Version', path('status', 'nodeInfo', 'kernelVersion')),
    wide('Container-Runtime', path('status', 'nodeInfo', 'containerRuntimeVersion')),
  ],
  Namespace: [nameColumn, text('Status', path('status', 'phase')), aged],
  Service: [
    nameColumn,
    text('Type', path('spec', 'type')),
    text('Cluster-IP', path('spec', 'clusterIP')),
    text('External-IP', (service) => joined(listAt(service, 'spec', 'externalIPs'))),
    text('Port(s)', servicePorts),
    aged,
    wide('Selector', (service) => labelsText(at(service, 'spec', 'selector'))),
  ],
  ServiceAccount: [nameColumn, number('Secrets', (account) => listAt(account, 'secrets').length), aged],
  Deployment: [
    nameColumn,
    ready,
    number('Up-to-date', count('status', 'updatedReplicas')),
    number('Available', count('status', 'availableReplicas')),
    aged,
    ...workload,
  ],
  ReplicaSet: [
    nameColumn,
    number('Desired', count('spec', 'replicas')),
    number('Current', count('status', 'replicas')),
    number('Ready', count('status', 'readyReplicas')),
    aged,
    ...workload,
  ],
  StatefulSet: [nameColumn, ready, aged, containerNames, containerImages],
  DaemonSet: [
    nameColumn,
    number('Desired', count('status', 'desiredNumberScheduled')),
    number('Current', count('status', 'currentNumberScheduled')),
    number('Ready', count('status', 'numberReady')),
    aged,
    ...workload,
  ],
  PersistentVolumeClaim: [
    nameColumn,
    text('Status', path('status', 'phase')),
    text('Volume', (claim) => textAt(claim, 'spec', 'volumeName')),
    text('Capacity', (claim) => textAt(claim, 'status', 'capacity', 'storage')),
    text('Access Modes', (claim) => joined(listAt(claim, 'spec', 'accessModes'))),
    text('StorageClass', (claim) => textAt(claim, 'spec', 'storageClassName')),
    aged,
  ],
  Lease: [nameColumn, text('Holder', (lease) => textAt(lease, 'spec', 'holderIdentity')), aged],
  Ingress: [
    nameColumn,
    text('Class', path('spec', 'ingressClassName')),
    text('Hosts', (ingress) => joined(listAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host') || '*'))),
    aged,
  ],
  NetworkPolicy: [
    nameColumn,
    text('Pod-Selector', (policy) => labelsText(at(policy, 'spec', 'podSelector', 'matchLabels'))),
    aged,
  ],
  Role: [nameColumn, { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp }],
  ClusterRole: [nameColumn, { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp }],
  RoleBinding: [nameColumn, text('Role', roleOf), aged],
  ClusterRoleBinding: [nameColumn, text('Role', roleOf), aged],
  CustomResourceDefinition: [
    nameColumn,
    { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp },
  ],
};

function roleOf(binding: Stored): string {
  return `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`;
}
