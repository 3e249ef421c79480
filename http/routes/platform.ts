import type { Router } from '@koa/router';
import type { Platform } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Serving } from '../serving.ts';

/** What a client has to know of this installation to use it. */
export function platformRoutes(router: Router, { settings }: Serving): void {
  router.get('/platform', function readPlatform(ctx) {
    sendRead(ctx, { gitHost: settings.gitUrl } satisfies Platform);
  });
}
