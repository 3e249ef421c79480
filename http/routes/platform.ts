import { key } from '../../crds/names.ts';
import { clusterNodes } from '../../runtime/controllers/room.ts';
import type { Platform } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';

const simulated = key('simulated');

/** The properties of this installation that a client needs. */
export function platformRoutes(routes: Routes, { operator: { caches }, settings }: Serving): void {
  routes.on('GET /platform', function readPlatform(ctx) {
    const simulatedNodes = caches.list(clusterNodes).some(({ metadata }) => metadata.labels?.[simulated] === 'true');
    sendRead(ctx, { gitHost: settings.gitUrl, simulatedNodes } satisfies Platform);
  });
}
