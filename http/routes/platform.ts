import { key } from '../../crds/names.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import type { Platform } from '../openapi/shapes/access.ts';
import { sendRead } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

const simulated = key('simulated');
const machine = key('machine');

/** The properties of this installation that a client needs. */
export function platformRoutes(routes: Routes, { operator: { caches }, settings }: ServerContext): void {
  routes.on('GET /platform', function readPlatform(ctx) {
    const nodes = caches.list(clusterNodes);
    const simulatedNodes = nodes.some(({ metadata }) => metadata.labels?.[simulated] === 'true');
    const podmanNode = nodes.some(({ metadata }) => metadata.annotations?.[machine] === 'podman');
    sendRead(ctx, { gitHost: settings.gitUrl, simulatedNodes, podmanNode } satisfies Platform);
  });
}
