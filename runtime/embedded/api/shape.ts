import { endOfString } from './endOfString.ts';
import { isJson } from './json.ts';
import { StatusError } from './status.ts';

/** Far deeper than any object, and as deep as everything that walks through one may recurse. */
export const deepest = 1_000;
/** Whatever holds more keeps everybody else waiting while it is read, checked and stored. */
export const mostValues = 30_000;
/** Higher, because an operation of a JSON patch is several values, and too many operations have an error of their own. */
export const mostValuesOfPatch = 4 * mostValues;

export const tooManyValues = () =>
  new StatusError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: the object holds more than ${mostValues} values`,
  );

const [quote, comma, colon, list, listEnd, object, objectEnd] = Array.from('",:[]{}', (one) => one.charCodeAt(0));

/** What a JSON text is like before it is read. */
interface Measured {
  /** The character that nests too deep. */
  readonly tooDeep: '[' | '{' | null;
  /** How many fields the text names, one that is given twice counted twice; right where the text is valid. */
  readonly names: number;
}

/** Refuses a JSON text of too many values. */
export function measured(text: string, most: number): Measured {
  let names = 0;
  let values = 0;
  let strings = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      strings += 1;
      at = endOfString(text, at) - 1;
    }
    if (code === comma) values += 1;
    else if (code === colon) names += 1;
    else if (code === listEnd || code === objectEnd) depth -= 1;
    else if (code === list || code === object) {
      values += 1;
      depth += 1;
      if (depth > deepest) return { tooDeep: code === list ? '[' : '{', names };
    }
    // A comma separates values, and each has at most a name and a text.
    if (values > most || strings > 2 * most + 2) throw tooManyValues();
  }
  return { tooDeep: null, names };
}

/** How many values each level of a value holds; without recursion, for it may be deeper than the stack. */
function* levelsOf(value: unknown): Generator<number> {
  for (let level: unknown[] = [value]; level.length > 0;) {
    const below: unknown[] = [];
    let values = 0;
    for (const one of level)
      for (const inner of within(one)) {
        values += 1;
        if (typeof inner === 'object' && inner !== null) below.push(inner);
      }
    yield values;
    level = below;
  }
}

const within = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isJson(value) ? Object.values(value) : [];

/** What is wrong with the shape of a value. */
export function shapeFault(value: unknown): 'many' | 'deep' | null {
  let values = 1;
  let depth = 0;
  for (const held of levelsOf(value)) {
    values += held;
    depth += 1;
    if (values > mostValues) return 'many';
    if (depth > deepest) return 'deep';
  }
  return null;
}

/** Whether a value nests deeper than so many levels. */
export function isDeeper(value: unknown, most: number): boolean {
  let depth = 0;
  for (const _ of levelsOf(value)) {
    depth += 1;
    if (depth > most) return true;
  }
  return false;
}

/** Refuses a value of too many values, or one that is too deep. */
export function checkShape(value: unknown): void {
  const fault = shapeFault(value);
  if (fault === 'many') throw tooManyValues();
  if (fault === 'deep') throw new StatusError(422, 'Invalid', `the object is nested deeper than ${deepest} levels`, {});
}
