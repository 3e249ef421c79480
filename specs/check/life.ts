import { modelOf } from './world.ts';
import type { Run } from './run.ts';

/** One life of an instance, step by step; the first has no label. */
export interface LifeStep {
  readonly label: string;
  readonly world: unknown;
}
export type Life = readonly LifeStep[];

const fieldsOf = (world: unknown): Readonly<Record<string, unknown>> =>
  typeof world === 'object' && world !== null ? (world as Readonly<Record<string, unknown>>) : {};

/** What a step changed in the world, in words. */
function changesOf(before: unknown, after: unknown): string {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => `${name}=${JSON.stringify(now[name]) ?? 'gone'}`)
    .join(' ');
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

/** A life as a table of steps: what happened, the state it led to, what it changed. */
export function lifeText(run: Run, life: Life): string {
  const model = modelOf(run);
  const rows = life.map(({ label, world }, index) => [
    String(index),
    index === 0 ? 'at first' : label,
    model.state(world),
    index === 0 ? changesOf(undefined, world) : changesOf(life[index - 1]?.world, world),
  ]);
  return columnsOf([['#', 'what happened', 'state', 'what it changed'], ...rows]).join('\n');
}
