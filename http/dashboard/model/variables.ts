import { envOf, type Variables } from '../../../rules/variables/env.ts';
import { isVariableName } from '../../../rules/variables/name.ts';
import type { SharedVariableItem, Variable } from '../../api.ts';
import type { Place } from '../routes.ts';
import { requestTo, type WriteRequest } from '../api.ts';

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
  readonly request: WriteRequest<unknown>;
}

/** Why the rows cannot be saved; null where they can. */
export function rowsProblem(rows: readonly VariableRow[], locked: readonly string[]): string | null {
  const remaining = rows.filter((row) => !row.isRemoved && (isDirty(row) || row.saved !== null));
  const names = remaining.map(({ name }) => name);
  const bad = names.find((name) => !isVariableName(name));
  if (bad !== undefined) return `"${bad}" must be letters, digits and underscores, and not begin with a digit.`;
  const unique = new Set<string>();
  const twice = names.find((name) => unique.size === unique.add(name).size);
  if (twice !== undefined) return `${twice} is there twice.`;
  const injected = names.find((name) => locked.includes(name));
  if (injected !== undefined) return `${injected} is injected and cannot be set here.`;
  const hidden = remaining.find(
    ({ kind, value, saved }) => kind === 'config' && saved?.kind === 'secret' && value === '',
  );
  return hidden ? `Type the value of ${hidden.name} again: a stored secret is never shown.` : null;
}

const nextId = (rows: readonly VariableRow[]): number => rows.reduce((last, { id }) => Math.max(last, id), 0) + 1;

/** The rows with another one to fill in. */
export const withNewRow = (rows: readonly VariableRow[]): readonly VariableRow[] => {
  const id = nextId(rows);
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
    const where = (isRemoved && saved ? kindOf(saved) : kind) === 'secret' ? 'secrets' : 'config';
    const route = `POST /apps/{app}/${where}/${isRemoved ? 'delete' : 'set'}` as const;
    return { key: name, request: requestTo(route, { app }, isRemoved ? { key: name } : { key: name, value }) };
  });

/** The requests that save shared variables of an environment. */
export const changesOfShared = (
  { project, environment }: Place,
  rows: readonly VariableRow[],
): readonly VariableChange[] =>
  rows.filter(isDirty).map(({ name, kind, value, isRemoved }) => ({
    key: name,
    request: requestTo(
      `POST /projects/{project}/variables/${isRemoved ? 'delete' : 'set'}`,
      { project },
      isRemoved ? { environment, name } : { environment, name, value, secret: kind === 'secret' },
    ),
  }));

/** A shared variable as the editor takes it. */
export const variableOf = ({ name, kind, value }: SharedVariableItem): Variable => ({
  name,
  kind,
  injected: false,
  from: '',
  ...(value === undefined ? {} : { value }),
});

/** The rows with pasted variables: known names get the new value, others are added as `kind`. */
export function withEnv(rows: readonly VariableRow[], variables: Variables, kind: OwnKind): readonly VariableRow[] {
  const pasted = new Map(variables);
  const changed = rows.map((row) => {
    const value = pasted.get(row.name);
    pasted.delete(row.name);
    return value === undefined ? row : { ...row, value, isRemoved: false };
  });
  const next = nextId(rows);
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

const isInText = ({ name, kind, isRemoved }: VariableRow): boolean => kind === 'config' && !isRemoved && name !== '';

/** The plain variables as the text of a `.env` file. */
export const textOf = (rows: readonly VariableRow[]): string =>
  envOf(rows.filter(isInText).map(({ name, value }) => [name, value]));

/** The rows of an edited text: plain variables that are no longer in it are removed, secrets stay as they are. */
export function fromEnv(rows: readonly VariableRow[], variables: Variables): readonly VariableRow[] {
  const names = new Set(variables.map(([name]) => name));
  const remaining = rows
    .filter((row) => !isInText(row) || names.has(row.name) || row.saved !== null)
    .map((row) => (isInText(row) && !names.has(row.name) ? { ...row, isRemoved: true } : row));
  return withEnv(remaining, variables, 'config');
}
