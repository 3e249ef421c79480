import { isJson } from '../json.ts';

/** Reads the values that a path finds in an object; empty where it finds none. */
type Finder = (object: unknown) => readonly unknown[];

type Step = (values: readonly unknown[]) => readonly unknown[];

const token =
  /\.?\[\?\(@((?:\.[\w-]+)+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\)\]|\.?\[\*\]|\.?\[(-?\d+)\]|\.?\['((?:[^'\\]|\\.)+)'\]|\.((?:[^.[\]\\]|\\.)+)/y;
const cache = new Map<string, Finder>();

/** The simple JSON paths of printer columns: fields, `[0]`, `[*]`, `['a.b']`, `a\.b`, `[?(@.type=="Ready")]`. */
export function jsonPath(path: string): Finder {
  const known = cache.get(path) ?? compile(path);
  cache.set(path, known);
  return known;
}

function compile(written: string): Finder {
  const path = written.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  const steps: Step[] = [];
  // One of its own, for a filter compiles a path inside of a path.
  const tokens = new RegExp(token);
  while (tokens.lastIndex < path.length) {
    const found = tokens.exec(path);
    if (!found) return () => [];
    steps.push(stepOf(found));
  }
  return (object) => steps.reduce<readonly unknown[]>((values, step) => step(values), [object]);
}

function stepOf([whole, filterPath, operator, ...rest]: RegExpExecArray): Step {
  const [double, single, bare, index, quoted, name] = rest;
  if (filterPath !== undefined) return filter(jsonPath(filterPath), operator === '==', double ?? single ?? bare ?? '');
  if (whole.endsWith('[*]')) return (values) => values.flatMap(membersOf);
  if (index !== undefined)
    return (values) => values.flatMap((value) => (Array.isArray(value) ? keep(value.at(Number(index))) : []));
  const field = (quoted ?? name ?? '').replace(/\\(.)/g, '$1');
  if (field === '*') return (values) => values.flatMap(membersOf);
  return (values) => values.flatMap((value) => (isJson(value) ? keep(value[field]) : []));
}

const filter =
  (find: Finder, equal: boolean, wanted: string): Step =>
  (values) =>
    values.flatMap(membersOf).filter((member) => find(member).some((value) => String(value) === wanted) === equal);

const keep = (value: unknown) => (value === undefined || value === null ? [] : [value]);
const membersOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isJson(value) ? Object.values(value) : [];
