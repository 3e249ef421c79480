import { KubeConfig } from '@kubernetes/client-node/dist/config.js';

/** Used instead of a path: the credentials of the pod that this process runs in. */
export const inCluster = 'in-cluster';

/** The kubeconfig at a path, or that of the pod that this process runs in. */
export function kubeConfigOf(from: string): KubeConfig {
  const config = new KubeConfig();
  if (from === inCluster) config.loadFromCluster();
  else config.loadFromFile(from);
  return config;
}
