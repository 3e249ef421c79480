import { unknownIds } from './coverage.ts';
import { type Cited, citedIn, citedText } from './documents.ts';
import { baseOf } from './ids.ts';
import { type Project, readProject } from './project.ts';
import { decisionsFile, requirementsFile } from './requirements.ts';

/** Every id and every source that names what is not there, each with its file and line. */
export const strayIn = (project: Project): readonly string[] => [
  ...unnamedRows(project),
  ...unwrittenTransitions(project),
  ...straySources(project),
  ...unknownIds(project),
];

/** The same of the project as it stands, for a run of everything; tables that cannot be read are told elsewhere. */
export const strayFaults = (): readonly string[] => strayIn(readProject());

/** Rows whose id is of no requirement, with a letter or without. */
const unnamedRows = ({ rows, requirements }: Project): readonly string[] =>
  [...rows.values()]
    .flat()
    .filter(({ id }) => !requirements.has(baseOf(id)))
    .map(({ at, id }) => `${at}: ${id} is of no requirement of ${requirementsFile}`);

/** Transitions that are asked for and have no row; where a table cannot be read, its rows are not known. */
function unwrittenTransitions({ rows, requirements, faults }: Project): readonly string[] {
  const written = new Set([...rows.keys()].map(baseOf));
  const missing = [...requirements.values()].filter(({ kind, id }) => kind === 'transition' && !written.has(id));
  return faults.length > 0
    ? []
    : missing.map(({ id, inLine, requirement }) => `${requirementsFile}:${inLine}: ${id} has no row: ${requirement}`);
}

/** Something that was cited, and where. */
interface Citation {
  readonly at: string;
  readonly each: Cited;
}

/** Everything that requirements, rows, limits, looks, words and invariants cite. */
export function citations({ requirements, rows, tables, sections }: Project): readonly Citation[] {
  const sources = [
    ...[...requirements.values()].map(({ id, inLine, source, note }) => ({
      at: `${requirementsFile}:${inLine}: ${id}`,
      source: `${source}; ${note}`,
    })),
    ...[...rows.values()].flat().map(({ at, id, row }) => ({ at: `${at}: ${id}`, source: row.source })),
    ...tables.flatMap(({ file, limits, invariants, words, looks, woken }) => [
      ...looks.map(({ line, look, source }) => ({ at: `${file}:${line}: ${look}`, source })),
      ...woken.map(({ line, rows: [id = ''], source }) => ({ at: `${file}:${line}: ${id}`, source })),
      ...[...limits, ...invariants].map(({ line, name, source }) => ({ at: `${file}:${line}: ${name}`, source })),
      ...words.map(({ line, rule, source }) => ({ at: `${file}:${line}: ${rule}`, source })),
    ]),
  ];
  return sources.flatMap(({ at, source }) => citedIn(source, sections).map((each) => ({ at, each })));
}

/** Sources that name no heading of a document, or a decision that nobody took. */
const straySources = (project: Project): readonly string[] =>
  citations(project).flatMap(({ at, each }) => {
    if (each.is === 'section' && each.section === null) return [`${at} cites ${citedText(each)}`];
    return each.is === 'decision' && !project.decisions.has(each.number)
      ? [`${at} cites decision ${each.number}, which stands not in ${decisionsFile}`]
      : [];
  });
