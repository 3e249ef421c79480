import { jsonAt, listAt, numberAt, textAt, at } from '../api/json.ts';
import type { Bucket, Stored } from '../store.ts';
import type { NetworkObject } from './objects.ts';

type Reader = (object: Stored) => NetworkObject | null;

const labelsOf = ({ metadata }: Stored) => metadata.labels ?? {};
const namespaceOf = ({ metadata }: Stored) => metadata.namespace ?? '';

const service: Reader = (object) => ({
  is: 'service',
  namespace: namespaceOf(object),
  name: object.metadata.name,
  clusterIP: textAt(object, 'spec', 'clusterIP'),
  externalName: textAt(object, 'spec', 'type') === 'ExternalName' ? textAt(object, 'spec', 'externalName') : '',
  sticky: textAt(object, 'spec', 'sessionAffinity') === 'ClientIP',
  ports: listAt(object, 'spec', 'ports').map((port) => ({
    name: textAt(port, 'name'),
    protocol: textAt(port, 'protocol') || 'TCP',
    port: numberAt(port, 'port'),
    nodePort: numberAt(port, 'nodePort'),
  })),
});

const slice: Reader = (object) => {
  const of = labelsOf(object)['kubernetes.io/service-name'];
  if (of === undefined || object['addressType'] !== 'IPv4') return null;
  return {
    is: 'slice',
    namespace: namespaceOf(object),
    service: of,
    ports: listAt(object, 'ports').map((port) => ({
      name: textAt(port, 'name'),
      protocol: textAt(port, 'protocol') || 'TCP',
      port: numberAt(port, 'port'),
    })),
    endpoints: listAt(object, 'endpoints').flatMap((endpoint) =>
      listAt(endpoint, 'addresses').map((ip) => ({
        ip: String(ip),
        // Nothing said counts as ready.
        ready: at(endpoint, 'conditions', 'ready') !== false,
        draining: at(endpoint, 'conditions', 'serving') === true && at(endpoint, 'conditions', 'terminating') === true,
        hostname: textAt(endpoint, 'hostname'),
      })),
    ),
  };
};

const isOver = (object: Stored) => ['Succeeded', 'Failed'].includes(textAt(object, 'status', 'phase'));

const pod: Reader = (object) => {
  const ip = textAt(object, 'status', 'podIP');
  if (ip === '' || isOver(object) || at(object, 'spec', 'hostNetwork') === true) return null;
  const ports = listAt(object, 'spec', 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .map((port) => [`${textAt(port, 'protocol') || 'TCP'}/${textAt(port, 'name')}`, numberAt(port, 'containerPort')]);
  return {
    is: 'pod',
    namespace: namespaceOf(object),
    name: object.metadata.name,
    labels: labelsOf(object),
    ip,
    ports: Object.fromEntries(ports) as Readonly<Record<string, number>>,
  };
};

const namespace: Reader = (object) => ({
  is: 'namespace',
  name: object.metadata.name,
  labels: labelsOf(object),
});

const policy: Reader = (object) => ({ is: 'policy', namespace: namespaceOf(object), spec: jsonAt(object, 'spec') });

const ingress: Reader = (object) => ({
  is: 'ingress',
  namespace: namespaceOf(object),
  name: object.metadata.name,
  createdAt: object.metadata.creationTimestamp,
  spec: jsonAt(object, 'spec'),
});

const wakeRoute: Reader = (object) => {
  const port = numberAt(object, 'spec', 'target', 'port');
  const portName = textAt(object, 'spec', 'target', 'portName');
  return {
    is: 'wakeRoute',
    namespace: namespaceOf(object),
    name: object.metadata.name,
    hosts: listAt(object, 'spec', 'rules')
      .flatMap((rule) => listAt(rule, 'hosts'))
      .map((host) => String(host).toLowerCase()),
    backend: {
      service: {
        name: textAt(object, 'spec', 'target', 'service'),
        port: { ...(port !== 0 && { number: port }), ...(portName !== '' && { name: portName }) },
      },
    },
  };
};

const certificate: Reader = (object) => {
  if (object['type'] !== 'kubernetes.io/tls') return null;
  const pem = (key: string) => Buffer.from(textAt(object, 'data', key), 'base64').toString('utf8');
  return {
    is: 'certificate',
    namespace: namespaceOf(object),
    name: object.metadata.name,
    cert: pem('tls.crt'),
    key: pem('tls.key'),
  };
};

/** The kinds that the network is made of, and what is read of each. */
export const readers: Readonly<Record<Bucket, Reader>> = {
  '/namespaces': namespace,
  '/pods': pod,
  '/services': service,
  'discovery.k8s.io/endpointslices': slice,
  'networking.k8s.io/networkpolicies': policy,
  'networking.k8s.io/ingresses': ingress,
  'http.keda.sh/interceptorroutes': wakeRoute,
  '/secrets': certificate,
};
