import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import { version } from '../version.ts';

/** Which API this is, and of which release (document 002, Versioning). */
export function versionRoutes(routes: Routes): void {
  routes.on('GET /version', function readVersion(ctx) {
    sendRead(ctx, { api: 'v1', version });
  });
}
