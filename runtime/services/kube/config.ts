import { KubeConfig } from '@kubernetes/client-node';

/** The kubeconfig of a path, or of the pod this runs in. */
export function kubeConfigOf(from: string): KubeConfig {
  const config = new KubeConfig();
  if (from === 'in-cluster') config.loadFromCluster();
  else config.loadFromFile(from);
  return config;
}
