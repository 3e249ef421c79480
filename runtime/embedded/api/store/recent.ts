import type { Change } from '../../store.ts';

/** The latest changes of one bucket, from which a watch can go on. */
export interface Recent {
  readonly add: (change: Change, revision: number, size: number) => void;
  /** The changes after a revision, oldest first; null when some of them are no longer kept. */
  readonly after: (revision: number) => readonly Change[] | null;
}

interface Kept {
  readonly change: Change;
  readonly revision: number;
  readonly size: number;
}

const mostChanges = 4_096;
const mostCharacters = 8 * 1024 * 1024;

/** `since` is the revision up to which nothing is known. */
export function createRecent(since: number): Recent {
  let kept: Kept[] = [];
  let first = 0;
  let characters = 0;
  let forgotten = since;

  function forgetOldest() {
    const oldest = kept[first];
    if (!oldest) return;
    forgotten = oldest.revision;
    characters -= oldest.size;
    first += 1;
    // Cut off in one go, so that a change costs the same however many are kept.
    if (first > mostChanges) {
      kept = kept.slice(first);
      first = 0;
    }
  }

  return {
    add(change, revision, size) {
      kept.push({ change, revision, size });
      characters += size;
      while (kept.length - first > mostChanges || (characters > mostCharacters && kept.length - first > 1))
        forgetOldest();
    },
    after(revision) {
      if (revision < forgotten) return null;
      let from = kept.length;
      while (from > first && (kept[from - 1]?.revision ?? 0) > revision) from -= 1;
      return kept.slice(from).map(({ change }) => change);
    },
  };
}
