import { basename } from 'node:path';
import { type Change, changes } from './changes.ts';
import { here, type Lifecycle, type Project } from './project.ts';
import { type Tabled, tablesAt, tablesNow } from './revision.ts';
import { testText } from './tests.ts';
import { counted, refused, type Output } from './output.ts';
import { touchedBy } from './touches.ts';

/** What changed in the tables since a revision, in words, and which arrows, rules and tests each change touches. */
export async function diff(revision: string, project: Project, root: string = here): Promise<Output> {
  const before = tablesAt(revision, root);
  return typeof before === 'string' ? refused(before) : compared(before, tablesNow(root), project);
}

/** The same of any two sets of tables, of which the second is the project's. */
export async function compared(before: Tabled, after: Tabled, project: Project): Promise<Output> {
  const files = [...new Set([...before.texts.keys(), ...after.texts.keys()])].toSorted();
  const changed = files.filter((file) => before.texts.get(file) !== after.texts.get(file));
  if (changed.length === 0) return { lines: [`the tables are what they were at ${before.called}`], exit: 0 };
  const lines = [`${counted(changed.length, 'table')} changed since ${before.called}`];
  for (const file of changed) {
    const [old, now] = [before.texts.get(file), after.texts.get(file)];
    const found = changes(old ?? '', now ?? '');
    const whole = now === undefined ? 'gone' : old === undefined ? 'new' : null;
    if (whole !== null) {
      lines.push('', `${file} is ${whole}: ${summary(found)}`);
      continue;
    }
    lines.push('', `${file} ${headline(found)}`);
    const lifecycle = await project.lifecycle(basename(file, '.md'));
    for (const change of found) lines.push(...changeLines(change, { file, before, lifecycle, project }));
    if (typeof lifecycle === 'string') lines.push(`  ${lifecycle}`);
  }
  return { lines, exit: 0 };
}

const headline = (found: readonly Change[]) =>
  found.length === 0 ? 'changed in words outside its tables only' : `has ${counted(found.length, 'change')}`;

/** A table that came or went as a whole: how much of what. */
function summary(found: readonly Change[]): string {
  const ids = found.filter(({ row }) => row.sort.is === 'arrow').map(({ row }) => row.key);
  return `${counted(ids.length, 'arrow')} (${ids.join(' ')}) and ${counted(found.length - ids.length, 'other row')}`;
}

interface TableChange {
  readonly file: string;
  readonly before: Tabled;
  readonly lifecycle: Lifecycle | string;
  readonly project: Project;
}

function changeLines(change: Change, { file, before, lifecycle, project }: TableChange): readonly string[] {
  const { row, was, isGone, text } = change;
  const at = `${file}:${row.line}${isGone ? ` at ${before.called}` : ''}`;
  const hasId = row.sort.is === 'arrow' || row.sort.is === 'verdict';
  const ids = hasId ? [row.key, ...(was ? [was.key] : [])] : [];
  const tests = project.tests.filter((test) => test.ids.some((id) => ids.includes(id)));
  return [
    hasId ? `${row.key} (${at}): ${text}` : `${at}: ${text}`,
    ...(typeof lifecycle === 'string' ? [] : touchedBy(change, lifecycle).map((place) => `  ${place}`)),
    ...tests.map((test) => `  test   ${testText(test)}`),
  ];
}
