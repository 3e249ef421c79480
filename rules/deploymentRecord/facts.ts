/** The facts of one pass over the record of a deploy. */
export interface DeploymentRecordFacts {
  readonly now: number;
  readonly app: string;
  /** When it was deployed, in ms since the epoch; null when the record does not state it. */
  readonly deployedAt: number | null;
  /** How many records of the service are newer. */
  readonly newer: number;
}
