/** The labels by which a kubelet finds what it made again, named as container runtimes name them. */
export const label = {
  /** The data directory whose server made it. */
  cluster: 'io.kubernetes.cluster.id',
  namespace: 'io.kubernetes.pod.namespace',
  pod: 'io.kubernetes.pod.name',
  uid: 'io.kubernetes.pod.uid',
  container: 'io.kubernetes.container.name',
  /** The run of the container, counted from 0. */
  run: 'io.kubernetes.container.restartCount',
  /** How often in a row the container ended soon after its start before this run. */
  strikes: 'io.kubernetes.container.strikes',
  /** The address that was chosen for the pod. */
  address: 'io.kubernetes.pod.ip',
} as const;
