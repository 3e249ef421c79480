import { type Json, isJson, jsonAt } from '../json.ts';

/**
 * The status that each built-in kind has at least. By the Go types of the API it is a struct and no pointer, so it is
 * written even when it is empty, and so are its fields without `omitempty`.
 */
const leastStatus: Readonly<Record<string, Json>> = {
  CronJob: {},
  DaemonSet: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  Deployment: {},
  HorizontalPodAutoscaler: { desiredReplicas: 0, currentMetrics: null },
  Ingress: { loadBalancer: {} },
  Job: {},
  Namespace: {},
  Node: {
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: '',
      osImage: '',
      containerRuntimeVersion: '',
      kubeletVersion: '',
      kubeProxyVersion: '',
      operatingSystem: '',
      architecture: '',
    },
  },
  PersistentVolume: {},
  PersistentVolumeClaim: {},
  Pod: {},
  PodDisruptionBudget: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  ReplicaSet: { replicas: 0 },
  ReplicationController: { replicas: 0 },
  ResourceQuota: {},
  Service: { loadBalancer: {} },
  StatefulSet: { replicas: 0, availableReplicas: 0 },
  ValidatingAdmissionPolicy: {},
  VolumeAttachment: { attached: false },
};

/** An object of a built-in kind with the status that it has at least. */
export function withLeastStatus(kind: string, object: Json): Json {
  const least = leastStatus[kind];
  return least === undefined ? object : completed({ status: least }, object);
}

/** The very same object where nothing is missing. */
function completed(least: Json, object: Json): Json {
  let whole = object;
  for (const [name, wanted] of Object.entries(least)) {
    const value = isJson(wanted) ? completed(wanted, jsonAt(object, name)) : (object[name] ?? wanted);
    if (value !== object[name]) whole = { ...whole, [name]: value };
  }
  return whole;
}
