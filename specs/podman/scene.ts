import type { NetworkChange } from '../../runtime/embedded/network/current.ts';
import type {
  IngressSpec,
  NetworkEndpoint,
  NetworkObject,
  NetworkPod,
  NetworkService,
  PolicySpec,
} from '../../runtime/embedded/network/objects.ts';

/** Objects as the network is told of them, with what a test does not name left usual. */
export const serviceChange = (key: string, ip: string, more: Partial<NetworkService> = {}): NetworkChange => {
  const [namespace = '', name = ''] = key.split('/');
  const ports = [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 0 }];
  return [
    `service ${key}`,
    { is: 'service', namespace, name, clusterIP: ip, externalName: '', sticky: false, ports, ...more },
  ];
};

export const endpoint = (ip: string, more: Partial<NetworkEndpoint> = {}): NetworkEndpoint => ({
  ip,
  ready: true,
  draining: false,
  hostname: '',
  ...more,
});

export const sliceChange = (
  key: string,
  endpoints: readonly NetworkEndpoint[],
  ports = [{ name: 'http', protocol: 'TCP', port: 8080 }],
): NetworkChange => {
  const [namespace = '', service = ''] = key.split('/');
  return [`slice ${key}`, { is: 'slice', namespace, service, ports, endpoints }];
};

export const podChange = (key: string, ip: string, more: Partial<NetworkPod> = {}): NetworkChange => {
  const [namespace = '', name = ''] = key.split('/');
  return [`pod ${key}`, { is: 'pod', namespace, name, labels: {}, ip, ports: {}, ...more }];
};

export const namespaceChange = (name: string, labels: Readonly<Record<string, string>> = {}): NetworkChange => [
  `namespace ${name}`,
  { is: 'namespace', name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
];

export const policyChange = (key: string, spec: PolicySpec): NetworkChange => [
  `policy ${key}`,
  { is: 'policy', namespace: key.split('/')[0] ?? '', spec },
];

export const ingressChange = (key: string, spec: IngressSpec, createdAt = '2030-01-01T00:00:00Z'): NetworkChange => {
  const [namespace = '', name = ''] = key.split('/');
  return [`ingress ${key}`, { is: 'ingress', namespace, name, createdAt, spec }];
};

export const wakeRouteChange = (key: string, service: string, ...hosts: readonly string[]): NetworkChange => {
  const [namespace = '', name = ''] = key.split('/');
  const backend = { service: { name: service, port: { number: 80 } } };
  return [`wakeRoute ${key}`, { is: 'wakeRoute', namespace, name, hosts, backend }];
};

export const certificateChange = (key: string, cert: string, privateKey: string): NetworkChange => {
  const [namespace = '', name = ''] = key.split('/');
  return [`certificate ${key}`, { is: 'certificate', namespace, name, cert, key: privateKey }];
};

export const objectsOf = (told: readonly NetworkChange[]): readonly NetworkObject[] =>
  told.flatMap(([, object]) => (object ? [object] : []));
