import { sectionAt } from '../tables/parse.ts';
import { lifeText } from './life.ts';
import type { Fault } from './outcome.ts';
import type { Run } from './run.ts';
import { type Broken, type Explored, search } from './search.ts';
import { keyOf, modelOf, stepsOf } from './world.ts';

/** The number of worlds after which a search gives up. */
const mostWorlds = 60_000;

/** Searches the worlds of one lifecycle alone. */
export function explore(run: Run, most = mostWorlds): Explored {
  const model = modelOf(run);
  return search(
    {
      start: model.start,
      invariants: model.invariants,
      within: (world) => model.within(world),
      key: keyOf,
      steps: (world) => stepsOf(run, world),
      violated: (name, how) => invariantFault(run, name, how),
      round: (world, { row }) => (row !== null && requeuesNow(run, world, row) ? roundFault(run, row) : null),
      restless: () => ({
        check: 'invariants',
        at: [sectionAt(run.table, 'Rest')],
        text: 'passes alone never converge: they loop',
      }),
    },
    most,
  );
}

/** Whether another pass follows a row at once. */
const requeuesNow = (run: Run, world: unknown, row: string): boolean =>
  run.interpreter.arrows.some(
    ({ id, from, look }) => id === row && look === 'now' && from === modelOf(run).state(world),
  );

const roundFault = ({ table, interpreter }: Run, row: string): Fault => ({
  check: 'walks',
  at: [interpreter.arrows.find(({ id }) => id === row)?.at ?? table.file],
  text: `${row} changes nothing and requeues at once: it loops forever`,
});

/** The report about a violated invariant. */
export function invariantFault({ table }: Run, name: string, how: string): Fault {
  const row = table.invariants.find((invariant) => invariant.name === name);
  const at = `${table.file}:${row?.line ?? 1}`;
  return { check: 'invariants', at: [at], text: `${row?.kind ?? 'invariant'} ${name} ${how}: ${row?.holds ?? ''}` };
}

/** A disagreement with the life that shows it. */
export const brokenText = (run: Run, { fault, life }: Broken): Fault => ({
  ...fault,
  text:
    life.length === 0
      ? fault.text
      : `${fault.text}\n${lifeText(run, life, fault.text.includes('left alone') ? 'alone' : 'broken')}`,
});
