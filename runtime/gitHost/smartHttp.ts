import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refusal } from './answer.ts';
import type { Git } from './git.ts';
import { fullName, type RepositoryName, repositoryName } from './names.ts';
import type { Pushes } from './pushes.ts';
import type { Repositories } from './repositories.ts';

/** One request of git's smart HTTP protocol. */
export interface GitRequest {
  readonly repository: RepositoryName;
  readonly path: 'info/refs' | 'git-upload-pack' | 'git-receive-pack';
  readonly isPush: boolean;
}

/** The git request of an address; null when it is none. */
export function gitRequestOf(method: string | undefined, url: URL): GitRequest | null {
  const [, owner = '', name = '', path = ''] = /^\/([^/]+)\/([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
  const repository = repositoryName(owner, name);
  if (repository === null) return null;
  const service = path === 'info/refs' ? url.searchParams.get('service') : path;
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') return null;
  const isPush = service === 'git-receive-pack';
  if (path === 'info/refs') return method === 'GET' ? { repository, path, isPush } : null;
  return method === 'POST' ? { repository, path: service, isPush } : null;
}

/**
 * Handles git's own requests with `git http-backend`, streaming in both directions. The first push creates the
 * repository; the request for refs before it sees an empty one.
 */
export function smartHttp(git: Git, repositories: Repositories, pushes: Pushes) {
  const folderFor = async ({ repository, path, isPush }: GitRequest): Promise<string> => {
    if (isPush && path === 'git-receive-pack') await repositories.create(repository);
    if (await repositories.exists(repository)) return join(repositories.root, `${fullName(repository)}.git`);
    if (isPush) return repositories.blank();
    throw new Refusal(404, 'Repository not found.');
  };

  return async (asked: GitRequest, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { repository, path, isPush } = asked;
    const folder = await folderFor(asked);
    const writes = isPush && path === 'git-receive-pack';
    if (writes) await pushes.begin(repository);
    let how: 'whole' | 'cut' = 'cut';
    try {
      const backend = await git.spawn(['http-backend'], cgi(asked, request, folder));
      const endBackend = () => void backend.kill();
      response.once('close', endBackend);
      const ended = once(backend, 'exit');
      try {
        pipeline(request, backend.stdin).catch(() => {}); // Git itself reports what it did with an incomplete body.
        await relay(backend, response);
      } finally {
        const [code] = await ended;
        response.off('close', endBackend);
        if (code === 0) how = 'whole';
      }
    } finally {
      // The response ends only now, so that an acknowledged push is stored, and the next push of the same client is a
      // later event.
      if (writes) await pushes.end(repository, how);
    }
    response.end();
  };
}

function cgi({ path, isPush }: GitRequest, request: IncomingMessage, folder: string): Record<string, string> {
  const { headers } = request;
  return {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${path}`,
    QUERY_STRING: path === 'info/refs' ? `service=git-${isPush ? 'receive' : 'upload'}-pack` : '',
    REQUEST_METHOD: request.method ?? '',
    REMOTE_ADDR: request.socket.remoteAddress ?? '',
    CONTENT_TYPE: headers['content-type'] ?? '',
    ...defined('CONTENT_LENGTH', headers['content-length']),
    ...defined('HTTP_CONTENT_ENCODING', headers['content-encoding']),
    ...defined('GIT_PROTOCOL', headers['git-protocol']),
  };
}

const defined = (name: string, value: string | string[] | undefined) =>
  typeof value === 'string' ? { [name]: value } : {};

const headEnd = '\r\n\r\n';
const longestHead = 64 * 1_024;

/** Forwards a CGI response: its head as status and headers, then its body at the pace of the reader. */
async function relay({ stdout }: ChildProcessWithoutNullStreams, response: ServerResponse): Promise<void> {
  let head = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && head.length < longestHead) {
    const chunk = await nextOf(stdout);
    if (chunk === null) break;
    head = Buffer.concat([head, chunk]);
    end = head.indexOf(headEnd);
  }
  if (end < 0) throw new Refusal(500, 'git http-backend gave no answer');
  response.writeHead(...statusAndHeaders(head.subarray(0, end).toString('latin1')));
  response.write(head.subarray(end + headEnd.length));
  await pipeline(stdout, response, { end: false }).catch(() => response.destroy()); // The client disconnected.
}

/** The next chunk of a stream, null at its end. */
function nextOf(stream: Readable): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const settle = (chunk: Buffer | null) => {
      for (const event of ['readable', 'end', 'close']) stream.off(event, look);
      resolve(chunk);
    };
    const look = () => {
      const chunk = stream.read() as Buffer | null;
      if (chunk !== null) settle(chunk);
      else if (stream.readableEnded || stream.destroyed) settle(null);
    };
    for (const event of ['readable', 'end', 'close']) stream.on(event, look);
    look();
  });
}

function statusAndHeaders(head: string): [number, Record<string, string>] {
  const lines = head.split('\r\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const { status = '200', ...headers } = Object.fromEntries(lines);
  return [Number.parseInt(status, 10), headers];
}
