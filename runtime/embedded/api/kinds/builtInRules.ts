import { type Json, at, textAt } from '../json.ts';
import { invalidValue, required } from '../schema/cause.ts';
import type { Cause } from '../status.ts';
import { definitionFaults } from './declared/faults.ts';
import { withDefinitionDefaults } from './definition.ts';
import { admissionPolicy, admissionPolicyBinding } from './rules/admissionPolicy.ts';
import { cronJob, job } from './rules/batch.ts';
import { configMap, namespace, secret } from './rules/config.ts';
import { disruptionBudget } from './rules/disruption.ts';
import { ingress, ingressClass } from './rules/ingress.ts';
import { limitRange, resourceQuota } from './rules/limits.ts';
import { endpointSlice, endpoints, service } from './rules/network.ts';
import { networkPolicy } from './rules/networkPolicy.ts';
import { pod, podTemplate } from './rules/pod.ts';
import { binding, clusterRole, role } from './rules/rbac.ts';
import { type KindRules, needs, negatives, withSpec } from './rules/rule.ts';
import { priorityClass } from './rules/scheduling.ts';
import { statefulSet } from './rules/statefulSet.ts';
import { claim, csiDriver, storageClass, volume, volumeAttachment } from './rules/storage.ts';
import { mutatingWebhooks, validatingWebhooks } from './rules/webhook.ts';
import { daemonSet, deployment, replicaSet, replicationController } from './rules/workload.ts';

export const builtInRules = (kind: string): KindRules | undefined => rules[kind];

const autoscaler: KindRules = {
  fill: (object) => withSpec(object, { minReplicas: 1, metrics: [cpuAt80] }),
  faults: (object) => {
    const most = at(object, 'spec', 'maxReplicas');
    const least = at(object, 'spec', 'minReplicas');
    const given = typeof most === 'number' ? most : 0;
    const isOfCore = !textAt(object, 'spec', 'scaleTargetRef', 'apiVersion').includes('/');
    return [
      ...(given < 1 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
      ...(typeof least === 'number' && given < least
        ? [invalidValue('spec.maxReplicas', given, 'must be greater than or equal to `minReplicas`')]
        : []),
      ...(isOfCore && textAt(object, 'spec', 'scaleTargetRef', 'kind') !== 'ReplicationController'
        ? [invalidValue('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group')]
        : []),
    ];
  },
};
function leaseFaults(object: Json): readonly Cause[] {
  const seconds = at(object, 'spec', 'leaseDurationSeconds');
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...negatives(at(object, 'spec'), 'spec', ['leaseTransitions']),
  ];
}

const cpuAt80 = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

const rules: Readonly<Record<string, KindRules>> = {
  Pod: pod,
  PodTemplate: podTemplate,
  Job: job,
  CronJob: cronJob,
  Deployment: deployment,
  ReplicaSet: replicaSet,
  ReplicationController: replicationController,
  StatefulSet: statefulSet,
  DaemonSet: daemonSet,
  ControllerRevision: { faults: needs('revision') },
  Secret: secret,
  ConfigMap: configMap,
  Namespace: namespace,
  Service: service,
  Endpoints: endpoints,
  EndpointSlice: endpointSlice,
  Event: { faults: needs('involvedObject') },
  Ingress: ingress,
  IngressClass: ingressClass,
  NetworkPolicy: networkPolicy,
  PersistentVolume: volume,
  PersistentVolumeClaim: claim,
  StorageClass: storageClass,
  CSIDriver: csiDriver,
  VolumeAttachment: volumeAttachment,
  HorizontalPodAutoscaler: autoscaler,
  PriorityClass: priorityClass,
  PodDisruptionBudget: disruptionBudget,
  ResourceQuota: resourceQuota,
  LimitRange: limitRange,
  Lease: { faults: leaseFaults },
  Role: role,
  ClusterRole: clusterRole,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  ValidatingWebhookConfiguration: validatingWebhooks,
  MutatingWebhookConfiguration: mutatingWebhooks,
  ValidatingAdmissionPolicy: admissionPolicy,
  ValidatingAdmissionPolicyBinding: admissionPolicyBinding,
  CustomResourceDefinition: { fill: withDefinitionDefaults, faults: definitionFaults },
};
