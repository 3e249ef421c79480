import type { Platform } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';

/** The properties of this installation that a client needs. */
export function platformRoutes(routes: Routes, { settings }: Serving): void {
  routes.on('GET /platform', function readPlatform(ctx) {
    sendRead(ctx, { gitHost: settings.gitUrl } satisfies Platform);
  });
}
