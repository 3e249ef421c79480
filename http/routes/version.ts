import { sendRead } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import { version } from '../version.ts';

/** The version of this API and of its release (document 002, Versioning). */
export function versionRoutes(routes: Routes): void {
  routes.on('GET /version', function readVersion(ctx) {
    sendRead(ctx, { api: 'v1', version });
  });
}
