/** A CoreDeployment as far as the kept ones are counted. */
export interface RecordSeen {
  readonly name: string;
  /** The label `app`, empty on a record of the controller. */
  readonly appLabel: string;
  /** When it was recorded. */
  readonly at: number;
}

/** What one decision about a deployment record knows. Provisional: no controller gathers these facts yet. */
export interface DeploymentRecordFacts {
  readonly app: string;
  /** The service is being deleted, or is gone. */
  readonly appDeleted: boolean;
  /** What was done to the service and is to be recorded. */
  readonly done: 'deploy' | 'rollback' | 'clearDomain' | null;
  /** The record this is about; in absence, the one to be. */
  readonly name: string;
  /** A newer record of the service was just added. */
  readonly added: boolean;
  /** Every CoreDeployment that names the service, whoever wrote it. */
  readonly records: readonly RecordSeen[];
}
