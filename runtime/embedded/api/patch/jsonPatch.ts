import { type Json, isJson, same, textAt } from '../json.ts';
import { StatusError, badRequest } from '../status.ts';

type Edit = (value: unknown) => unknown;

/** A JSON patch (RFC 6902) applied, all of it or nothing. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('a JSON patch is a list of operations');
  return operations.reduce<unknown>((value, operation) => step(value, isJson(operation) ? operation : {}), target);
}

function step(target: unknown, operation: Json): unknown {
  const path = pointer(textAt(operation, 'path'));
  const value = operation['value'];
  switch (operation['op']) {
    case 'add':
      return edit(target, path, { put: value, insert: true });
    case 'replace':
      read(target, path);
      return edit(target, path, { put: value, insert: false });
    case 'remove':
      read(target, path);
      return edit(target, path, null);
    case 'test':
      if (same(read(target, path), value)) return target;
      throw unprocessable(`testing value ${textAt(operation, 'path')} failed`);
    case 'copy':
      return edit(target, path, { put: read(target, pointer(textAt(operation, 'from'))), insert: true });
    case 'move': {
      const from = pointer(textAt(operation, 'from'));
      return edit(edit(target, from, null), path, { put: read(target, from), insert: true });
    }
    default:
      throw badRequest(`unexpected kind of patch operation: ${JSON.stringify(operation['op'])}`);
  }
}

const unprocessable = (why: string) =>
  new StatusError(422, 'Invalid', `the server rejected our request due to an error in our request: ${why}`);

function pointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) throw badRequest(`a path of a JSON patch starts with a slash: ${JSON.stringify(text)}`);
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

const missing = (path: readonly string[]) => unprocessable(`the path /${path.join('/')} does not exist`);

function read(target: unknown, path: readonly string[]): unknown {
  let here = target;
  for (const part of path) {
    const next = Array.isArray(here)
      ? here[indexOf(part, here.length - 1, path)]
      : isJson(here)
        ? here[part]
        : undefined;
    if (next === undefined) throw missing(path);
    here = next;
  }
  return here;
}

function indexOf(part: string, most: number, path: readonly string[]): number {
  const index = part === '-' ? most : Number(part);
  if (!/^(-|0|[1-9]\d*)$/.test(part) || index > most) throw missing(path);
  return index;
}

/** `change` null removes. */
function edit(
  target: unknown,
  path: readonly string[],
  change: { readonly put: unknown; readonly insert: boolean } | null,
  whole = path,
): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return change ? change.put : null;
  const inner: Edit = (value) => {
    if (value === undefined) throw missing(whole);
    return edit(value, rest, change, whole);
  };
  if (Array.isArray(target)) {
    if (rest.length > 0) return target.with(indexOf(part, target.length - 1, whole), inner(target[Number(part)]));
    if (!change) return target.toSpliced(indexOf(part, target.length - 1, whole), 1);
    return target.toSpliced(indexOf(part, target.length, whole), change.insert ? 0 : 1, change.put);
  }
  if (!isJson(target)) throw missing(whole);
  if (rest.length > 0) return { ...target, [part]: inner(target[part]) };
  const { [part]: _, ...others } = target;
  return change ? { ...target, [part]: change.put } : others;
}
