import { typeName } from '../schema/cause.ts';

/** A value that does not fit its field: what stands in it, and what the field is. */
export interface Mismatch {
  readonly value: unknown;
  /** The name of the type whose field it is. */
  readonly holder: string;
  /** The path of the field, without the positions in lists and the keys of maps. */
  readonly path: readonly string[];
  readonly goType: string;
  readonly wanted: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'object';
}

/** What came first of what cannot be read, in the words of whoever reads it. */
export type Unreadable =
  { readonly is: 'mismatch'; readonly mismatch: Mismatch } | { readonly is: 'said'; readonly why: string };

const jsonWords: Readonly<Record<string, string>> = { integer: 'number', boolean: 'bool' };

/** As the reader of JSON says it. */
export function inJson(unreadable: Unreadable): string {
  if (unreadable.is === 'said') return unreadable.why;
  const { value, holder, path, goType, wanted } = unreadable.mismatch;
  const type = typeName(value);
  const literal = typeof value === 'number' && wanted === 'integer' ? ` ${value}` : '';
  const field = path.length === 0 ? 'value' : `struct field ${holder}.${path.join('.')}`;
  return `json: cannot unmarshal ${jsonWords[type] ?? type}${literal} into Go ${field} of type ${goType}`;
}

const kinds: Readonly<Record<string, string>> = {
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  array: 'slice',
  object: 'map',
};
const wantedKinds: Readonly<Record<string, string>> = { text: 'string', number: 'float64', boolean: 'bool' };

/** As whoever applies a strategic merge patch says it. */
export function inPatch(unreadable: Unreadable): string {
  if (unreadable.is === 'said') return unreadable.why;
  const { value, goType, wanted } = unreadable.mismatch;
  const type = typeName(value);
  const kind = kinds[type] ?? type;
  if (wanted === 'list' || wanted === 'map')
    return `cannot restore ${wanted === 'list' ? 'slice' : 'map'} from ${kind}`;
  if (wanted === 'object') return `cannot restore struct from: ${kind}`;
  const converts = (wanted === 'text' && type === 'integer') || (wanted === 'integer' && type === 'number');
  return converts ? `cannot convert ${kind} to ${goType}` : `unrecognized type: ${wantedKinds[wanted] ?? goType}`;
}
