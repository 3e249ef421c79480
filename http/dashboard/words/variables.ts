import type { SharedVariableItem, Variable } from '../../api.ts';
import { api } from '../api.ts';
import type { Place } from '../routes.ts';

export type OwnKind = 'config' | 'secret';

/** A row of the editor. `saved` is what the server has; null for a new variable. */
export interface VariableRow {
  readonly id: number;
  readonly name: string;
  readonly kind: OwnKind;
  /** Of a stored secret it is empty until a new value is typed. */
  readonly value: string;
  readonly saved: Variable | null;
  readonly isRemoved: boolean;
}

const kindOf = ({ kind }: Variable): OwnKind => (kind === 'secret' ? 'secret' : 'config');

/** The rows of what the server has; injected variables are not among them. */
export const rowsOf = (variables: readonly Variable[]): readonly VariableRow[] =>
  variables
    .filter(({ injected }) => !injected)
    .map((saved, id) => ({
      id,
      name: saved.name,
      kind: kindOf(saved),
      value: saved.value ?? '',
      saved,
      isRemoved: false,
    }));

export function isDirty({ name, kind, value, saved, isRemoved }: VariableRow): boolean {
  if (saved === null) return !isRemoved && (name !== '' || value !== '');
  return isRemoved || kind !== kindOf(saved) || (kind === 'secret' ? value !== '' : value !== (saved.value ?? ''));
}

const named = (name: string, kind: OwnKind, value: string): string => JSON.stringify([name, kind, value]);

/** Whether what the server has is what the rows were saved as. */
export function isAsSaved(rows: readonly VariableRow[], variables: readonly Variable[]): boolean {
  const texts = (of: readonly Variable[]) =>
    of
      .map((one) => named(one.name, kindOf(one), one.value ?? ''))
      .toSorted()
      .join();
  const saved = rows.flatMap((row) => (row.saved === null ? [] : [row.saved]));
  return texts(saved) === texts(variables.filter(({ injected }) => !injected));
}

/** One request that saves a row. */
export interface VariableChange {
  readonly key: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const nameShape = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why the rows cannot be saved; null where they can. */
export function rowsProblem(rows: readonly VariableRow[], locked: readonly string[]): string | null {
  const kept = rows.filter((row) => !row.isRemoved && (isDirty(row) || row.saved !== null));
  const names = kept.map(({ name }) => name);
  const bad = names.find((name) => !nameShape.test(name));
  if (bad !== undefined) return `"${bad}" must be letters, digits and underscores, and not begin with a digit.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} is there twice.`;
  const injected = names.find((name) => locked.includes(name));
  if (injected !== undefined) return `${injected} is injected and cannot be set here.`;
  const hidden = kept.find(({ kind, value, saved }) => kind === 'config' && saved?.kind === 'secret' && value === '');
  return hidden ? `Type the value of ${hidden.name} again: a stored secret is never shown.` : null;
}

/** The rows with another one to fill in. */
export const withNewRow = (rows: readonly VariableRow[]): readonly VariableRow[] => {
  const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
  return [...rows, { id, name: '', kind: 'config', value: '', saved: null, isRemoved: false }];
};

/** The rows once the server has taken the change of one name: a removed one is gone, of a secret the value too. */
export const savedRows = (rows: readonly VariableRow[], name: string): readonly VariableRow[] =>
  rows
    .filter((row) => row.name !== name || !row.isRemoved)
    .map((row) => {
      if (row.name !== name) return row;
      const plain = row.kind === 'config' ? { value: row.value } : {};
      const saved: Variable = { name, kind: row.kind, injected: false, from: '', ...plain };
      return { ...row, saved, value: row.kind === 'secret' ? '' : row.value };
    });

/** The requests that save what is changed of a service, in the order of the rows. */
export const changesOfRows = (app: string, rows: readonly VariableRow[]): readonly VariableChange[] =>
  rows.filter(isDirty).map(({ name, kind, value, saved, isRemoved }) => {
    const stored = isRemoved && saved ? kindOf(saved) : kind;
    const what = `${stored === 'secret' ? 'secrets' : 'config'}/${isRemoved ? 'delete' : 'set'}`;
    return { key: name, path: api.ofApp(app, what), body: isRemoved ? { key: name } : { key: name, value } };
  });

/** The requests that save shared variables of an environment. */
export const changesOfShared = (
  { project, environment }: Place,
  rows: readonly VariableRow[],
): readonly VariableChange[] =>
  rows.filter(isDirty).map(({ name, kind, value, isRemoved }) => ({
    key: name,
    path: api.ofProject(project, isRemoved ? 'variables/delete' : 'variables/set'),
    body: isRemoved ? { environment, name } : { environment, name, value, secret: kind === 'secret' },
  }));

/** A shared variable as the editor takes it. */
export const variableOf = ({ name, kind, value }: SharedVariableItem): Variable => ({
  name,
  kind,
  injected: false,
  from: '',
  ...(value === undefined ? {} : { value }),
});

const quotes: Readonly<Record<string, RegExp>> = { '"': /\\(["\\nrt$])/g };
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unquoted(text: string): string {
  const quote = text.charAt(0);
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote))
    return text.replace(/\s+#.*$/, '').trim();
  const inner = text.slice(1, -1);
  const shape = quotes[quote];
  return shape ? inner.replace(shape, (_, char: string) => escapes[char] ?? char) : inner;
}

/** The variables of a `.env` text: one a line, comments and `export` left out; of a name given twice the last counts. */
export function readEnv(text: string): readonly (readonly [name: string, value: string])[] {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found.set(name, unquoted(value));
  }
  return [...found];
}

/** The rows with pasted variables: known names get the new value, others are added as `kind`. */
export function withEnv(rows: readonly VariableRow[], text: string, kind: OwnKind): readonly VariableRow[] {
  const pasted = new Map(readEnv(text));
  const changed = rows.map((row) => {
    const value = pasted.get(row.name);
    pasted.delete(row.name);
    return value === undefined ? row : { ...row, value, isRemoved: false };
  });
  const next = Math.max(0, ...rows.map(({ id }) => id)) + 1;
  const added = [...pasted].map(([name, value], index): VariableRow => ({
    id: next + index,
    name,
    kind,
    value,
    saved: null,
    isRemoved: false,
  }));
  return [...changed, ...added];
}

const quoted = (value: string): string =>
  /^[\w@%+:,./-]*$/.test(value)
    ? value
    : `"${value.replaceAll(/(["\\$])/g, String.raw`\$1`).replaceAll('\n', String.raw`\n`)}"`;

const isInText = ({ name, kind, isRemoved }: VariableRow): boolean => kind === 'config' && !isRemoved && name !== '';

/** The plain variables as the text of a `.env` file. */
export const envOf = (rows: readonly VariableRow[]): string =>
  rows
    .filter(isInText)
    .map(({ name, value }) => `${name}=${quoted(value)}`)
    .join('\n');

/** The rows of an edited text: plain variables that are no longer in it are removed, secrets stay as they are. */
export function fromEnv(rows: readonly VariableRow[], text: string): readonly VariableRow[] {
  const names = new Set(readEnv(text).map(([name]) => name));
  const kept = rows
    .filter((row) => !isInText(row) || names.has(row.name) || row.saved !== null)
    .map((row) => (isInText(row) && !names.has(row.name) ? { ...row, isRemoved: true } : row));
  return withEnv(kept, text, 'config');
}
