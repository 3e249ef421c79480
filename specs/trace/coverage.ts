import { baseOf, byId, nearestIds } from './ids.ts';
import { knownIds, type Project } from './project.ts';
import { type Requirement, requirementsFile } from './requirements.ts';
import { resultsFile } from './results.ts';
import type { Test } from './tests.ts';
import { counted, refused, shortened, type Output } from './output.ts';

/** What is to be listed: one area, or every requirement that nothing proves. */
export interface CoverageOptions {
  readonly area?: string | undefined;
  readonly all?: boolean;
}

/** How a requirement is proved: by a test that ran and passed, only by its row of a table that holds, or not at all. */
type Proof = 'test' | 'table' | 'none';

interface Proved {
  readonly requirement: Requirement;
  readonly proof: Proof;
}

const firstFew = 4;

/** It names every row of every table: what it proves, a table says. */
const tablesSpec = 'specs/check/lifecycles.spec.ts';

/** Per area how many requirements are proved and by what, and which are not; `held` are the rows whose table holds. */
export function coverage(project: Project, held: readonly string[], { area, all }: CoverageOptions): Output {
  const areas = [...new Set([...project.requirements.values()].map((each) => each.area))].toSorted();
  const wanted = area?.toUpperCase();
  if (wanted !== undefined && !areas.includes(wanted))
    return refused(`no area is called "${area}"; there are ${areas.join(', ')}`);
  const proved = proofs(project, held).filter(({ requirement }) => wanted === undefined || requirement.area === wanted);
  const unknown = unknownIds(project);
  const lines = [
    ...table(proved, wanted === undefined ? areas : [wanted]),
    ...(all === true || wanted !== undefined ? ['', ...listOf(proved)] : []),
    '',
    ...basis(project, held),
    ...unknown,
  ];
  return { lines, exit: unknown.length > 0 ? 1 : 0 };
}

function proofs({ requirements, rows, tests }: Project, held: readonly string[]): readonly Proved[] {
  const proving = tests.filter(({ file, came }) => came === 'passed' && file !== tablesSpec);
  const passed = new Set(proving.flatMap(({ ids }) => ids));
  const rowsOf = new Map<string, readonly string[]>();
  for (const id of rows.keys()) rowsOf.set(baseOf(id), [...(rowsOf.get(baseOf(id)) ?? []), id]);
  const holds = new Set(held);
  return [...requirements.values()].map((requirement): Proved => {
    if (passed.has(requirement.id)) return { requirement, proof: 'test' };
    const those = rowsOf.get(requirement.id) ?? [];
    return { requirement, proof: those.length > 0 && those.every((id) => holds.has(id)) ? 'table' : 'none' };
  });
}

const heads = ['area', 'requirements', 'by a test', 'only by a table', 'by nothing', 'the first of these'];

function table(proved: readonly Proved[], areas: readonly string[]): readonly string[] {
  const lineOf = (name: string, those: readonly Proved[], missing: string) => [
    name,
    String(those.length),
    ...(['test', 'table', 'none'] as const).map((proof) => String(those.filter((each) => each.proof === proof).length)),
    missing,
  ];
  const rows = areas.map((area) => {
    const those = proved.filter(({ requirement }) => requirement.area === area);
    return lineOf(area, those, few(those.filter(({ proof }) => proof === 'none')));
  });
  const lines = [heads, ...rows, ...(areas.length > 1 ? [lineOf('all', proved, '')] : [])];
  const widths = heads.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines.map((cells) =>
    cells
      .map((cell, at) =>
        at === 0 || at === heads.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

const few = (missing: readonly Proved[]) => {
  const ids = missing.slice(0, firstFew).map(({ requirement }) => requirement.id);
  return ids.length < missing.length ? [...ids, '…'].join(' ') : ids.join(' ');
};

/** Every requirement that nothing proves, one a line. */
const listOf = (proved: readonly Proved[]) =>
  proved
    .filter(({ proof }) => proof === 'none')
    .toSorted((a, b) => byId(a.requirement.id, b.requirement.id))
    .map(
      ({ requirement: { id, inLine, how_to_check: how, requirement } }) =>
        `${id} (${requirementsFile}:${inLine}, ${how}) ${shortened(requirement, 140)}`,
    );

/** What the numbers rest on. */
function basis({ tests }: Project, held: readonly string[]): readonly string[] {
  const came = (...those: readonly Test['came'][]) => tests.filter(({ came }) => those.includes(came)).length;
  const ran = came('passed', 'failed', 'began');
  return [
    ran === 0
      ? `no test has run: \`npm test\` leaves what came of each in ${resultsFile}`
      : `${counted(came('passed'), 'test')} passed, ${came('failed', 'began')} failed, ${came('skipped')} skipped, ` +
        `${came('not run')} not run since (\`npm test\` runs them); ${counted(held.length, 'row')} of tables that hold`,
  ];
}

/** Tests that name what is no id, in their source or when they ran. */
export function unknownIds(project: Pick<Project, 'requirements' | 'rows' | 'tests'>): readonly string[] {
  const known = knownIds(project);
  const all = new Set(known);
  return project.tests.flatMap(({ file, line, ids }) =>
    ids
      .filter((id) => !all.has(id))
      .map((id) => `${file}:${line} names ${id}, which is no id; near it: ${nearestIds(id, known).join(', ')}`),
  );
}
