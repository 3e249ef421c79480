import type { IngressBackend } from '../objects.ts';
import type { Backends } from '../backends.ts';
import type { Current } from '../current.ts';
import { servedBy } from '../ingress/routes.ts';
import { type Visit, type Way, hostOf, pathOf, startVisits } from '../ingress/visits.ts';
import { type Backend, type View, keyOf } from '../view.ts';
import type { Demand } from './demand.ts';

export interface WakeProxyOptions {
  readonly current: Current;
  readonly backends: Backends;
  readonly demand: Demand;
  readonly host: string;
}

/** As long as an image may take to come and a program to start, and a visitor to wait. */
export const longestHoldMs = 60_000;

/** Takes the requests for Services that may have no pod: it counts them, and holds each until a pod is ready. */
export function startWakeProxy({ current, backends, demand, host }: WakeProxyOptions) {
  async function wayOf(visit: Visit): Promise<Way> {
    const { request, over } = visit;
    const asked = hostOf(request);
    const route = current.view().wakeRoutes.get(asked);
    if (!route) return { is: 'refused', status: 404, why: `Nothing is known of ${asked}${pathOf(request)}.` };
    const ended = demand.begin(keyOf(route));
    let hasLeft = false;
    over(() => {
      hasLeft = true;
      ended();
    });
    const led = { namespace: route.namespace, backend: route.backend };
    const ready = (view: View) => readyBackends(view, led, backends, request.socket.remoteAddress ?? '');
    await current.until((view) => hasLeft || ready(view).length > 0, longestHoldMs);
    const found = ready(current.view());
    if (found.length > 0) return { is: 'backends', backends: found, now: () => ready(current.view()) };
    const seconds = longestHoldMs / 1_000;
    return {
      is: 'refused',
      status: 504,
      why: `No pod behind ${asked}${pathOf(request)} became ready in ${seconds} seconds.`,
    };
  }

  return startVisits({ host, port: 0, wayOf });
}

/** Those that are to stay: one that is about to end is no reason not to wait for the next. */
function readyBackends(
  view: View,
  led: { readonly namespace: string; readonly backend: IngressBackend },
  backends: Backends,
  client: string,
): readonly Backend[] {
  const served = servedBy(view, led);
  if (!served?.service.endpoints.some(({ ready }) => ready)) return [];
  return backends.ofMachine(served.service, served.port, client);
}
