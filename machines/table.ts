/** One row of a machine's table: an arrow. `from` is `any` for every state, `to` is `same` where the state stays. */
export interface Row {
  readonly id: string;
  readonly from: readonly string[];
  readonly event: string;
  readonly when: string;
  readonly to: string;
  readonly does: readonly string[];
  readonly ensures: readonly string[];
  readonly look: string;
  readonly source: string;
  readonly status: string;
  /** Line of the row in its table. */
  readonly line: number;
}

/** The table of one machine: its arrows, and those that lead from or to absence. */
export interface Table {
  readonly rows: readonly Row[];
  readonly absence: readonly Row[];
}
