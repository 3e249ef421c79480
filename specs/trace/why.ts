import { fromOf, statesOf } from '../tables/parse.ts';
import { type Cited, citedIn, citedText } from './documents.ts';
import { baseOf, nearestIds } from './ids.ts';
import { knownIds, type Lifecycle, type Project } from './project.ts';
import { decisionsFile, type Requirement, requirementsFile } from './requirements.ts';
import { lifecycleOf, type Named } from './tables.ts';
import { testText } from './tests.ts';
import { refused, type Output } from './output.ts';
import { arrowTexts, ruleTexts } from './touched.ts';
import { rowText, verdictText } from './words.ts';

/** Everything that hangs on one id: requirement, document, decision, row, arrow, rule, tests. */
export async function why(asked: string, project: Project): Promise<Output> {
  const id = asked.trim().replace(/^[a-z]+/, (area) => area.toUpperCase());
  const known = knownIds(project);
  if (!known.includes(id)) return refused(`"${asked}" is no id; near it: ${nearestIds(asked, known).join(', ')}`);
  const requirement = project.requirements.get(id);
  const rows = [...project.rows.values()].flat().filter((row) => row.id === id || baseOf(row.id) === id);
  const rendered = await Promise.all(rows.map((row) => rowLines(row, id, project)));
  const lines = [
    ...(requirement ? requirementLines(requirement) : oursLines(id, project)),
    ...sourceLines(requirement, rows, project),
    ...(rows.length === 0 && requirement?.kind === 'transition' ? [under('row', 'none: no table has this id')] : []),
    ...rendered.flat(),
    ...testLines(id, project),
  ];
  return { lines, exit: 0 };
}

/** One line of an answer, behind the name of what it tells. */
const under = (label: string, text: string) => `  ${label.padEnd(11)} ${text}`;

const requirementLines = ({ id, requirement, kind, how_to_check: how, note, inLine }: Requirement) => [
  `${id} ${requirement}`,
  under(
    'requirement',
    `${requirementsFile}:${inLine} ${kind}, to be checked by ${how}${note === '' ? '' : `; ${note}`}`,
  ),
];

/** A row that no requirement asks for by its own id. */
function oursLines(id: string, { requirements }: Project): readonly string[] {
  const base = requirements.get(baseOf(id));
  return [
    `${id} is a row of a table and stands in no requirement of its own`,
    ...(base ? [under('near', `${base.id} ${base.requirement}`)] : []),
  ];
}

/** Document, section and line, decision: of the requirement, and of its rows where they name others. */
function sourceLines(
  requirement: Requirement | undefined,
  rows: readonly Named[],
  { sections, decisions }: Project,
): readonly string[] {
  const cited = [
    ...citedIn(requirement?.source ?? '', sections),
    ...citedIn(requirement?.note ?? '', sections).filter(({ is }) => is === 'decision'),
    ...rows.flatMap(({ row }) => citedIn(row.source, sections)),
  ];
  const text = (each: Cited) => {
    if (each.is === 'section') return under('document', citedText(each));
    if (each.is === 'words') return under('source', each.words);
    const decision = decisions.get(each.number);
    if (!decision) return under('decision', `${each.number}, which stands not in ${decisionsFile}`);
    const { open, decided, inLine } = decision;
    return under(
      'decision',
      `${each.number} (${decisionsFile}:${inLine}) ${open === '' ? '' : `${open} Decided: `}${decided}`,
    );
  };
  return [...new Set(cited.map(text))];
}

const textOf = (named: Named): string => (named.is === 'verdict' ? verdictText(named.row) : rowText(named.row));

/** A row, with its own id where it has a letter more than was asked for, and where the sources bring it about. */
async function rowLines(named: Named, asked: string, project: Project): Promise<readonly string[]> {
  const row = under('row', `${named.at} ${named.id === asked ? '' : `${named.id}: `}${textOf(named)}`);
  const lifecycle = await project.lifecycle(lifecycleOf(named.table));
  if (typeof lifecycle === 'string') return [row, under('machine', lifecycle)];
  if (named.is === 'verdict') return [row, under('verdict', verdictPlace(named, lifecycle))];
  return [row, ...arrowLines(named, lifecycle), ...ruleLines(named, lifecycle)];
}

function verdictPlace({ heading, index }: Extract<Named, { readonly is: 'verdict' }>, { verdicts }: Lifecycle): string {
  const at = verdicts[heading]?.[index];
  return at === undefined ? `the rules have no such row of "${heading}"` : `${at} row ${index + 1} of "${heading}"`;
}

type Arrow = Extract<Named, { readonly is: 'arrow' | 'absence' }>;

function arrowLines({ row, is, table }: Arrow, lifecycle: Lifecycle): readonly string[] {
  if (is === 'absence') return [under('arrow', 'none: what comes into being or goes stands in no machine')];
  const way = { from: fromOf(row, statesOf(table)), event: row.event };
  return arrowTexts(way, lifecycle).map((text) => under('arrow', text));
}

/** The rules that yield the row's event in its states, or who asks for it. */
function ruleLines({ row, table }: Arrow, lifecycle: Lifecycle): readonly string[] {
  const { event } = row;
  const other = table.elsewhere.find((each) => each.event === event);
  if (other) return [under('comes from', `${other.by} (${table.file}:${other.line}); no rule yields ${event}`)];
  const from = fromOf(row, statesOf(table));
  const rules = ruleTexts({ from, event }, lifecycle);
  if (rules.length > 0) return rules.map((text) => under('rule', text));
  return [under('rule', `none in ${lifecycle.subject.files.rules} yields ${event} in ${from.join(', ')}`)];
}

function testLines(id: string, { tests }: Project): readonly string[] {
  const naming = tests.filter(({ ids }) => ids.some((each) => each === id || baseOf(each) === id));
  return naming.length === 0 ? [under('test', 'none names it')] : naming.map((test) => under('test', testText(test)));
}
