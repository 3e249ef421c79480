import type { Router } from '@koa/router';
import { sendJson } from '../response.ts';

/** Confirms to a verifier of the public address that it leads here (decision 33). */
export function probeRoutes(router: Router): void {
  router.get('/core-probe', function probe(ctx) {
    ctx.set('Cache-Control', 'no-store');
    sendJson(ctx, { service: 'core', ok: true });
  });
}
