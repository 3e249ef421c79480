import { grouped, once } from './grouped.ts';
import type { Fault, Mutant, Outcome } from './outcome.ts';

const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Places, with the lines of one file together: `rules/build/events.ts:31,40`. */
function placesText(at: readonly string[]): string {
  const files = grouped(once(at), (place) => place.split(':')[0] ?? '');
  return files.map(([first, ...more]) => [first, ...more.map((place) => place.split(':')[1])].join(',')).join('  ');
}

/** One disagreement: all its places, then what is wrong. */
const faultText = ({ check, at, text }: Fault): string => `  ${check}  ${placesText(at)}\n    ${text}`;

const isSurvivor = ({ caughtBy }: Mutant): boolean => caughtBy === null;

const score = ({ mutants }: Outcome): string => {
  if (mutants === null) return '';
  const caught = mutants.filter((mutant) => !isSurvivor(mutant)).length;
  return `, ${caught} of ${plural(mutants.length, 'mutant')} caught`;
};

/** For a search that was cut off, the field with too many values. */
const cutText = (searched: Outcome['searched']): readonly string[] => {
  if (!searched?.widest) return [];
  const { field, values } = searched.widest;
  return [
    `  cut off  ${field} takes ${values.toLocaleString('en')} different values: let \`within\` bound it, or count less`,
  ];
};

/** The results for one lifecycle, for a terminal. */
export function outcomeText(outcome: Outcome): string {
  const { name, table, coverage, searched, faults, mutants, ms } = outcome;
  const rows = table.rows.length + table.absence.length;
  const worlds = searched ? `, ${plural(searched.worlds, 'state')}${searched.exhaustive ? '' : ' (cut off)'}` : '';
  const invariants = plural(table.invariants.length, 'invariant');
  const counts = `${plural(rows, 'row')}, ${plural(Object.keys(coverage.rules).length, 'rule')}${worlds}, ${invariants}`;
  const survivors = (mutants ?? []).filter(isSurvivor);
  const word = faults.length > 0 ? 'WRONG' : survivors.length > 0 ? 'WEAK' : 'ok';
  const head = `${word.padEnd(6)} ${name.padEnd(22)} ${counts}${score(outcome)} (${seconds(ms)})`;
  return [
    head,
    ...cutText(searched),
    ...faults.map(faultText),
    ...survivors.map(({ text, at }) => `  survivor  ${at}\n    ${text}`),
  ].join('\n');
}

/** The report about a lifecycle that cannot be checked at all, for a terminal. */
export const unreadText = ({ name, why }: Unread): string =>
  [`WRONG  ${name.padEnd(22)} cannot be checked`, ...why.map((line) => `  ${line}`)].join('\n');

/** A lifecycle whose table, machine, rules or subject cannot be read, with each reason on one line. */
export interface Unread {
  readonly name: string;
  readonly why: readonly string[];
}

/** The data of a run besides its outcomes. */
export interface Ran {
  /** Faults besides the disagreements of the outcomes: unreadable, stale or stray files. */
  readonly others: number;
  readonly seed: number;
  readonly ms: number;
}

/** Invariants that no unwanted specification violated: nothing shows that they can fail. */
function unprovenText(outcomes: readonly Outcome[]): readonly string[] {
  const tried = outcomes.filter(({ unproven }) => unproven !== null);
  if (tried.length === 0) return [];
  const all = tried.reduce((sum, { table }) => sum + table.invariants.length, 0);
  const left = tried.flatMap(({ name, unproven }) => (unproven ?? []).map((each) => `${name} ${each}`));
  const rest = left.length === 0 ? '' : `; not ${left.join(', ')}`;
  return [`${all - left.length} of ${plural(all, 'invariant')} broken by a specification that nobody wants${rest}`];
}

/** The last lines of a run: the totals of all lifecycles. */
export function summaryText(outcomes: readonly Outcome[], { others, seed, ms }: Ran): string {
  const faults = outcomes.reduce((sum, outcome) => sum + outcome.faults.length, others);
  const mutants = outcomes.flatMap((outcome) => outcome.mutants ?? []);
  const survivors = mutants.filter(isSurvivor).length;
  const rows = outcomes.flatMap(({ table }) => [...table.rows, ...table.absence]);
  const of = (status: string) => rows.filter((row) => row.status === status).length;
  return [
    `${plural(outcomes.length, 'lifecycle')}, ${plural(rows.length, 'row')}: ${of('stated')} stated, ${of('inferred')} inferred, ${of('ours')} ours`,
    ...(mutants.length === 0
      ? []
      : [
          `${mutants.length - survivors} of ${plural(mutants.length, 'mutant')} caught${survivors === 0 ? '' : `, ${plural(survivors, 'survivor')}`}`,
        ]),
    ...unprovenText(outcomes),
    `${plural(faults, 'disagreement')}, seed ${seed}, ${seconds(ms)}`,
  ].join('\n');
}

/** Whether a run found nothing to fix. */
export const isClean = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(({ faults, mutants }) => faults.length === 0 && !(mutants ?? []).some(isSurvivor));
