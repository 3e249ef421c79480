import { parseArgs } from 'node:util';
import { conformance } from '../check/conformance.ts';
import type { Fault } from '../check/outcome.ts';
import { runOf } from '../check/run.ts';
import { stateFaults } from '../check/states.ts';
import { limitFaults, orderFaults, wordsFaults } from '../check/transcribed.ts';
import { verdicts } from '../check/verdicts.ts';
import type { Parsed } from '../tables/parse.ts';
import { coverage } from './coverage.ts';
import { diff } from './diff.ts';
import { type Lifecycle, type Project, readProject } from './project.ts';
import { SheetError } from './sheet.ts';
import { lifecycleOf, namedRows } from './tables.ts';
import { refused, type Output } from './output.ts';
import { why } from './why.ts';

/** Answers over the project as it stands; a sheet or a table that cannot be read says why. */
async function over(answer: (project: Project) => Promise<Output>): Promise<Output> {
  try {
    const project = readProject();
    const { lines, exit } = await answer(project);
    return project.faults.length === 0 ? { lines, exit } : { lines: [...lines, ...project.faults], exit: exit || 1 };
  } catch (error) {
    if (error instanceof SheetError) return refused(...error.faults);
    throw error;
  }
}

async function whyCommand(ids: readonly string[]): Promise<Output> {
  if (ids.length === 0) return refused('why what? npm run specs -- why BLD-157');
  return over(async (project) => {
    const outputs = await Promise.all(ids.map((id) => why(id, project)));
    return { lines: outputs.flatMap(({ lines }) => lines), exit: outputs.find(({ exit }) => exit !== 0)?.exit ?? 0 };
  });
}

async function diffCommand([revision, ...more]: readonly string[]): Promise<Output> {
  if (revision === undefined || more.length > 0) return refused('since which revision? npm run specs -- diff HEAD~1');
  return over((project) => diff(revision, project));
}

/** What a table and its machine, rules and verdicts differ in; lives are not walked here. */
function faultsOf(table: Parsed, { subject, places }: Lifecycle): readonly Fault[] {
  const run = runOf({ subject, table, places, seed: 1 });
  return [
    ...conformance(run),
    ...stateFaults(run),
    ...orderFaults(run),
    ...wordsFaults(run),
    ...limitFaults(run, subject.limits?.values ?? {}),
    ...verdicts(run).faults,
  ];
}

/** The rows of every table that its machine and rules are. */
async function heldRows(project: Project, area: string | undefined): Promise<readonly string[]> {
  const held: string[] = [];
  for (const table of project.tables) {
    const ids = namedRows(table).map(({ id }) => id);
    if (area !== undefined && !ids.some((id) => id.startsWith(`${area.toUpperCase()}-`))) continue;
    const lifecycle = await project.lifecycle(lifecycleOf(table));
    if (typeof lifecycle !== 'string' && faultsOf(table, lifecycle).length === 0) held.push(...ids);
  }
  return held;
}

async function coverageCommand(args: readonly string[]): Promise<Output> {
  const { values } = parseArgs({
    args: [...args],
    options: { area: { type: 'string' }, all: { type: 'boolean', default: false } },
  });
  return over(async (project) => coverage(project, await heldRows(project, values.area), values));
}

/** What can be asked about ids and revisions, by the first word of the command line. */
export const traceCommands: Readonly<Record<string, (args: readonly string[]) => Promise<Output>>> = {
  why: whyCommand,
  diff: diffCommand,
  coverage: coverageCommand,
};
