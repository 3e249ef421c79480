import { isJson, wordOf } from '../json.ts';
import { mostFaults } from '../status.ts';
import { type Typed, allowsField, fieldBelow, isPlain, itemBelow, itemStep, shapeOf } from './shape.ts';
import { fieldStep, pathText, placeStep, stepText } from './step.ts';

/** What keeps a value from being applied, each fault behind the path of its field; beyond many only how many more. */
export function typeFaults(typed: Typed, value: unknown): readonly string[] {
  const walk = createWalk();
  visit(typed, value, walk);
  return walk.faults();
}

/** Several faults in one text. */
export const faultsText = (faults: readonly string[]): string =>
  faults.length === 1 ? (faults[0] ?? '') : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');

type Walk = ReturnType<typeof createWalk>;

/** Paths are put together only where there is a fault to report. */
function createWalk() {
  const path: string[] = [];
  const listed: string[] = [];
  let unlisted = 0;
  return {
    below(step: string, run: () => void) {
      path.push(step);
      run();
      path.pop();
    },
    add(why: string) {
      if (listed.length >= mostFaults) unlisted += 1;
      else listed.push(path.length === 0 ? why : `${pathText(path)}: ${why}`);
    },
    faults: () => (unlisted > 0 ? [...listed, `and ${unlisted} more`] : listed),
  };
}

function visit(typed: Typed, value: unknown, walk: Walk): void {
  const why = mismatch(typed, value);
  if (why !== null) return walk.add(why);
  if (Array.isArray(value)) return visitItems(typed, value, walk);
  if (!isJson(value)) return;
  const names = Object.keys(value);
  const unknown = names.find((name) => !allowsField(typed, name));
  if (unknown !== undefined) return walk.below(fieldStep(unknown), () => walk.add('field not declared in schema'));
  for (const name of names) {
    const [inner, below] = [value[name], fieldBelow(typed, name)];
    if (!isPlain(inner) || mismatch(below, inner) !== null)
      walk.below(fieldStep(name), () => visit(below, inner, walk));
  }
}

function visitItems(typed: Typed, items: readonly unknown[], walk: Walk): void {
  const shape = shapeOf(typed, items);
  if (shape.is !== 'list') return;
  const { kind } = shape;
  const ofItem = itemBelow(typed);
  if (kind.by === 'nothing') {
    for (const [index, item] of items.entries()) walk.below(placeStep(index), () => visit(ofItem, item, walk));
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const named = itemStep(typed, kind, item);
    if ('fault' in named) return walk.add(`element ${index}: ${named.fault}`);
    if (seen.has(named.step)) walk.add(`duplicate entries for key ${stepText(named.step)}`);
    seen.add(named.step);
    walk.below(named.step, () => visit(ofItem, item, walk));
  }
}

const shown = (value: unknown) =>
  isJson(value)
    ? `map[${Object.entries(value)
        .map(([name, inner]) => `${name}:${wordOf(inner)}`)
        .join(' ')}]`
    : Array.isArray(value)
      ? `[${value.map(wordOf).join(' ')}]`
      : wordOf(value);

/** A value of another type than its schema has; what is of any type is of the right one. */
function mismatch({ schema }: Typed, value: unknown): string | null {
  const type = schema?.type ?? '';
  if (value === null || schema?.['x-kubernetes-int-or-string'] === true) return null;
  const kind = kinds[type];
  return !kind || kind.holds(value) ? null : kind.fault(value);
}

interface Kind {
  readonly holds: (value: unknown) => boolean;
  readonly fault: (value: unknown) => string;
}

const numeric: Kind = {
  holds: (value) => typeof value === 'number',
  fault: (value) => `expected numeric (int or float), got ${goType(value)}`,
};
const kinds: Readonly<Record<string, Kind>> = {
  object: { holds: isJson, fault: (value) => `expected map, got &{${shown(value)}}` },
  array: { holds: Array.isArray, fault: (value) => `expected list, got &{${shown(value)}}` },
  boolean: {
    holds: (value) => typeof value === 'boolean',
    fault: (value) => `expected boolean, got &{${shown(value)}}`,
  },
  string: { holds: (value) => typeof value === 'string', fault: (value) => notText(value) },
  number: numeric,
  integer: numeric,
};

const notText = (value: unknown) => `expected string, got &value.valueUnstructured{Value:${wordOf(value)}}`;

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJson(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
