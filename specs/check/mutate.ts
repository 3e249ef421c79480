import { decide } from '../../rules/engine.ts';
import type { VerdictTable } from '../tables/sections.ts';
import { conformance } from './conformance.ts';
import { drawnFacts, ruledStates, wrongOver } from './facts.ts';
import { limitMutations, machineMutations, type Mutation, ruleMutations } from './mutants.ts';
import type { CheckName, Mutant } from './outcome.ts';
import { verdictPlaces } from './places.ts';
import { changedRun, type Run } from './run.ts';
import { drawnLater } from './samples.ts';
import { limitFaults, orderFaults } from './transcribed.ts';
import { type AnyVerdictSubject, causeFault, drawnFor, firstOf, verdictSubjects, wrongVerdict } from './verdicts.ts';

/** Mutants of one lifecycle, and the check that caught each: all of them, or one in so many, which the seed selects. */
export function mutate(run: Run, oneOf = 1): readonly Mutant[] {
  const { samples } = drawnFacts(run);
  const mutations = [...machineMutations(run), ...ruleMutations(run), ...limitMutations(run)];
  return [
    ...mutations
      .filter((_, index) => (index + run.seed) % oneOf === 0)
      .map((mutation): Mutant => ({
        text: mutation.text,
        at: mutation.at,
        caughtBy: catcher(run, mutation, samples),
      })),
    ...verdictSubjects(run).flatMap(([name, of]) => verdictMutants(run, name, of)),
  ];
}

/** The first check that distinguishes the mutant from the original: behaviour comes before what is written down. */
function catcher(
  run: Run,
  { rules, limits, compared, ...changed }: Mutation,
  facts: readonly unknown[],
): CheckName | null {
  const mutant = changedRun(run, { ...changed, ...(rules ? { rules } : {}) });
  const states = ruledStates(mutant);
  const isCaughtBy = (each: unknown) => states.some((state) => isWrong(mutant, state, each));
  if (rules && facts.some(isCaughtBy)) return 'rules';
  // The limits check catches any changed number, so a compared limit must show over facts at its boundary.
  if (!compared) {
    if (conformance(mutant).length > 0) return 'conformance';
    if (rules && orderFaults(mutant).length > 0) return 'order';
    if (limits && limitFaults(mutant, limits).length > 0) return 'limits';
  }
  if (rules) for (const each of drawnLater(run.subject.facts, run.seed)) if (isCaughtBy(each)) return 'rules';
  return null;
}

const isWrong = (run: Run, state: string, facts: unknown) =>
  wrongOver(run, state, facts, decide(run.rulesByState, state, facts)) !== null;

/** Every mutant of a verdict table: each row negated, each swapped with its neighbour. */
function verdictMutants(run: Run, name: string, of: AnyVerdictSubject): readonly Mutant[] {
  const written = run.table.verdicts.find((table) => table.name === name);
  if (!written) return [];
  const { samples } = drawnFor(run, written, of);
  const places = verdictPlaces(of.file);
  const at = (index: number) => (places.length === of.table.length ? (places[index] ?? of.file) : of.file);
  const caught = (table: AnyVerdictSubject['table']) => verdictCatcher(written, { ...of, table }, samples);
  return of.table.flatMap((rule, index): readonly Mutant[] => {
    const next = of.table[index + 1];
    const id = written.rows[index]?.id ?? rule.reason;
    const negated = of.table.map((each, place) =>
      place === index ? { ...rule, when: (seen: unknown) => !rule.when(seen) } : each,
    );
    return [
      { text: `verdict ${id} negated`, at: at(index), caughtBy: caught(negated) },
      ...causeMutants(written.rows[index], rule, at(index)),
      ...(next
        ? [
            {
              text: `verdict ${id} swapped with the next`,
              at: at(index),
              caughtBy: caught(
                of.table.map((each, place) => (place === index ? next : place === index + 1 ? rule : each)),
              ),
            },
          ]
        : []),
    ];
  });
}

/** A row that lost its cause. */
function causeMutants(
  row: VerdictTable['rows'][number] | undefined,
  { cause, ...rule }: AnyVerdictSubject['table'][number],
  at: string,
): readonly Mutant[] {
  if (row === undefined || cause === undefined) return [];
  const caughtBy = causeFault(row, rule) === null ? null : 'verdicts';
  return [{ text: `cause of verdict ${row.id} left out`, at, caughtBy }];
}

/** A verdict mutant is caught by a different verdict over some facts, or by the changed order of the reasons. */
function verdictCatcher(written: VerdictTable, of: AnyVerdictSubject, facts: readonly unknown[]): CheckName | null {
  if (facts.some((each) => firstOf(of.table, each) === -1 || wrongVerdict(written, of, each) !== null))
    return 'verdicts';
  return of.table.some(({ reason }, index) => (reason || '-') !== written.rows[index]?.reason) ? 'order' : null;
}
