import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { acceptedCoding } from '../../runtime/embedded/index.ts';
import { refuse } from '../orThrow.ts';
import { isKnown } from '../response/etag.ts';
import { byteRange } from './byteRange.ts';
import { type PageFile, readPageFiles } from './files.ts';
import { pageAnswer } from './onePage.ts';

const onePage = '/index.html';

/** The dashboard's files, and its one page at every address of a page. */
export function staticPages(directory: string): Middleware {
  if (!existsSync(directory)) return (ctx) => refuse(ctx, 404, 'the dashboard is not built: run `npm run build`');
  const files = readPageFiles(directory);
  return (ctx) => {
    const { accept } = ctx.req.headers;
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const own = files.get(decoded(ctx.path));
    const answer = own ? 'page' : pageAnswer(ctx.path, isRead ? accept : '');
    const file = own ?? files.get(onePage);
    if (answer === 'nothing' || file === undefined) return refuse(ctx, 404, 'not found');
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD');
      return refuse(ctx, 405, 'method not allowed');
    }
    ctx.respond = false;
    if (answer === 'page of nothing') return void ctx.res.writeHead(404, notFoundHeaders(file)).end(file.bytes);
    if (!sendPart(ctx.req, ctx.res, file)) sendWhole(ctx.req, ctx.res, file);
    return undefined;
  };
}

/** What a browser shows of an address that no page has; programs are answered otherwise. */
const notFoundHeaders = ({ headers, bytes }: PageFile) => ({
  'Content-Type': headers.content['Content-Type'],
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

/** The file as the request accepts it, or that the client has it; node sends no body in answer to HEAD. */
function sendWhole({ headers: asked }: IncomingMessage, res: ServerResponse, file: PageFile): void {
  const { headers, etag } = file;
  const coding = acceptedCoding(asked['accept-encoding'], [...file.compressed.keys()]);
  const compressed = coding === null ? undefined : file.compressed.get(coding);
  const bytes = compressed ?? file.bytes;
  res.setHeader('ETag', compressed ? `W/${etag}` : etag);
  if (isKnown(asked['if-none-match'], etag)) return void res.writeHead(304, headers.kept).end();
  if (compressed && coding !== null) res.setHeader('Content-Encoding', coding);
  return void res.writeHead(200, { ...headers.kept, ...headers.content, 'Content-Length': bytes.length }).end(bytes);
}

/** The part that a request asks for, which is always one of the plain bytes; false where it gets the whole. */
function sendPart({ method, headers: asked }: IncomingMessage, res: ServerResponse, file: PageFile): boolean {
  const { bytes, etag, headers } = file;
  const { 'if-range': condition = etag } = asked;
  const isCurrent = condition === etag || condition === headers.content['Last-Modified'];
  const isWhole = method !== 'GET' || !isCurrent || isKnown(asked['if-none-match'], etag);
  const range = isWhole ? 'whole' : byteRange(asked.range, bytes.length);
  if (range === 'whole') return false;
  if (range === 'outside') {
    res.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
    return true;
  }
  const { start, end } = range;
  const part = bytes.subarray(start, end + 1);
  const ofRange = { 'Content-Range': `bytes ${start}-${end}/${bytes.length}`, 'Accept-Ranges': 'bytes', ETag: etag };
  res.writeHead(206, { ...headers.kept, ...headers.content, ...ofRange, 'Content-Length': part.length }).end(part);
  return true;
}
