import { type JsonText, jsonText } from '../response/jsonText.ts';

/**
 * What a view reads of cached objects. A cached object is immutable, so what is made of it for a view is the same until
 * another object takes its place, and is kept as long as that one.
 */
export function keptByView<O extends object, V extends string, T>(
  make: (object: O, view: V) => T,
): (object: O, view: V) => T {
  const kept = new WeakMap<O, Map<V, T>>();
  return (object, view) => {
    const ofViews = kept.get(object) ?? new Map<V, T>();
    const known = ofViews.get(view);
    if (known !== undefined) return known;
    const fresh = make(object, view);
    kept.set(object, ofViews.set(view, fresh));
    return fresh;
  };
}

/** One row, serialized once, with what lists are filtered by. */
export interface Row<T> {
  readonly text: JsonText<T>;
  /** In lower case. */
  readonly searched: readonly string[];
  readonly state: string;
}

interface Shown {
  readonly name: string;
  readonly displayName?: string;
  readonly state: string;
}

export const rowOf = <T extends Shown>(shown: T): Row<T> => {
  const { name, displayName = '', state } = shown;
  return { text: jsonText(shown), searched: [name.toLowerCase(), displayName.toLowerCase()], state };
};

/** Whether one of some texts in lower case contains what is searched for. */
export function isFound(texts: readonly string[], search: string | undefined): boolean {
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.includes(wanted));
}
