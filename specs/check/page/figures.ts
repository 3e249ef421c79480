import type { Row } from '../../../machines/table.ts';
import { arrowsOf } from '../../tables/arrows.ts';
import type { Mutant, Outcome } from '../outcome.ts';

/** How many out of how many. */
export interface Share {
  readonly met: number;
  readonly of: number;
}

/** The numbers of one lifecycle, or of several together. */
export interface Figures {
  readonly rows: Share;
  readonly arrows: number;
  readonly stated: number;
  readonly inferred: number;
  readonly ours: number;
  /** Null if nothing was searched. */
  readonly worlds: number | null;
  readonly steps: number;
  readonly exhaustive: boolean;
  readonly invariants: Share;
  readonly rules: Share;
  readonly verdicts: Share;
  /** Null if nothing was mutated. */
  readonly mutants: Share | null;
  readonly faults: number;
}

/** Every row of a table, rows from or to absence last. */
export const rowsOf = ({ table }: Pick<Outcome, 'table'>): readonly Row[] => [...table.rows, ...table.absence];

const share = (counts: readonly number[]): Share => ({ met: counts.filter((n) => n > 0).length, of: counts.length });

const isCaught = ({ caughtBy }: Mutant) => caughtBy !== null;
export const survivorsOf = ({ mutants }: Outcome): readonly Mutant[] => (mutants ?? []).filter((one) => !isCaught(one));

export function figuresOf(outcome: Outcome): Figures {
  const { table, coverage, searched, mutants, faults } = outcome;
  const rows = rowsOf(outcome);
  const withStatus = (status: string) => rows.filter((row) => row.status === status).length;
  const verdicts = table.verdicts.flatMap((verdict) => verdict.rows);
  return {
    rows: share(rows.map(({ id }) => coverage.rows[id] ?? 0)),
    arrows: arrowsOf(table).length,
    stated: withStatus('stated'),
    inferred: withStatus('inferred'),
    ours: withStatus('ours'),
    worlds: searched?.worlds ?? null,
    steps: searched?.steps ?? 0,
    exhaustive: searched?.exhaustive ?? false,
    invariants: share(table.invariants.map(({ name }) => searched?.invariants[name] ?? 0)),
    rules: share(Object.values(coverage.rules)),
    verdicts: share(verdicts.map(({ id }) => coverage.verdicts[id] ?? 0)),
    mutants: mutants && { met: mutants.filter(isCaught).length, of: mutants.length },
    faults: faults.length,
  };
}

const plus = (a: Share, b: Share): Share => ({ met: a.met + b.met, of: a.of + b.of });
const maybe = <T>(a: T | null, b: T | null, join: (a: T, b: T) => T): T | null =>
  a === null ? b : b === null ? a : join(a, b);

const nothing: Share = { met: 0, of: 0 };
const none: Figures = {
  rows: nothing,
  arrows: 0,
  stated: 0,
  inferred: 0,
  ours: 0,
  worlds: null,
  steps: 0,
  exhaustive: true,
  invariants: nothing,
  rules: nothing,
  verdicts: nothing,
  mutants: null,
  faults: 0,
};

/** The totals of several lifecycles. */
export const totalOf = (all: readonly Figures[]): Figures =>
  all.reduce(
    (a, b) => ({
      rows: plus(a.rows, b.rows),
      arrows: a.arrows + b.arrows,
      stated: a.stated + b.stated,
      inferred: a.inferred + b.inferred,
      ours: a.ours + b.ours,
      worlds: maybe(a.worlds, b.worlds, (one, other) => one + other),
      steps: a.steps + b.steps,
      exhaustive: a.exhaustive && (b.worlds === null || b.exhaustive),
      invariants: plus(a.invariants, b.invariants),
      rules: plus(a.rules, b.rules),
      verdicts: plus(a.verdicts, b.verdicts),
      mutants: maybe(a.mutants, b.mutants, plus),
      faults: a.faults + b.faults,
    }),
    none,
  );

/** A share in whole per cent; 100 only if nothing is missing. */
export const percent = ({ met, of }: Share): string => (of === 0 ? '–' : `${Math.floor((100 * met) / of)} %`);
