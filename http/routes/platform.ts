import type { Platform } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';

/** What a client has to know of this installation to use it. */
export function platformRoutes(routes: Routes, { settings }: Serving): void {
  routes.on('GET /platform', function readPlatform(ctx) {
    sendRead(ctx, { gitHost: settings.gitUrl } satisfies Platform);
  });
}
