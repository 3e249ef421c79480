import { isJson, ownField, setField } from '../json.ts';
import { StatusError } from '../status.ts';

type Path = readonly string[];
type Container = unknown[] | Record<string, unknown>;

/** A JSON value under edit; the value it began as never changes. */
export interface Draft {
  readonly value: () => unknown;
  /** The value at a path; undefined where only its last step leads nowhere. */
  readonly find: (path: Path) => unknown;
  /** Into a list a value is inserted, unless it is to replace the item. */
  readonly put: (path: Path, value: unknown, how: 'insert' | 'replace') => void;
  readonly remove: (path: Path) => void;
}

/** What does not fit the object is refused without a word on why. */
export const misfit = () =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** Every insertion moves the items behind it. */
const mostMoved = 16_000_000;

/** Begins to edit a value: each list and object in it is copied once, when it is first written to. */
export function draftOf(target: unknown): Draft {
  let root = target;
  let moved = 0;
  const copies = new WeakSet<object>();

  function writable(value: unknown): Container {
    if (!Array.isArray(value) && !isJson(value)) throw misfit();
    if (copies.has(value)) return value as Container;
    const copy: Container = Array.isArray(value) ? value.slice() : { ...value };
    copies.add(copy);
    return copy;
  }

  /** What holds the last step of a path, and that step. */
  function holderOf(path: Path): { readonly holder: Container; readonly last: string } {
    let holder = writable(root);
    root = holder;
    for (const part of path.slice(0, -1)) {
      const inner = writable(childOf(holder, part));
      if (Array.isArray(holder)) holder[indexOf(part, holder.length - 1)] = inner;
      else setField(holder, part, inner);
      holder = inner;
    }
    return { holder, last: path.at(-1) ?? '' };
  }

  function splice(list: unknown[], index: number, gone: 0 | 1, added: readonly unknown[]) {
    moved += gone === added.length ? 0 : list.length - index;
    if (moved > mostMoved)
      throw new StatusError(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: The JSON patch moves items of lists more than ${mostMoved} times`,
      );
    list.splice(index, gone, ...added);
  }

  return {
    value: () => root,
    find(path) {
      let here = root;
      for (const [index, part] of path.entries()) {
        here = childOf(here, part);
        if (here === undefined && index < path.length - 1) throw misfit();
      }
      return here;
    },
    put(path, value, how) {
      if (path.length === 0) return void (root = value);
      const { holder, last } = holderOf(path);
      if (Array.isArray(holder)) splice(holder, indexOf(last, holder.length), how === 'insert' ? 0 : 1, [value]);
      else setField(holder, last, value);
    },
    remove(path) {
      if (path.length === 0) return void (root = null);
      const { holder, last } = holderOf(path);
      if (Array.isArray(holder)) splice(holder, indexOf(last, holder.length - 1), 1, []);
      else delete holder[last];
    },
  };
}

function childOf(holder: unknown, part: string): unknown {
  if (Array.isArray(holder)) return holder[indexOf(part, holder.length - 1)];
  return isJson(holder) ? ownField(holder, part) : undefined;
}

function indexOf(part: string, most: number): number {
  const index = part === '-' ? most : Number(part);
  if (!/^(-|0|[1-9]\d*)$/.test(part) || index > most) throw misfit();
  return index;
}
