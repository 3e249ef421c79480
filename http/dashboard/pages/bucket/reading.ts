import type { Change, Explanation, Items, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofObject } from '../../kinds/service/concerns.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';

/** What every view of an object store shows, reloaded whenever it changes. */
export interface ObjectStoreReading {
  readonly name: string;
  readonly store: Reloading<Read>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Items<Explanation>>;
  readonly reload: () => void;
}

/** Whether an event is about an object store. */
export const ofObjectStore = (name: string) => ofObject('CoreObjectStore', name);

export function useObjectStore(name: string): ObjectStoreReading {
  const concerns = ofObjectStore(name);
  const store = useLoaded<Read>(api.objectStore(name), concerns);
  const changes = useLoaded<Items<Change>>(api.ofObjectStore(name, 'changes'), concerns);
  const explained = useLoaded<Items<Explanation>>(api.ofObjectStore(name, 'explain'), concerns);
  const reload = () => [store, changes, explained].forEach((one) => one.reload());
  return { name, store, changes, explained, reload };
}
