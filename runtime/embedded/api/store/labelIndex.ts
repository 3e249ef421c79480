import type { Stored } from '../../store.ts';

/** Which objects of a shelf carry a label, for the labels that somebody selects by. */
export interface LabelIndex {
  /** The keys of the objects that have one of these values, in no order. */
  readonly keys: (label: string, values: readonly string[]) => readonly string[];
  readonly replace: (key: string, before: Stored | null, after: Stored | null) => void;
}

type Values = Map<string, Set<string>>;

/** Of more labels the one that was asked for least lately is forgotten, and indexed again when it is asked for. */
const mostLabels = 8;

/** A label is indexed when it is first asked for: those that nobody selects by cost nothing. */
export function createLabelIndex(objects: ReadonlyMap<string, Stored>): LabelIndex {
  const labels = new Map<string, Values>();

  function indexed(label: string): Values {
    const values: Values = labels.get(label) ?? new Map();
    if (!labels.has(label)) for (const [key, object] of objects) enter(values, object.metadata.labels?.[label], key);
    labels.delete(label);
    labels.set(label, values);
    const [oldest] = labels.keys();
    if (labels.size > mostLabels && oldest !== undefined) labels.delete(oldest);
    return values;
  }

  return {
    keys: (label, values) => {
      const index = indexed(label);
      return [...new Set(values)].flatMap((value) => [...(index.get(value) ?? [])]);
    },
    replace(key, before, after) {
      for (const [label, values] of labels) {
        const [old, now] = [before?.metadata.labels?.[label], after?.metadata.labels?.[label]];
        if (old === now) continue;
        leave(values, old, key);
        enter(values, now, key);
      }
    },
  };
}

function enter(values: Values, value: string | undefined, key: string) {
  if (value === undefined) return;
  const keys = values.get(value) ?? new Set();
  values.set(value, keys.add(key));
}

function leave(values: Values, value: string | undefined, key: string) {
  if (value === undefined) return;
  const keys = values.get(value);
  keys?.delete(key);
  if (keys?.size === 0) values.delete(value);
}
