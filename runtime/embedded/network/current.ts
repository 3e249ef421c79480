import type { NetworkObject } from './objects.ts';
import { type View, viewOf } from './view.ts';

/** An object that came or changed, or null where it went. */
export type NetworkChange = readonly [key: string, object: NetworkObject | null];

/** The view of this moment. */
export interface Current {
  readonly view: () => View;
  readonly put: (changes: readonly NetworkChange[]) => void;
  /** Waits until something holds of the view; false where it does not within that time. */
  readonly until: (holds: (view: View) => boolean, withinMs: number) => Promise<boolean>;
}

export function createCurrent(): Current {
  const objects = new Map<string, NetworkObject>();
  const waiting = new Set<() => void>();
  let kept: View | null = null;
  const view = () => (kept ??= viewOf(objects.values()));

  function put(changes: readonly NetworkChange[]) {
    for (const [key, object] of changes) {
      // Whoever came last stands last, and so wins an address.
      objects.delete(key);
      if (object) objects.set(key, object);
    }
    kept = null;
    for (const look of waiting) look();
  }

  function until(holds: (view: View) => boolean, withinMs: number) {
    if (holds(view())) return Promise.resolve(true);
    return new Promise<boolean>((done) => {
      const end = (held: boolean) => {
        waiting.delete(look);
        clearTimeout(timer);
        done(held);
      };
      const look = () => holds(view()) && end(true);
      const timer = setTimeout(() => end(false), withinMs).unref();
      waiting.add(look);
    });
  }

  return { view, put, until };
}
