import * as fc from 'fast-check';
import type { VerdictRule } from '../../rules/verdict.ts';
import type { VerdictTable } from '../tables/sections.ts';
import { factsPerState, factsText } from './facts.ts';
import type { Fault } from './outcome.ts';
import { messagePattern } from './message.ts';
import { verdictPlaces } from './places.ts';
import type { Run } from './run.ts';
import type { VerdictSubject } from './subject.ts';

type AnyVerdict = VerdictRule<unknown>;
export type AnyVerdictSubject = VerdictSubject<unknown>;

/** How often each row of the verdict tables was met, and what was wrong with them. */
export interface Verdicts {
  readonly held: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
}

export const verdictSubjects = ({ subject }: Run): readonly (readonly [string, AnyVerdictSubject])[] =>
  Object.entries(subject.verdicts ?? {}) as unknown as readonly (readonly [string, AnyVerdictSubject])[];

const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'verdicts', at, text });

/** Every verdict table of a lifecycle against its rows: order, reasons, statuses, exact messages, each row met. */
export function verdicts(run: Run): Verdicts {
  const subjects = verdictSubjects(run);
  const held: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const { name } of run.table.verdicts)
    if (!subjects.some(([heading]) => heading === name))
      faults.push(fault(`the verdict table "${name}" has no rules`, run.table.file));
  for (const [name, of] of subjects) {
    const written = run.table.verdicts.find((table) => table.name === name);
    if (!written) {
      faults.push(fault(`no table under a heading "${name}" holds these verdicts`, run.table.file, of.file));
      continue;
    }
    const shape = shapeFaults(run, written, of);
    faults.push(...shape);
    if (shape.length === 0) faults.push(...overFacts(run, written, of, held));
  }
  return { held, faults };
}

/** The same rows in the same order. */
function shapeFaults(
  { table }: Run,
  written: VerdictTable,
  { table: rules, file }: AnyVerdictSubject,
): readonly Fault[] {
  const places = verdictPlaces(file);
  const placed = (index: number) => (places.length === rules.length ? (places[index] ?? file) : file);
  return Array.from({ length: Math.max(written.rows.length, rules.length) }).flatMap((_, index) => {
    const row = written.rows[index];
    const rule = rules[index];
    if (!row) return [fault(`${written.name}: verdict ${index + 1} (${rule?.reason}) has no row`, placed(index))];
    const at = `${table.file}:${row.line}`;
    if (!rule) return [fault(`${row.id}: row ${index + 1} of ${written.name} has no rule`, at, file)];
    const is = `${rule.reason || '-'} ${rule.status}`;
    const should = `${row.reason} ${row.status === '-' ? rule.status : row.status}`;
    return is === should
      ? []
      : [fault(`${row.id}: verdict ${index + 1} should be ${should}, it is ${is}`, at, placed(index))];
  });
}

/** The index of the first row that holds, or -1. */
export const firstOf = (table: readonly AnyVerdict[], facts: unknown): number =>
  table.findIndex(({ when }) => when(facts));

/** What the verdict over some facts gets wrong, in words; null when it is right. */
export function wrongVerdict(written: VerdictTable, of: AnyVerdictSubject, facts: unknown): string | null {
  const index = firstOf(of.table, facts);
  const [row, rule] = [written.rows[index], of.table[index]];
  if (!row || !rule) return 'no verdict holds';
  const wanted = of.documents(facts);
  if (row.id !== wanted) return `the documents say ${wanted}, the rules ${row.id}`;
  const message = rule.message(facts);
  return messagePattern(row.message).test(message)
    ? null
    : `${row.id} should say "${row.message}", it says "${message}"`;
}

function overFacts(
  run: Run,
  written: VerdictTable,
  of: AnyVerdictSubject,
  held: Record<string, number>,
): readonly Fault[] {
  for (const { id } of written.rows) held[id] ??= 0;
  const details = fc.check(
    fc.property(of.facts, (facts) => {
      const wrong = wrongVerdict(written, of, facts);
      if (wrong !== null) throw new Error(wrong);
      const row = written.rows[firstOf(of.table, facts)];
      if (row) held[row.id] = (held[row.id] ?? 0) + 1;
    }),
    { seed: run.seed, numRuns: factsPerState },
  );
  if (details.failed) {
    const [facts] = details.counterexample ?? [undefined];
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
    const row = written.rows[firstOf(of.table, facts)];
    return [
      fault(
        `${written.name}: ${why}, over the facts\n${factsText(facts)}`,
        `${run.table.file}:${row?.line ?? 1}`,
        of.file,
      ),
    ];
  }
  return written.rows
    .filter(({ id }) => held[id] === 0)
    .map(({ id, line }) =>
      fault(`${id}: this verdict never held over ${factsPerState} facts`, `${run.table.file}:${line}`, of.file),
    );
}
