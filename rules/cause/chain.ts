import type { StoredCause } from '../../crds/cause.ts';
import { isSameObject, type ObjectRef, rootOf } from './cause.ts';

/** An object on the way to a root, with its worst cause; null where it has none, or is of a kind without causes. */
export interface ChainLink {
  readonly object: ObjectRef;
  readonly cause: StoredCause | null;
}

const chainLength = 8;

/**
 * The way from an object to the root of its worst cause, each object once and at most eight: whatever it waits for, and
 * what that waits for in turn. `worstOf` finds the worst cause of an object.
 */
export function chainFrom(object: ObjectRef, worstOf: (of: ObjectRef) => StoredCause | null): readonly ChainLink[] {
  const links: ChainLink[] = [];
  const add = (of: ObjectRef, cause: StoredCause | null): void => {
    links.push({ object: { kind: of.kind, name: of.name, namespace: of.namespace }, cause });
  };
  const has = (of: ObjectRef): boolean => links.some((link) => isSameObject(link.object, of));
  let at: ObjectRef | null = object;
  let root: ObjectRef = object;
  while (at !== null && links.length < chainLength - 1) {
    const cause = worstOf(at);
    add(at, cause);
    root = cause === null ? root : rootOf(cause);
    const next: ObjectRef | undefined = cause === null ? undefined : [cause.on, rootOf(cause)].find((of) => !has(of));
    at = next ?? null;
  }
  if (!has(root)) add(root, worstOf(root));
  return links;
}
