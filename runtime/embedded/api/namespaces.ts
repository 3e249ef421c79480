import type { Place, Store } from '../store.ts';
import { apiAddress } from './services/ranges.ts';

const everywhere = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const apiService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    type: 'ClusterIP',
    clusterIP: apiAddress,
    clusterIPs: [apiAddress],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
    sessionAffinity: 'None',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 443 }],
  },
  status: { loadBalancer: {} },
};

/** The Service of the API itself, and the address it is reached at. */
export async function ensureApiService(store: Store, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const place = (bucket: string) => ({ bucket, namespace: 'default', name: 'kubernetes' });
  if (!store.get(place('/services'))) await store.create(place('/services'), apiService);
  const metadata = { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } };
  const ports = [{ name: 'https', port: Number(port), protocol: 'TCP' }];
  await put(store, place('/endpoints'), {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata,
    subsets: [{ addresses: [{ ip: hostname }], ports }],
  });
  await put(store, place('discovery.k8s.io/endpointslices'), {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [hostname], conditions: { ready: true } }],
    ports,
  });
}

async function put(store: Store, place: Place, object: object): Promise<void> {
  if (store.get(place)) await store.update(place, (old) => ({ ...old, ...object, metadata: old.metadata }));
  else await store.create(place, object);
}

/** The namespaces that every cluster has, and that of the program around it. */
export async function ensureNamespaces(store: Store, systemNamespace: string): Promise<void> {
  const missing = [...everywhere, systemNamespace].filter(
    (name) => !store.get({ bucket: '/namespaces', namespace: '', name }),
  );
  await Promise.all(
    missing.map((name) => store.create({ bucket: '/namespaces', namespace: '', name }, namespace(name))),
  );
}

const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});
