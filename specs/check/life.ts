import { keyOf, modelOf, stepsOf } from './world.ts';
import type { Run } from './run.ts';

/** One life of an instance, step by step; the first entry has no label. */
export interface LifeStep {
  readonly label: string;
  readonly world: unknown;
}
export type Life = readonly LifeStep[];

const fieldsOf = (world: unknown): Readonly<Record<string, unknown>> =>
  typeof world === 'object' && world !== null ? (world as Readonly<Record<string, unknown>>) : {};

/** The names of the fields in which two worlds differ. */
function changedIn(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}

const told = (world: unknown, names: readonly string[]): string =>
  names.map((name) => `${name}=${JSON.stringify(fieldsOf(world)[name]) ?? 'gone'}`).join(' ');

/** The changes of a step, in words. */
const changesOf = (before: unknown, after: unknown) => told(after, changedIn(before, after));

/**
 * The relevant fields of the first world: those that change later, and those that distinguish it from other beginnings.
 */
function beginningOf(run: Run, life: Life): string {
  const [first] = life;
  const names = Object.keys(fieldsOf(first?.world));
  const others = [...life.map(({ world }) => world), ...modelOf(run).start];
  const changing = new Set(others.flatMap((world) => changedIn(first?.world, world)));
  return told(first?.world, life.length === 1 ? names : names.filter((name) => changing.has(name)));
}

const columnsOf = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map(
    (row) =>
      `    ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
  );
};

/** How a life ends: with a violation, or undisturbed without reaching what an invariant demands. */
export type Ending = 'broken' | 'alone';

const endingOf = (life: Life): Ending => (life.at(-1)?.label.endsWith('left alone') === true ? 'alone' : 'broken');

/** A life as a table of steps: what happened, the new state, the changes. */
export function lifeText(run: Run, life: Life, ending = endingOf(life)): string {
  const model = modelOf(run);
  const rows = life.map(({ label, world }, index) => [
    String(index),
    index === 0 ? 'at first' : label,
    model.state(world),
    index === 0 ? beginningOf(run, life) : changesOf(life[index - 1]?.world, world),
  ]);
  const isOver = ending === 'alone' && isAtRest(run, life.at(-1)?.world);
  return [
    ...columnsOf([['#', 'what happened', 'state', 'what it changed'], ...rows]),
    ...(isOver ? ['    nothing more can happen here'] : []),
  ].join('\n');
}

/** Whether a world does not change when nobody interferes. */
const isAtRest = (run: Run, world: unknown): boolean =>
  stepsOf(run, world).every((taken) => !taken.undisturbed || keyOf(taken.world) === keyOf(world));
