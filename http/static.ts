import { existsSync } from 'node:fs';
import type { Middleware } from 'koa';
import sirv from 'sirv';
import { refuse } from './answer.ts';

/** A file whose name carries the hash of its content never changes. */
const isHashed = (path: string) => /-[A-Za-z0-9_]{8,}\.\w+$/.test(path);
/** Pages have no file extension: all of their addresses get the one page, which reads the address. */
const isPage = (path: string) => !/\.[^/]*$/.test(path) && !path.startsWith('/assets/');

/** The dashboard's files, and its one page at every page address. */
export function staticPages(directory: string): Middleware {
  if (!existsSync(directory)) return (ctx) => refuse(ctx, 404, 'the dashboard is not built: run `npm run build`');
  const serve = sirv(directory, {
    etag: true,
    setHeaders: (res, path) => {
      res.setHeader('Cache-Control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return refuse(ctx, 405, 'this address does not take this method');
    }
    if (isPage(ctx.path)) ctx.req.url = '/';
    // sirv responds by itself, but Koa has already set the status of an empty response.
    ctx.res.statusCode = 200;
    const served = await new Promise<boolean>((resolve) => {
      ctx.res.once('close', () => resolve(true));
      serve(ctx.req, ctx.res, () => resolve(false));
    });
    if (served) ctx.respond = false;
    else refuse(ctx, 404, 'there is nothing at this address');
  };
}
