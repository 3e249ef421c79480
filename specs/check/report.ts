import type { Fault, Outcome } from './outcome.ts';

const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** One disagreement: every place it is about, then what is wrong. */
const faultText = ({ check, at, text }: Fault): string => `  ${check}  ${at.join('  ')}\n    ${text}`;

const score = ({ mutants }: Outcome): string => {
  if (mutants === null) return '';
  const caught = mutants.filter(({ caughtBy }) => caughtBy !== null).length;
  return `, ${caught} of ${plural(mutants.length, 'mutant')} caught`;
};

/** What was found about one lifecycle, for a terminal. */
export function outcomeText(outcome: Outcome): string {
  const { name, table, coverage, searched, faults, mutants, ms } = outcome;
  const rows = table.rows.length + table.absence.length;
  const worlds = searched ? `, ${plural(searched.worlds, 'world')}${searched.exhaustive ? '' : ' (cut off)'}` : '';
  const invariants = plural(table.invariants.length, 'invariant');
  const counts = `${plural(rows, 'row')}, ${plural(Object.keys(coverage.rules).length, 'rule')}${worlds}, ${invariants}`;
  const head = `${faults.length === 0 ? 'ok    ' : 'WRONG '} ${name.padEnd(22)} ${counts}${score(outcome)} (${seconds(ms)})`;
  const survivors = (mutants ?? [])
    .filter(({ caughtBy }) => caughtBy === null)
    .map(({ text, at }) => `  survivor  ${at}\n    ${text}`);
  return [head, ...faults.map(faultText), ...survivors].join('\n');
}

/** The last lines of a run: what all lifecycles come to. */
export function summaryText(outcomes: readonly Outcome[], ms: number): string {
  const faults = outcomes.reduce((sum, outcome) => sum + outcome.faults.length, 0);
  const mutants = outcomes.flatMap((outcome) => outcome.mutants ?? []);
  const caught = mutants.filter(({ caughtBy }) => caughtBy !== null).length;
  const rows = outcomes.flatMap(({ table }) => [...table.rows, ...table.absence]);
  const of = (status: string) => rows.filter((row) => row.status === status).length;
  return [
    `${plural(outcomes.length, 'lifecycle')}, ${plural(rows.length, 'row')}: ${of('stated')} stated, ${of('inferred')} inferred, ${of('ours')} ours`,
    ...(mutants.length === 0 ? [] : [`${caught} of ${plural(mutants.length, 'mutant')} caught`]),
    `${plural(faults, 'disagreement')}, seed ${outcomes[0]?.seed ?? 0}, ${seconds(ms)}`,
  ].join('\n');
}

/** Whether a run found nothing to mend. */
export const isClean = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(
    ({ faults, mutants }) => faults.length === 0 && (mutants ?? []).every(({ caughtBy }) => caughtBy !== null),
  );
