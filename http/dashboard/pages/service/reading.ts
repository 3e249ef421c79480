import type { Change, Explanation, Items, Read, StatusItem } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofService } from '../../kinds/service/concerns.ts';
import { type Loaded, useLoaded } from '../../store/loaded.ts';

type Reloading<T> = Loaded<T> & { readonly reload: () => void };

/** What every view of a service shows, reloaded whenever it changes. */
export interface ServiceReading {
  readonly name: string;
  readonly app: Reloading<Read>;
  readonly status: Reloading<StatusItem>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Items<Explanation>>;
  readonly reload: () => void;
}

export function useService(name: string): ServiceReading {
  const concerns = ofService(name);
  const app = useLoaded<Read>(api.app(name), concerns);
  const status = useLoaded<StatusItem>(api.ofApp(name, 'status'), concerns);
  const changes = useLoaded<Items<Change>>(api.ofApp(name, 'changes'), concerns);
  const explained = useLoaded<Items<Explanation>>(api.ofApp(name, 'explain'), concerns);
  const reload = () => [app, status, changes, explained].forEach((one) => one.reload());
  return { name, app, status, changes, explained, reload };
}
