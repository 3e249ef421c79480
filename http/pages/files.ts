import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** A file of the dashboard, with the headers that are the same for everybody. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.map': 'application/json',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain',
};

/** A file whose name carries the hash of its content never changes. */
const isHashed = (path: string) => /-[A-Za-z0-9_]{8,}\.\w+$/.test(path);
const isHidden = (path: string) => /(^|\/)\./.test(path);

/**
 * Reads all files of a folder into memory, by their address: no request opens one, which fails without a free
 * descriptor or where a deploy has just replaced the folder.
 */
export function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const addresses = files.map((file) => [relative(directory, file).replaceAll(sep, '/'), file] as const);
  return new Map(addresses.filter(([path]) => !isHidden(path)).map(([path, file]) => [`/${path}`, readPage(file)]));
}

function readPage(file: string): PageFile {
  const bytes = readFileSync(file);
  const { mtime } = statSync(file);
  const etag = `W/"${bytes.length}-${mtime.getTime()}"`;
  return {
    bytes,
    etag,
    headers: {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Last-Modified': mtime.toUTCString(),
      ETag: etag,
    },
  };
}
