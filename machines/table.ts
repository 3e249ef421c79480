/** One row of a machine's table: an arrow. `from` is `any` for every state, `to` is `same` when the state stays. */
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

/** A resting state, and what leads out of it. */
export interface Rest {
  readonly state: string;
  readonly until: string;
}

/** A command, and who may give it. */
export interface AskedCommand {
  readonly command: string;
  readonly by: string;
}

/** The longest duration of a state, and the time from which it counts. */
export interface Deadline {
  readonly state: string;
  readonly atMostMs: number;
  readonly since: string;
}

/** The table of one machine. */
export interface Table {
  readonly states: readonly string[];
  readonly rows: readonly Row[];
  /** The arrows from or to absence. */
  readonly absence: readonly Row[];
  /** Claim events: recorded before anything is started outside the process, after which the same pass continues. */
  readonly claims: readonly string[];
  readonly rests: readonly Rest[];
  readonly asked: readonly AskedCommand[];
  readonly deadlines: readonly Deadline[];
  /** Warning states: a transition into one is recorded as a Warning. */
  readonly trouble: readonly string[];
}
