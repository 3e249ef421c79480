import { KubeConfig } from '@kubernetes/client-node';

/** In place of a path: the credentials of the pod this runs in. */
export const inCluster = 'in-cluster';

/** The kubeconfig of a path, or of the pod this runs in. */
export function kubeConfigOf(from: string): KubeConfig {
  const config = new KubeConfig();
  if (from === inCluster) config.loadFromCluster();
  else config.loadFromFile(from);
  return config;
}
