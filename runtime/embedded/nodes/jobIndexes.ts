import { type Job, type Pod } from './shapes.ts';

/** On a pod of an Indexed Job: the index it works on. */
export const indexKey = 'batch.kubernetes.io/job-completion-index';
/** On a pod of a Job with a limit for each index: how often its index failed before. */
export const failureCountKey = 'batch.kubernetes.io/job-index-failure-count';

export type Indexes = ReadonlySet<number>;

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';

/** The index that a pod works on; null for one without. */
export function indexOf({ metadata }: Pod): number | null {
  const text = metadata.annotations?.[indexKey] ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

export const failuresBefore = ({ metadata }: Pod): number => Number(metadata.annotations?.[failureCountKey] ?? 0);

/** Reads indexes such as `0,2-4`; those that a Job does not have are left out. */
export function indexesIn(text: string | undefined, completions: number): Indexes {
  const found = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) continue;
    for (let index = Number(first); index <= Number(last) && index < completions; index += 1) found.add(index);
  }
  return found;
}

/** Writes indexes in their order; three and more in a row as a range. */
export function indexText(indexes: Indexes): string {
  const rows: { readonly first: number; last: number }[] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const row = rows.at(-1);
    if (row && row.last === index - 1) row.last = index;
    else rows.push({ first: index, last: index });
  }
  return rows.map(rowText).join(',');
}

function rowText({ first, last }: { readonly first: number; readonly last: number }): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}

/** The lowest indexes below `completions` that are in none of the sets. */
export function freeIndexes(completions: number, taken: readonly Indexes[]): readonly number[] {
  const all = Array.from({ length: completions }, (_, index) => index);
  return all.filter((index) => !taken.some((set) => set.has(index)));
}
