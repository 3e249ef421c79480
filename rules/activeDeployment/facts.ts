/** The Deployment of a service as it was seen. */
export interface WorkloadSeen {
  /** Replicas its spec asks for. */
  readonly wanted: number;
  readonly available: number;
}

/** What one pass of `<app>-active` knows. Provisional: no controller gathers these facts yet. */
export interface ActiveDeploymentFacts {
  /** The service is deployed: no draft, and not being deleted. */
  readonly deployed: boolean;
  /** Null while the service has no Deployment. */
  readonly workload: WorkloadSeen | null;
  readonly asleep: boolean;
}
