import type { Service, ServicePort } from './shapes.ts';
import { textAt } from '../api/json.ts';
import { isReady } from '../nodes/readiness.ts';
import { type Pod, isOver } from '../nodes/shapes.ts';

/** One pod behind a Service. */
export interface Backend {
  readonly pod: Pod;
  readonly ip: string;
  /** A pod whose subdomain is the Service has a name of its own below it. */
  readonly hostname?: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** A port of a Service as pods answer on it. */
export interface BackendPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** Pods that answer on the same ports. */
export interface Subset {
  readonly ports: readonly BackendPort[];
  readonly backends: readonly Backend[];
}

/** The pods of a Service, grouped by the ports that its target ports come to in them. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly Subset[] {
  const groups = new Map<string, { ports: readonly BackendPort[]; backends: Backend[] }>();
  for (const pod of pods) {
    const backend = backendOf(service, pod);
    if (!backend) continue;
    const ports = portsIn(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, backends: [] };
    group.backends.push(backend);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ ports, backends }) => ({ ports, backends: backends.sort(byAddress) }));
}

function backendOf({ metadata, spec }: Service, pod: Pod): Backend | null {
  const ip = pod.status?.['podIP'];
  if (typeof ip !== 'string' || ip === '' || isOver(pod)) return null;
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const serving = isReady(pod);
  const ready = spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = textAt(pod, 'spec', 'hostname');
  const isNamed = hostname !== '' && textAt(pod, 'spec', 'subdomain') === metadata.name;
  return { pod, ip, ...(isNamed && { hostname }), ready, serving, terminating };
}

function portsIn({ spec }: Service, pod: Pod): readonly BackendPort[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = targetOf(port, pod);
    if (number === null) return [];
    const { name, protocol = 'TCP', appProtocol } = port;
    return [
      {
        ...(name !== undefined && { name }),
        port: number,
        protocol,
        ...(appProtocol !== undefined && { appProtocol }),
      },
    ];
  });
}

/** The number of a target port in a pod; null when the pod has no port of that name. */
function targetOf({ targetPort, port, protocol = 'TCP' }: ServicePort, { spec }: Pod): number | null {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port;
  if (typeof targetPort === 'number') return targetPort;
  const named = (spec?.containers ?? [])
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol);
  return named?.containerPort ?? null;
}

const byAddress = (a: Backend, b: Backend) => (a.ip < b.ip ? -1 : 1);
