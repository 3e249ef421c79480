import { isJson, wordOf } from '../json.ts';
import { type Typed, allowsField, fieldBelow, itemBelow, itemStep, shapeOf } from './shape.ts';
import { fieldStep, stepText } from './step.ts';

/** What keeps a value from being applied, each fault behind the path of its field. */
export function typeFaults(typed: Typed, value: unknown): readonly string[] {
  return faultsAt(typed, value, '').map(({ path, why }) => (path === '' ? why : `${path}: ${why}`));
}

/** Several faults in one text. */
export const faultsText = (faults: readonly string[]): string =>
  faults.length === 1 ? (faults[0] ?? '') : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');

interface Fault {
  readonly path: string;
  readonly why: string;
}

function faultsAt(typed: Typed, value: unknown, path: string): readonly Fault[] {
  const why = mismatch(typed, value);
  if (why !== null) return [{ path, why }];
  if (Array.isArray(value)) return listFaults(typed, value, path);
  if (!isJson(value)) return [];
  const unknown = Object.keys(value).find((name) => !allowsField(typed, name));
  if (unknown !== undefined)
    return [{ path: `${path}${stepText(fieldStep(unknown))}`, why: 'field not declared in schema' }];
  return Object.entries(value).flatMap(([name, inner]) =>
    faultsAt(fieldBelow(typed, name), inner, `${path}${stepText(fieldStep(name))}`),
  );
}

function listFaults(typed: Typed, items: readonly unknown[], path: string): readonly Fault[] {
  const shape = shapeOf(typed, items);
  if (shape.is !== 'list') return [];
  const { kind } = shape;
  if (kind.by === 'nothing')
    return items.flatMap((item, index) => faultsAt(itemBelow(typed), item, `${path}[${index}]`));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, item] of items.entries()) {
    const named = itemStep(typed, kind, item);
    if ('fault' in named) return [...faults, { path, why: `element ${index}: ${named.fault}` }];
    const text = stepText(named.step);
    if (seen.has(named.step)) faults.push({ path, why: `duplicate entries for key ${text}` });
    seen.add(named.step);
    faults.push(...faultsAt(itemBelow(typed), item, path + text));
  }
  return faults;
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
  return !kind || kind.holds(value) ? null : kind.told(value);
}

interface Kind {
  readonly holds: (value: unknown) => boolean;
  readonly told: (value: unknown) => string;
}

const numeric: Kind = {
  holds: (value) => typeof value === 'number',
  told: (value) => `expected numeric (int or float), got ${goType(value)}`,
};
const kinds: Readonly<Record<string, Kind>> = {
  object: { holds: isJson, told: (value) => `expected map, got &{${shown(value)}}` },
  array: { holds: Array.isArray, told: (value) => `expected list, got &{${shown(value)}}` },
  boolean: {
    holds: (value) => typeof value === 'boolean',
    told: (value) => `expected boolean, got &{${shown(value)}}`,
  },
  string: { holds: (value) => typeof value === 'string', told: (value) => notText(value) },
  number: numeric,
  integer: numeric,
};

const notText = (value: unknown) => `expected string, got &value.valueUnstructured{Value:${wordOf(value)}}`;

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJson(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
