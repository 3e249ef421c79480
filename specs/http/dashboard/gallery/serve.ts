import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><title>Gallery</title>
<link rel="icon" href="data:," /><link rel="stylesheet" href="/assets/gallery.css" /></head>
<body><div id="app"></div><script type="module" src="/assets/gallery.js"></script></body></html>`;

/** The parts of the dashboard bundled as the product bundles them, by their paths. */
async function bundled(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    write: false,
    minify: true,
    splitting: true,
    target: 'es2022',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: '/assets',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    entryPoints: {
      gallery: 'specs/http/dashboard/gallery/gallery.tsx',
    },
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

/** A request that the page sent. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface Gallery {
  readonly url: string;
  /** What the page sent to the API, and which files it loaded. */
  readonly sent: readonly Sent[];
  readonly files: readonly string[];
  /** Writes lines to the live log. */
  readonly writeLog: (lines: readonly string[]) => void;
  readonly end: () => void;
}

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const finished = ['Step 1', 'warning: old lockfile', 'debug: cache hit', 'error: no module named x', 'Step 2'];

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? null : JSON.parse(text);
}

/** Serves the gallery, and answers what its parts ask of the API. */
export async function serveGallery(): Promise<Gallery> {
  const assets = await bundled();
  const sent: Sent[] = [];
  const files: string[] = [];
  const followers = new Set<ServerResponse>();
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const log = (response: ServerResponse, name: string) => {
    if (name === 'gone') return json(response, 404, { error: 'The log is gone since 12:04:31' });
    if (name !== 'live')
      return response.writeHead(200, { 'content-type': 'text/plain' }).end(name === 'done' ? finished.join('\n') : '');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('line', { line: 'begun' }));
    followers.add(response);
    return response.on('close', () => followers.delete(response));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const asset = assets.get(pathname);
    if (asset) {
      files.push(pathname);
      return response.writeHead(200, { 'content-type': types[pathname.split('.').at(-1) ?? ''] ?? '' }).end(asset);
    }
    if (!pathname.startsWith('/api/')) return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    if (pathname.startsWith('/api/log/')) return log(response, pathname.slice('/api/log/'.length));
    sent.push({ method: request.method ?? '', path: pathname, body: await bodyOf(request) });
    if (pathname === '/api/refused') return json(response, 409, { error: 'there is no room for 2 copies' });
    if (pathname === '/api/delete/database') return json(response, 409, { error: 'web still uses it' });
    return json(response, 200, {});
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent,
    files,
    writeLog: (lines) => followers.forEach((one) => one.write(lines.map((line) => event('line', { line })).join(''))),
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
