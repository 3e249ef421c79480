import type { View } from '../../rules/access/needs.ts';

/** One row as a view reads it, serialized once, with what lists are filtered by. */
export interface Row {
  readonly text: string;
  /** In lower case. */
  readonly searched: readonly string[];
  readonly state: string;
}

type Shown = { readonly name: string; readonly displayName?: string; readonly state?: string };

/**
 * The rows of cached objects. A cached object is immutable, so its row for a view is the same until another object
 * takes its place, and as long as that one is kept.
 */
export function keptRows<O extends object>(show: (object: O, view: View) => Shown): (object: O, view: View) => Row {
  const kept = new WeakMap<O, Map<View, Row>>();
  return (object, view) => {
    const ofViews = kept.get(object) ?? new Map<View, Row>();
    const known = ofViews.get(view);
    if (known !== undefined) return known;
    const row = rowOf(show(object, view));
    kept.set(object, ofViews.set(view, row));
    return row;
  };
}

const rowOf = (shown: Shown): Row => {
  const { name, displayName = '', state = '' } = shown;
  return { text: JSON.stringify(shown), searched: [name.toLowerCase(), displayName.toLowerCase()], state };
};
