import {
  type CelType,
  durationType,
  dynType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  parameter,
  scalarTypes,
  timestampType,
  typeOf,
} from '../types/type.ts';
import { opaque } from './opaqueTypes.ts';

/** One way to call a function. */
export interface Overload {
  readonly name: string;
  /** Whether it is called on its first argument. */
  readonly isMember: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Throws an EvaluationError. */
  readonly run: (...args: never[]) => unknown;
}

/** Functions by their signatures: `string.find(string): string`, `isURL(string): bool`, `sets.contains(…): bool`. */
export type Functions = Readonly<Record<string, Overload['run']>>;

/** The overloads of a table of functions. */
export const overloadsIn = (functions: Functions): readonly Overload[] =>
  Object.entries(functions).map(([signature, run]) => ({ ...read(signature), run }));

function read(signature: string): Omit<Overload, 'run'> {
  const [, head = '', params = '', result = ''] = /^(.*?)\((.*)\): (.+)$/.exec(signature) ?? [];
  const dot = head.lastIndexOf('.');
  const receiver = head.startsWith('@') || head.startsWith('_') ? '' : head.slice(0, Math.max(0, dot));
  const target = receiver === '' ? null : typeNamed(receiver);
  return {
    name: target ? head.slice(dot + 1) : head,
    isMember: target !== null,
    params: [...(target ? [target] : []), ...split(params).map(wanted)],
    result: wanted(result),
  };
}

const plain: Readonly<Record<string, CelType>> = {
  ...scalarTypes,
  dyn: dynType,
  null: nullType,
  timestamp: timestampType,
  duration: durationType,
};

function typeNamed(text: string): CelType | null {
  const known = plain[text] ?? opaque[text];
  if (known) return known;
  if (/^[A-Z]$/.test(text)) return parameter(text);
  const [, outer = '', params = ''] = /^(list|map|optional|type)<(.+)>$/.exec(text) ?? [];
  const [first = dynType, second = dynType] = outer === '' ? [] : split(params).map(wanted);
  if (outer === 'list') return listOf(first);
  if (outer === 'map') return mapOf(first, second);
  if (outer === 'type') return typeOf(first);
  return outer === 'optional' ? optionalOf(first) : null;
}

function wanted(text: string): CelType {
  const found = typeNamed(text);
  if (found === null) throw new Error(`no type of this name: ${text}`);
  return found;
}

/** The types between commas that stand in no brackets. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  for (const piece of text.split(/([<>,])/)) {
    depth += piece === '<' ? 1 : piece === '>' ? -1 : 0;
    if (piece === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + piece);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
