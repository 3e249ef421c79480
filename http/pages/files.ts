import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Coding } from '../../runtime/embedded/index.ts';

/** A file of the dashboard, with the headers that are the same for everybody. */
export interface PageFile {
  readonly bytes: Buffer;
  /** Its compressed bytes, by what they are encoded in: the build writes them beside the file. */
  readonly compressed: ReadonlyMap<Coding, Buffer>;
  readonly etag: string;
  readonly headers: {
    /** Headers that a 304 carries too. */
    readonly kept: Readonly<Record<string, string>>;
    readonly content: Readonly<Record<'Content-Type' | 'Last-Modified', string>>;
  };
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

/** The best first. */
const endings: readonly (readonly [Coding, ending: string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** A file whose name carries the hash of its content never changes. */
const isHashed = (path: string) => /-[A-Za-z0-9_]{8,}\.\w+$/.test(path);
const isHidden = (path: string) => /(^|\/)\./.test(path);
const isCompressed = (path: string) => endings.some(([, ending]) => path.endsWith(ending));

/**
 * Reads all files of a folder into memory, by their address: no request opens one, which fails without a free
 * descriptor or where a deploy has just replaced the folder.
 */
export function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const addresses = files.map((file) => [relative(directory, file).replaceAll(sep, '/'), file] as const);
  const served = addresses.filter(([path]) => !isHidden(path) && !isCompressed(path));
  return new Map(served.map(([path, file]) => [`/${path}`, readPage(file)]));
}

function readPage(file: string): PageFile {
  const bytes = readFileSync(file);
  const present = endings.filter(([, ending]) => existsSync(file + ending));
  return {
    bytes,
    compressed: new Map(present.map(([coding, ending]) => [coding, readFileSync(file + ending)])),
    // Of the content, so that every replica gives a file the same one.
    etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
    headers: {
      kept: {
        'Cache-Control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(present.length > 0 && { Vary: 'Accept-Encoding' }),
      },
      content: {
        'Content-Type': types[extname(file)] ?? 'application/octet-stream',
        'Last-Modified': statSync(file).mtime.toUTCString(),
      },
    },
  };
}
