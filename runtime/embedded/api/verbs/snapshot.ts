import type { Bucket, Change, Stored } from '../../store.ts';
import type { ApiStore } from '../store/store.ts';

/** The objects of a bucket as they were at a version; null when that is no longer known. */
export function snapshotAt(store: ApiStore, bucket: Bucket, revision: number): readonly Stored[] | null {
  const changes = store.changesAfter(bucket, revision);
  if (changes === null) return null;
  const now = store.list(bucket);
  if (changes.length === 0) return now;
  const objects = new Map(now.map((object) => [keyOf(object), object]));
  for (const change of changes.toReversed()) undo(objects, change);
  return [...objects.values()].toSorted(inOrder);
}

function undo(objects: Map<string, Stored>, { type, object, previous }: Change): void {
  if (type === 'ADDED' || !previous) objects.delete(keyOf(object));
  else objects.set(keyOf(previous), previous);
}

const keyOf = ({ metadata: { namespace = '', name } }: Stored) => `${namespace}\0${name}`;

function inOrder(a: Stored, b: Stored): number {
  const [ours, theirs] = [keyOf(a), keyOf(b)];
  return ours < theirs ? -1 : ours > theirs ? 1 : 0;
}
