import type { Cluster } from '../fixtures/cluster.ts';

/** An object of Core. */
export const core = (kind: string, name: string, spec: object) => ({
  apiVersion: 'core.platform/v1alpha1',
  kind,
  metadata: { name, namespace: 'core-system' },
  spec,
});

export const secret = (name: string, stringData: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'core-system' },
  stringData,
});

export const applyAll = ({ kubectl }: Cluster, ...objects: readonly object[]): Promise<string> =>
  kubectl('apply -f -', { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });
