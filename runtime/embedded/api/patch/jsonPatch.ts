import { type Json, isJson, same } from '../json.ts';
import { goKind } from '../jsonText.ts';
import { StatusError, badRequest } from '../status.ts';

type Edit = (value: unknown) => unknown;

/** A JSON patch (RFC 6902) applied, all of it or nothing. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (operations === null) return target;
  if (!Array.isArray(operations)) throw unreadable(operations, 'value of type []handlers.jsonPatchOp');
  return operations.map(operationOf).reduce<unknown>(step, target);
}

function operationOf(value: unknown): Json {
  if (value === null) return {};
  if (!isJson(value)) throw unreadable(value, 'value of type handlers.jsonPatchOp');
  for (const [field, one] of Object.entries(value))
    if (isMistyped([field, one])) throw unreadable(one, `struct field jsonPatchOp.${field} of type string`);
  return value;
}

const unreadable = (value: unknown, place: string) =>
  badRequest(`error decoding patch: json: cannot unmarshal ${goKind(value)} into Go ${place}`);

const isMistyped = ([field, value]: readonly [string, unknown]) =>
  ['op', 'path', 'from'].includes(field) && typeof value !== 'string' && value !== null;

function step(target: unknown, operation: Json): unknown {
  const path = placeAt(operation, 'path');
  const value = operation['value'] ?? null;
  switch (operation['op']) {
    case 'add':
      return edit(target, path, { put: value, insert: true });
    case 'replace':
      // Only the place must be there: a key that is not is added.
      found(target, path);
      return edit(target, path, { put: value, insert: false });
    case 'remove':
      read(target, path);
      return edit(target, path, null);
    case 'test':
      if (same(found(target, path) ?? null, value)) return target;
      throw misfit();
    case 'copy':
      return edit(target, path, { put: found(target, placeAt(operation, 'from')) ?? null, insert: true });
    case 'move': {
      const from = placeAt(operation, 'from');
      return edit(edit(target, from, null), path, { put: read(target, from), insert: true });
    }
    default:
      throw misfit();
  }
}

/** What does not fit the object is refused without a word on why. */
const misfit = () =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

function placeAt(operation: Json, field: 'path' | 'from'): readonly string[] {
  const text = operation[field];
  if (typeof text !== 'string') throw misfit();
  return pointer(text);
}

function pointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.includes('/')) throw misfit();
  return text
    .slice(text.indexOf('/') + 1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function read(target: unknown, path: readonly string[]): unknown {
  const value = found(target, path);
  if (value === undefined) throw misfit();
  return value;
}

/** The value at a path; undefined where only its last step leads nowhere. */
function found(target: unknown, path: readonly string[]): unknown {
  let here = target;
  for (const part of path) {
    const next = Array.isArray(here) ? here[indexOf(part, here.length - 1)] : isJson(here) ? here[part] : undefined;
    if (next === undefined && part !== path.at(-1)) throw misfit();
    here = next;
  }
  return here;
}

function indexOf(part: string, most: number): number {
  const index = part === '-' ? most : Number(part);
  if (!/^(-|0|[1-9]\d*)$/.test(part) || index > most) throw misfit();
  return index;
}

/** `change` null removes. */
function edit(
  target: unknown,
  path: readonly string[],
  change: { readonly put: unknown; readonly insert: boolean } | null,
): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return change ? change.put : null;
  const inner: Edit = (value) => {
    if (value === undefined) throw misfit();
    return edit(value, rest, change);
  };
  if (Array.isArray(target)) {
    if (rest.length > 0) return target.with(indexOf(part, target.length - 1), inner(target[Number(part)]));
    if (!change) return target.toSpliced(indexOf(part, target.length - 1), 1);
    return target.toSpliced(indexOf(part, target.length), change.insert ? 0 : 1, change.put);
  }
  if (!isJson(target)) throw misfit();
  if (rest.length > 0) return { ...target, [part]: inner(target[part]) };
  const { [part]: _, ...others } = target;
  return change ? { ...target, [part]: change.put } : others;
}
