/** The Deployment of a service as read from the cluster. */
export interface WorkloadSeen {
  /** The replicas in its spec. */
  readonly wanted: number;
  readonly available: number;
}

/** The facts of one pass over `<app>-active`. */
export interface ActiveDeploymentFacts {
  readonly now: number;
  /** The service is deployed: not a draft, and not being deleted. */
  readonly deployed: boolean;
  /** Null while the service has no Deployment. */
  readonly workload: WorkloadSeen | null;
  readonly asleep: boolean;
}
