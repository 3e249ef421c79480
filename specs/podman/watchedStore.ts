import type { Change, Store, Stored } from '../../runtime/embedded/store.ts';

/** As much of a store as the network reads. */
export function storeOf(objects: Map<string, Stored>) {
  const listeners = new Set<(change: Change) => void>();
  const bucketOf = (key: string) => key.split(' ', 1)[0] ?? '';
  const store: Pick<Store, 'list' | 'onChange'> = {
    list: (bucket) => [...objects].filter(([key]) => bucketOf(key) === bucket).map(([, object]) => object),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const put = (key: string, object: Stored) => {
    objects.set(key, object);
    for (const listener of listeners) listener({ type: 'MODIFIED', bucket: bucketOf(key), object });
  };
  return { store, put };
}

const metadata = (name: string) => ({
  name,
  namespace: 'a',
  uid: name,
  resourceVersion: '1',
  creationTimestamp: '2030-01-01T00:00:00Z',
});

/** The Service `a/web`, and what is behind it. */
export const serviceObject: Stored = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata('web'),
  spec: { clusterIP: '10.96.1.1', ports: [{ name: 'http', port: 80 }] },
};
export const sliceObject = (ip: string): Stored => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...metadata('web-1'), labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080 }],
  endpoints: [{ addresses: [ip], conditions: { ready: true } }],
});
