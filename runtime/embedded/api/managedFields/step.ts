import { type Json, isJson, wordOf } from '../json.ts';

const mostSteps = 4_096;
const steps = new Map<string, string>();

/** One step of a path: a field, an item of a list by its keys, an item by its value, an item by its place. */
export function fieldStep(name: string): string {
  const known = steps.get(name);
  if (known !== undefined) return known;
  const step = `f:${name}`;
  // Most names are those of schemas and come again and again; keys of maps may be any.
  if (steps.size < mostSteps) steps.set(name, step);
  return step;
}

/** Written here and not from an object: most lists have one key, and a long one is named many times. */
export function keyStep(keys: Json): string {
  const names = Object.keys(keys).toSorted(order);
  return `k:{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(keys[name])}`).join(',')}}`;
}

export const valueStep = (value: unknown): string => `v:${JSON.stringify(value)}`;

export const placeStep = (index: number): string => `i:${index}`;

/** The name of the field that a step leads to; undefined for an item. */
export const fieldOf = (step: string): string | undefined => (step.startsWith('f:') ? step.slice(2) : undefined);

const ranks = ['f:', 'k:', 'v:', 'i:'];

/** Whether a step is of a known sort and can be read. */
export function isStep(step: string): boolean {
  const sort = step.slice(0, 2);
  if (!ranks.includes(sort)) return false;
  return sort === 'f:' || parsed(step) !== undefined;
}

/** Steps in the order in which a set is written: fields, then items by key, by value, by place. */
export function sortedSteps(steps: Iterable<string>): readonly string[] {
  const fields: string[] = [];
  const items: Item[] = [];
  for (const step of steps)
    if (step.startsWith('f:')) fields.push(step);
    else items.push(itemOf(step));
  return [...fields.toSorted(order), ...items.toSorted(compareItems).map(({ step }) => step)];
}

/** A step to an item, read once for all that it is compared with. */
interface Item {
  readonly step: string;
  readonly rank: number;
  readonly value: unknown;
  /** Of a value that is an object. */
  readonly entries: readonly (readonly [string, unknown])[] | null;
}

function itemOf(step: string): Item {
  const value = parsed(step);
  return { step, rank: ranks.indexOf(step.slice(0, 2)), value, entries: entriesOf(value) };
}

const entriesOf = (value: unknown) => (isJson(value) ? Object.entries(value) : null);

const compareItems = (a: Item, b: Item): number =>
  a.rank - b.rank || (a.entries && b.entries ? compareEntries(a.entries, b.entries) : comparePlain(a.value, b.value));

const comparePlain = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : order(wordOf(a), wordOf(b));

function compareValues(a: unknown, b: unknown): number {
  const [ours, theirs] = [entriesOf(a), entriesOf(b)];
  return ours && theirs ? compareEntries(ours, theirs) : comparePlain(a, b);
}

type Entries = NonNullable<Item['entries']>;

function compareEntries(ours: Entries, theirs: Entries): number {
  for (const [index, [name, value]] of ours.entries()) {
    const other = theirs[index];
    if (!other) return 1;
    const first = order(name, other[0]) || compareValues(value, other[1]);
    if (first !== 0) return first;
  }
  return ours.length - theirs.length;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function parsed(step: string): unknown {
  try {
    return JSON.parse(step.slice(2));
  } catch {
    return undefined;
  }
}

/** A step as people read it: `.image`, `[name="web"]`, `[="a"]`, `[0]`. */
export function stepText(step: string): string {
  const name = fieldOf(step);
  if (name !== undefined) return `.${name}`;
  const value = parsed(step);
  if (step.startsWith('v:')) return `[=${JSON.stringify(value)}]`;
  if (!isJson(value)) return `[${wordOf(value)}]`;
  const keys = Object.entries(value).toSorted(([a], [b]) => order(a, b));
  return `[${keys.map(([key, inner]) => `${key}=${JSON.stringify(inner)}`).join(',')}]`;
}

export const pathText = (path: readonly string[]): string => path.map(stepText).join('');
