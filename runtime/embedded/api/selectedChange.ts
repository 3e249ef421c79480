import type { Change, Stored } from '../store.ts';
import type { Selection } from './selectors.ts';

/** What a change is for a watcher who sees only the objects selected; null where it concerns none of them. */
export function selectedChange(change: Change, selection: Selection | null): Pick<Change, 'type' | 'object'> | null {
  if (selection === null) return change;
  const { type, object, previous } = change;
  const now = type !== 'DELETED' && selection.holds(object);
  const before = previous !== undefined && selection.holds(previous);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  if (!before) return null;
  // An object that stops matching is sent as DELETED in its last matching state, at the version of the change.
  return { type: 'DELETED', object: type === 'MODIFIED' ? atVersionOf(object, previous) : object };
}

const atVersionOf = ({ metadata: { resourceVersion } }: Stored, previous: Stored): Stored => ({
  ...previous,
  metadata: { ...previous.metadata, resourceVersion },
});
