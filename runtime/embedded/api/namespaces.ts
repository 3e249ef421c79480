import { systemNamespace } from '../../../crds/names.ts';
import type { Store } from '../store.ts';

const names = ['default', 'kube-system', 'kube-public', systemNamespace];

/** The namespaces that every cluster has, and that of the platform. */
export async function ensureNamespaces(store: Store): Promise<void> {
  const missing = names.filter((name) => !store.get({ bucket: '/namespaces', namespace: '', name }));
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
