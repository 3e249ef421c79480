/** The parts of a CoreDeployment that retention depends on. */
export interface RecordSeen {
  readonly name: string;
  /** The label `app`, empty on a record of the controller. */
  readonly appLabel: string;
  /** When it was recorded. */
  readonly at: number;
}

/** The facts of one decision about a deployment record. Provisional: no controller gathers these facts yet. */
export interface DeploymentRecordFacts {
  readonly app: string;
  /** The service is being deleted or no longer exists. */
  readonly appDeleted: boolean;
  /** The action on the service that is to be recorded. */
  readonly done: 'deploy' | 'rollback' | 'clearDomain' | null;
  /** The name of this record; in absence, of the one to be created. */
  readonly name: string;
  /** A newer record of the service was just added. */
  readonly added: boolean;
  /** Every CoreDeployment that names the service, whoever wrote it. */
  readonly records: readonly RecordSeen[];
}
