import type { StatusItem } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { ofService } from '../../kindPages/service/concerns.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';

/** What every view of a service shows, with what `core status` says of it. */
export interface ServiceReading extends ResourceReading {
  readonly status: Reloading<StatusItem>;
}

/** Reads a service and its status, after events of its builds too. */
export function useService(name: string): ServiceReading {
  const concerns = ofService(name);
  const reading = useResource({ kind: 'CoreApp', name, isDeployed: true, concerns });
  const status = useLoaded(pathTo('GET /apps/{app}/status', { app: name }), concerns);
  const reload = () => [reading, status].forEach((one) => one.reload());
  return { ...reading, status, reload };
}
