import { type Json, isJson, same } from '../json.ts';
import { goKind } from '../jsonText.ts';
import { deepest, shapeFault } from '../shape.ts';
import { StatusError, badRequest } from '../status.ts';
import { type Draft, draftOf, misfit } from './draft.ts';

/** Limits of the API server of Kubernetes. */
const mostOperations = 10_000;
const mostCopiedBytes = 3 * 1024 * 1024;
/** Ours: no field of any kind has so long a name, and to read one of megabytes takes long. */
export const longestName = 64 * 1024;

/** A JSON patch (RFC 6902) applied, all of it or nothing. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (operations === null) return target;
  if (!Array.isArray(operations)) throw unreadable(operations, 'value of type []handlers.jsonPatchOp');
  const asked = operations.map(operationOf);
  if (asked.length > mostOperations) throw tooMany(asked.length);
  const draft = draftOf(target);
  const copied = countCopies();
  for (const operation of asked) perform(draft, operation, copied);
  return draft.value();
}

const tooMany = (count: number) =>
  new StatusError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${count}`,
  );

const nameTooLong = () =>
  new StatusError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: a name in the path of a JSON patch is longer than ${longestName} characters`,
  );

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

function perform(draft: Draft, operation: Json, copied: (text: string) => void): void {
  const path = placeAt(operation, 'path');
  const value = operation['value'] ?? null;
  switch (operation['op']) {
    case 'add':
      return draft.put(path, value, 'insert');
    case 'replace':
      // Only the place must be there: a key that is not is added.
      draft.find(path);
      return draft.put(path, value, 'replace');
    case 'remove':
      taken(draft, path);
      return draft.remove(path);
    case 'test':
      if (same(draft.find(path) ?? null, value)) return;
      throw misfit();
    case 'copy': {
      const found = draft.find(placeAt(operation, 'from')) ?? null;
      if (shapeFault(found) !== null) throw misfit();
      const text = JSON.stringify(found);
      copied(text);
      return draft.put(path, JSON.parse(text), 'insert');
    }
    case 'move': {
      const from = placeAt(operation, 'from');
      const moved = taken(draft, from);
      draft.remove(from);
      return draft.put(path, moved, 'insert');
    }
    default:
      throw misfit();
  }
}

/** Sums up what copies add, and refuses more of it than a body may have. */
function countCopies(): (text: string) => void {
  let bytes = 0;
  return (text) => {
    bytes += Buffer.byteLength(text);
    if (bytes > mostCopiedBytes) throw misfit();
  };
}

function placeAt(operation: Json, field: 'path' | 'from'): readonly string[] {
  const text = operation[field];
  if (typeof text !== 'string') throw misfit();
  return pointer(text);
}

function pointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.includes('/')) throw misfit();
  const parts = text.slice(text.indexOf('/') + 1).split('/', deepest + 2);
  // No object nests so deep that a longer path leads anywhere.
  if (parts.length > deepest + 1) throw misfit();
  if (parts.some(({ length }) => length > longestName)) throw nameTooLong();
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a path that must be there. */
function taken(draft: Draft, path: readonly string[]): unknown {
  const value = draft.find(path);
  if (value === undefined) throw misfit();
  return value;
}
