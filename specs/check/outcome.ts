import type { Parsed } from '../tables/parse.ts';
import type { Wide } from './widest.ts';

export type CheckName =
  'table' | 'conformance' | 'states' | 'order' | 'limits' | 'rules' | 'verdicts' | 'walks' | 'invariants';

/** One disagreement: its place, what was expected and what was found; each line is readable alone. */
export interface Fault {
  readonly check: CheckName;
  /** `file:line` of the rows, arrows or rules concerned; the first is the most useful one. */
  readonly at: readonly string[];
  readonly text: string;
}

/** How often each row, rule and verdict was covered. */
interface Coverage {
  /** Per row id: how often the search and the random walks took it. */
  readonly rows: Readonly<Record<string, number>>;
  /** Per rule id: how often it held over generated facts. */
  readonly rules: Readonly<Record<string, number>>;
  /** Per verdict id: how often it held over generated facts. */
  readonly verdicts: Readonly<Record<string, number>>;
}

/** The result of the bounded search. */
export interface Searched {
  readonly worlds: number;
  readonly steps: number;
  /** False if the search was cut off before it had explored every world inside the bound. */
  readonly exhaustive: boolean;
  /** For a search that was cut off, the field of the world with the most different values. */
  readonly widest?: Wide | null;
  /** The names of the checked invariants, with the number of worlds or steps checked for each. */
  readonly invariants: Readonly<Record<string, number>>;
}

/** One mutant that the checks must catch. */
export interface Mutant {
  /** The change, in words: `arrow Pending cancelled removed`. */
  readonly text: string;
  /** `file:line` of the change. */
  readonly at: string;
  /** The check that caught it, or null for a survivor. */
  readonly caughtBy: CheckName | null;
}

/** The places of arrows and rules in the sources, by `<state> <event>` and by rule id: `file:line`. */
export interface Places {
  readonly arrows: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
}

/** All results of one run for one lifecycle. */
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
  /** Invariants that no unwanted specification violated, if such were tried. */
  readonly unproven: readonly string[] | null;
  readonly ms: number;
}
