import type { Stored } from '../../store.ts';
import { at, jsonAt, listAt, numberAt, textAt, wordOf } from '../json.ts';
import { metaV1 } from '../published/definition.ts';
import { definition } from '../published/definitions.ts';
import { admissionColumns } from './admission.ts';
import { age, shortDuration } from './age.ts';
import { type Cell, aged, count, joined, labelsText, number, path, size, text, wide } from './cell.ts';
import { type Column, nameColumn } from './column.ts';
import { networkColumns } from './network.ts';
import { podReady, podRestarts, podStatus } from './pod.ts';
import { storageColumns } from './storage.ts';

/** What is published of the time at which an object came to be. */
const ofCreation = definition(`${metaV1}.ObjectMeta`)?.fields['creationTimestamp']?.description ?? '';

const containers = (object: Stored) => listAt(object, 'spec', 'template', 'spec', 'containers');
const containerNames = wide('Containers', (object) => joined(containers(object).map((one) => textAt(one, 'name'))));
const containerImages = wide('Images', (object) => joined(containers(object).map((one) => textAt(one, 'image'))));
const podSelector = wide('Selector', (object) => labelsText(at(object, 'spec', 'selector', 'matchLabels')));
const workload = [containerNames, containerImages, podSelector];

const namesIn = (items: readonly unknown[], field: string) => joined(items.map((one) => textAt(one, field)));
const cronPods = [
  wide('Containers', (cron) => namesIn(cronContainers(cron), 'name')),
  wide('Images', (cron) => namesIn(cronContainers(cron), 'image')),
  wide('Selector', (cron) => labelsText(at(cron, 'spec', 'jobTemplate', 'spec', 'selector', 'matchLabels'))),
];
const cronContainers = (cron: Stored) => listAt(cron, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers');

function controllerOf({ metadata }: Stored): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner) return '<none>';
  const [group = '', version] = owner.apiVersion.split('/');
  return `${owner.kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${owner.name}`;
}

/** What each metric is at, and what it should be at. */
function autoscalerTargets(autoscaler: Stored): string {
  const wanted = listAt(autoscaler, 'spec', 'metrics');
  if (wanted.length === 0) return '<none>';
  return wanted
    .map((metric, index) => {
      const source = textAt(metric, 'type');
      const field = `${source.charAt(0).toLowerCase()}${source.slice(1)}`;
      const target = jsonAt(metric, field, 'target');
      const current = jsonAt(listAt(autoscaler, 'status', 'currentMetrics')[index], field, 'current');
      const isShare = target['averageUtilization'] !== undefined;
      const value = (from: typeof target) =>
        isShare ? from['averageUtilization'] : (from['averageValue'] ?? from['value']);
      const shown = (found: unknown) => (found === undefined ? '<unknown>' : `${wordOf(found)}${isShare ? '%' : ''}`);
      const name = textAt(metric, field, 'name');
      return `${name === '' ? '' : `${name}: `}${shown(value(current))}/${shown(value(target))}`;
    })
    .join(', ');
}

const quotaOf =
  (limits: boolean): Cell =>
  (quota) =>
    Object.entries(jsonAt(quota, 'status', 'hard'))
      .filter(([name]) => name.startsWith('limits.') === limits)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, hard]) => `${name}: ${wordOf(at(quota, 'status', 'used', name) ?? '0')}/${wordOf(hard)}`)
      .join(', ');

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
/** The component that reported it, and its node. */
function sourceOf(event: Stored): string {
  const host = textAt(event, 'source', 'host');
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  return host === '' ? component : `${component}, ${host}`;
}

const eventObject = (event: Stored) =>
  `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`;

/** The columns of the built-in kinds that have more than a name and an age. */
export const builtInColumns: Readonly<Record<string, readonly Column[]>> = {
  ...networkColumns,
  ...storageColumns,
  ...admissionColumns,
  Pod: [
    nameColumn,
    text('Ready', podReady),
    text('Status', podStatus),
    text('Restarts', podRestarts),
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
    ...cronPods,
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
    wide('Source', sourceOf),
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
  ServiceAccount: [nameColumn, number('Secrets', (account) => listAt(account, 'secrets').length), aged],
  Deployment: [
    nameColumn,
    ready,
    number('Up-to-date', count('status', 'updatedReplicas')),
    number('Available', count('status', 'availableReplicas')),
    aged,
    ...workload,
  ],
  Scale: [
    nameColumn,
    { ...number('Desired', count('spec', 'replicas')), description: 'Number of desired replicas' },
    { ...number('Available', count('status', 'replicas')), description: 'Number of actual replicas' },
    { ...aged, type: 'date', description: ofCreation },
  ],
  ReplicaSet: [
    nameColumn,
    number('Desired', count('spec', 'replicas')),
    number('Current', count('status', 'replicas')),
    number('Ready', count('status', 'readyReplicas')),
    aged,
    ...workload,
  ],
  DaemonSet: [
    nameColumn,
    number('Desired', count('status', 'desiredNumberScheduled')),
    number('Current', count('status', 'currentNumberScheduled')),
    number('Ready', count('status', 'numberReady')),
    number('Up-to-date', count('status', 'updatedNumberScheduled')),
    number('Available', count('status', 'numberAvailable')),
    text('Node Selector', (set) => labelsText(at(set, 'spec', 'template', 'spec', 'nodeSelector'))),
    aged,
    ...workload,
  ],
  ReplicationController: [
    nameColumn,
    number('Desired', count('spec', 'replicas')),
    number('Current', count('status', 'replicas')),
    number('Ready', count('status', 'readyReplicas')),
    aged,
    containerNames,
    containerImages,
    wide('Selector', (controller) => labelsText(at(controller, 'spec', 'selector'))),
  ],
  PodTemplate: [
    nameColumn,
    text('Containers', (object) => namesIn(listAt(object, 'template', 'spec', 'containers'), 'name')),
    text('Images', (object) => namesIn(listAt(object, 'template', 'spec', 'containers'), 'image')),
    text('Pod Labels', (object) => labelsText(at(object, 'template', 'metadata', 'labels'))),
  ],
  ControllerRevision: [nameColumn, text('Controller', controllerOf), number('Revision', count('revision')), aged],
  PodDisruptionBudget: [
    nameColumn,
    text('Min Available', (budget) => wordOf(at(budget, 'spec', 'minAvailable') ?? 'N/A')),
    text('Max Unavailable', (budget) => wordOf(at(budget, 'spec', 'maxUnavailable') ?? 'N/A')),
    number('Allowed Disruptions', count('status', 'disruptionsAllowed')),
    aged,
  ],
  PriorityClass: [
    nameColumn,
    number('Value', count('value')),
    { name: 'Global-Default', type: 'boolean', cell: (one) => at(one, 'globalDefault') === true },
    aged,
    text('PreemptionPolicy', path('preemptionPolicy')),
  ],
  HorizontalPodAutoscaler: [
    nameColumn,
    text(
      'Reference',
      (one) => `${textAt(one, 'spec', 'scaleTargetRef', 'kind')}/${textAt(one, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    text('Targets', autoscalerTargets),
    text('MinPods', (one) => wordOf(at(one, 'spec', 'minReplicas') ?? '<unset>')),
    number('MaxPods', count('spec', 'maxReplicas')),
    number('Replicas', count('status', 'currentReplicas')),
    aged,
  ],
  ResourceQuota: [nameColumn, text('Request', quotaOf(false)), text('Limit', quotaOf(true)), aged],
  LimitRange: [nameColumn, { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp }],
  ComponentStatus: [nameColumn, text('Status', () => 'Unknown'), text('Message', () => ''), text('Error', () => '')],
  StatefulSet: [nameColumn, ready, aged, containerNames, containerImages],
  Lease: [nameColumn, text('Holder', (lease) => textAt(lease, 'spec', 'holderIdentity')), aged],
  Role: [nameColumn, { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp }],
  ClusterRole: [nameColumn, { name: 'Created At', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp }],
  CustomResourceDefinition: [
    nameColumn,
    {
      name: 'Created At',
      type: 'date',
      description: ofCreation,
      cell: ({ metadata }) => metadata.creationTimestamp,
    },
  ],
};
