import type { Change, Explanation, Items, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofObject } from '../../kinds/service/concerns.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';

/** What every view of a database shows, reloaded whenever it changes. */
export interface DatabaseReading {
  readonly name: string;
  readonly database: Reloading<Read>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Items<Explanation>>;
  readonly reload: () => void;
}

/** Whether an event is about a database. */
export const ofDatabase = (name: string) => ofObject('CoreDatabase', name);

export function useDatabase(name: string): DatabaseReading {
  const concerns = ofDatabase(name);
  const database = useLoaded<Read>(api.database(name), concerns);
  const changes = useLoaded<Items<Change>>(api.ofDatabase(name, 'changes'), concerns);
  const explained = useLoaded<Items<Explanation>>(api.ofDatabase(name, 'explain'), concerns);
  const reload = () => [database, changes, explained].forEach((one) => one.reload());
  return { name, database, changes, explained, reload };
}
