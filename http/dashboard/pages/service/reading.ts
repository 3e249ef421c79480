import type { StatusItem } from '../../../api.ts';
import { api, pathTo } from '../../api.ts';
import { ofService } from '../../kindPages/service/concerns.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';
import { mainMachine } from '../../model/service.ts';

/** What every view of a service shows, with what `core status` says of it. */
export interface ServiceReading extends ResourceReading {
  readonly status: Reloading<StatusItem>;
}

export function useService(name: string): ServiceReading {
  const concerns = ofService(name);
  const reading = useResource({
    name,
    machine: mainMachine,
    id: `coreapps:${name}`,
    path: api.app(name),
    pathOf: (what) => api.ofApp(name, what),
    isDeployed: true,
    concerns,
  });
  const status = useLoaded(pathTo('GET /apps/{app}/status', { app: name }), concerns);
  const reload = () => [reading, status].forEach((one) => one.reload());
  return { ...reading, status, reload };
}
