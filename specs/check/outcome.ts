import type { Parsed } from '../tables/parse.ts';
import type { Wide } from './widest.ts';

export type CheckName =
  'table' | 'conformance' | 'states' | 'order' | 'limits' | 'rules' | 'verdicts' | 'walks' | 'invariants';

/** One disagreement: where it stands, what was expected and what was found, each line readable alone. */
export interface Fault {
  readonly check: CheckName;
  /** `file:line` of the row, arrow or rule that it is about; the first is the most telling. */
  readonly at: readonly string[];
  readonly text: string;
}

/** How often each row, rule and verdict was met. */
export interface Coverage {
  /** Per row id: times walked in the search and the walks. */
  readonly rows: Readonly<Record<string, number>>;
  /** Per rule id: times it held over generated facts. */
  readonly rules: Readonly<Record<string, number>>;
  /** Per verdict id: times it held over generated facts. */
  readonly verdicts: Readonly<Record<string, number>>;
}

/** What the search of the bounded world found. */
export interface Searched {
  readonly worlds: number;
  readonly steps: number;
  /** False when the search was cut off before every world inside the bound was seen. */
  readonly exhaustive: boolean;
  /** In a search that was cut off, the field of the world that takes the most different values. */
  readonly widest?: Wide | null;
  /** Names of the invariants that were checked, with the number of worlds or steps each was checked on. */
  readonly invariants: Readonly<Record<string, number>>;
}

/** One change that the checks must notice. */
export interface Mutant {
  /** What was changed, in words: `arrow Pending cancelled removed`. */
  readonly text: string;
  /** `file:line` of what was changed. */
  readonly at: string;
  /** The check that caught it, or null for a survivor. */
  readonly caughtBy: CheckName | null;
}

/** Where an arrow or a rule stands in the sources, by `<state> <event>` and by rule id: `file:line`. */
export interface Places {
  readonly arrows: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
}

/** Everything one run found about one lifecycle. */
export interface Outcome {
  readonly name: string;
  readonly provisional: boolean;
  readonly table: Parsed;
  readonly places: Places;
  readonly initial: string;
  readonly faults: readonly Fault[];
  readonly coverage: Coverage;
  readonly searched: Searched | null;
  /** The seed of the random parts; the same seed repeats the run. */
  readonly seed: number;
  readonly mutants: readonly Mutant[] | null;
  /** Invariants that no unwanted specification broke, where such were tried. */
  readonly unproven: readonly string[] | null;
  readonly ms: number;
}
