import type {
  NetworkCertificate,
  NetworkEndpoint,
  NetworkIngress,
  NetworkNamespace,
  NetworkObject,
  NetworkPod,
  NetworkPolicy,
  NetworkService,
  NetworkServicePort,
  NetworkSlice,
  NetworkWakeRoute,
} from './objects.ts';

/** Where a connection may be led: an address of a pod, or of the machine itself. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
}

/** A port of a Service, with those who answer on it now. */
export interface ServedPort extends NetworkServicePort {
  readonly backends: readonly Backend[];
}

export interface ServedService extends Omit<NetworkService, 'ports'> {
  readonly ports: readonly ServedPort[];
  readonly endpoints: readonly NetworkEndpoint[];
}

/** All that is known of the network at one moment, by what it is asked for. */
export interface View {
  /** By `namespace/name`. */
  readonly services: ReadonlyMap<string, ServedService>;
  readonly servicesByIp: ReadonlyMap<string, ServedService>;
  readonly podsByIp: ReadonlyMap<string, NetworkPod>;
  readonly namespaces: ReadonlyMap<string, NetworkNamespace['labels']>;
  /** By namespace. */
  readonly policies: ReadonlyMap<string, readonly NetworkPolicy[]>;
  readonly ingresses: readonly NetworkIngress[];
  /** By host. */
  readonly wakeRoutes: ReadonlyMap<string, NetworkWakeRoute>;
  /** By `namespace/name`. */
  readonly certificates: ReadonlyMap<string, NetworkCertificate>;
}

type Of<Is extends NetworkObject['is']> = Extract<NetworkObject, { readonly is: Is }>;

/** The view that some objects give; an address that two pods claim is that of the later one. */
export function viewOf(objects: Iterable<NetworkObject>): View {
  const all = [...objects];
  const only = <Is extends NetworkObject['is']>(is: Is) => all.filter((one): one is Of<Is> => one.is === is);
  const slices = grouped(only('slice'), ({ namespace, service }) => `${namespace}/${service}`);
  const services = only('service').map((one) => served(one, slices.get(keyOf(one)) ?? []));
  return {
    services: new Map(services.map((one) => [keyOf(one), one])),
    servicesByIp: new Map(services.filter(isReached).map((one) => [one.clusterIP, one])),
    podsByIp: new Map(only('pod').map((one) => [one.ip, one])),
    namespaces: new Map(only('namespace').map(({ name, labels }) => [name, labels])),
    policies: grouped(only('policy'), ({ namespace }) => namespace),
    ingresses: only('ingress'),
    wakeRoutes: new Map(only('wakeRoute').flatMap((route) => route.hosts.map((host) => [host, route] as const))),
    certificates: new Map(only('certificate').map((one) => [keyOf(one), one])),
  };
}

export const keyOf = ({ namespace, name }: Pick<NetworkService, 'namespace' | 'name'>) => `${namespace}/${name}`;

/** Whether a Service has an address of its own. */
export const isReached = ({ clusterIP }: Pick<NetworkService, 'clusterIP'>) => clusterIP !== '' && clusterIP !== 'None';

function grouped<T>(values: readonly T[], keyOfOne: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOfOne(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

const served = (service: NetworkService, slices: readonly NetworkSlice[]): ServedService => ({
  ...service,
  ports: service.ports.map((port) => ({ ...port, backends: backendsOf(port, slices) })),
  endpoints: slices.flatMap(({ endpoints }) => endpoints),
});

/** Those that are ready; while none is, those that still answer although they are about to end. */
function backendsOf(port: NetworkServicePort, slices: readonly NetworkSlice[]): readonly Backend[] {
  const found = slices.flatMap(({ ports, endpoints }) => {
    const number = ports.find(({ name, protocol }) => name === port.name && protocol === port.protocol)?.port;
    return number === undefined ? [] : endpoints.map((endpoint) => ({ endpoint, port: number }));
  });
  const ready = found.filter(({ endpoint }) => endpoint.ready);
  const chosen = ready.length > 0 ? ready : found.filter(({ endpoint }) => endpoint.draining);
  return chosen.map(({ endpoint, port: number }) => ({ ip: endpoint.ip, port: number }));
}
