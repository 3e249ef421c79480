import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { refuse } from '../answer.ts';
import { byteRange } from './byteRange.ts';
import { type PageFile, readPageFiles } from './files.ts';
import { pageAnswer } from './onePage.ts';

const onePage = '/index.html';

/** The dashboard's files, and its one page at every address of a page. */
export function staticPages(directory: string): Middleware {
  if (!existsSync(directory)) return (ctx) => refuse(ctx, 404, 'the dashboard is not built: run `npm run build`');
  const files = readPageFiles(directory);
  return (ctx) => {
    const { accept, range, 'if-none-match': known } = ctx.req.headers;
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const own = files.get(decoded(ctx.path));
    const answer = own ? 'page' : pageAnswer(ctx.path, isRead ? accept : '');
    const file = own ?? files.get(onePage);
    if (answer === 'nothing' || file === undefined) return refuse(ctx, 404, 'there is nothing at this address');
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD');
      return refuse(ctx, 405, 'this address does not take this method');
    }
    ctx.respond = false;
    if (answer === 'page of nothing') return void ctx.res.writeHead(404, headersOf(file)).end(file.bytes);
    if (known === file.etag) return void ctx.res.writeHead(304).end();
    return send(ctx.res, file, range);
  };
}

/** What a browser shows of an address that no page has; programs are answered otherwise. */
const headersOf = ({ headers, bytes }: PageFile) => ({
  'Content-Type': headers['Content-Type'],
  'Content-Length': bytes.length,
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
});

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Node sends no body in answer to HEAD. */
function send(res: ServerResponse, { bytes, headers }: PageFile, asked: string | undefined): void {
  const range = byteRange(asked, bytes.length);
  if (range === 'whole') return void res.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes);
  if (range === 'outside') return void res.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
  const { start, end } = range;
  const part = bytes.subarray(start, end + 1);
  const ofRange = { 'Content-Range': `bytes ${start}-${end}/${bytes.length}`, 'Accept-Ranges': 'bytes' };
  return void res.writeHead(206, { ...headers, ...ofRange, 'Content-Length': part.length }).end(part);
}
