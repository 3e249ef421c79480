import { type FieldSet, emptySet, leafSet, setWith, union } from './fieldSet.ts';

/** A set that is written down on a walk: what is added is the path that the walk has come. */
export interface SetDraft {
  readonly enter: (step: string) => void;
  readonly leave: () => void;
  readonly add: () => void;
  /** Adds the path that goes one step farther. */
  readonly addLeaf: (step: string) => void;
  /** The set, once the walk is back where it began. */
  readonly done: () => FieldSet;
}

interface Place {
  member: boolean;
  below: Map<string, FieldSet> | null;
}

const newPlace = (): Place => ({ member: false, below: null });
const setOfPlace = ({ member, below }: Place): FieldSet => setWith(member, below ?? emptySet.below);

/** Begins a set. No path is gone anew for each field, so that what nests deep takes no longer than what does not. */
export function draftSet(): SetDraft {
  const root = newPlace();
  const steps: string[] = [];
  /** Those below the root on the way to where the walk is, as far as anything was added there. */
  const places: Place[] = [];

  function here(): Place {
    while (places.length < steps.length) places.push(newPlace());
    return places.at(-1) ?? root;
  }

  function leave(): void {
    const step = steps.pop();
    const left = places.length > steps.length ? places.pop() : undefined;
    if (step === undefined || left === undefined) return;
    const above = places.at(-1) ?? root;
    above.below ??= new Map();
    above.below.set(step, union(above.below.get(step) ?? emptySet, setOfPlace(left)));
  }

  return {
    enter: (step) => void steps.push(step),
    leave,
    add: () => void (here().member = true),
    addLeaf(step) {
      const place = here();
      place.below ??= new Map();
      place.below.set(step, union(place.below.get(step) ?? emptySet, leafSet));
    },
    done: () => setOfPlace(root),
  };
}
