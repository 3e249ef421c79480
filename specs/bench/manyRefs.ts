import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { git, makeWorkTree, type WorkTree } from '../runtime/gitHost/client.ts';
import { startHost } from '../runtime/gitHost/host.ts';
import { until } from '../support/until.ts';
import { median } from './measure.ts';

/** A push of 500 new branches to our Git host, against the same to git's own server. */
export interface ManyRefsFigures {
  readonly oursMs: number;
  readonly bareMs: number;
  /** Budget: at most 3. */
  readonly ratio: number;
}

const refs = 500;
const rounds = 3;

export async function manyRefs(): Promise<ManyRefsFigures> {
  const tree = await makeWorkTree();
  const host = await startHost();
  const bare = await startBare();
  try {
    await tree.commit({ 'a.txt': '1' });
    const measured = [];
    for (let round = 0; round <= rounds; round += 1) {
      const bareMs = await timedPush(tree, await bare.repository(`bare${round}`));
      measured.push({ bareMs, oursMs: await timedPush(tree, `${host.cloneUrl}/demo/many${round}.git`) });
      // What is delivered afterwards is not part of the next push.
      await until(() => host.received.length >= refs * (round + 1), 'the deliveries of a push', 120_000);
    }
    // The first warms both sides up.
    const kept = measured.slice(1);
    const [oursMs, bareMs] = [median(kept.map((one) => one.oursMs)), median(kept.map((one) => one.bareMs))];
    return { oursMs, bareMs, ratio: oursMs / bareMs };
  } finally {
    await host.end();
    bare.stop();
    tree.clean();
  }
}

async function timedPush(tree: WorkTree, address: string): Promise<number> {
  const start = performance.now();
  await tree.git('push', '--quiet', address, ...Array.from({ length: refs }, (_, at) => `HEAD:refs/heads/b${at}`));
  return performance.now() - start;
}

/** `git http-backend` behind the least server that can run it. */
async function startBare() {
  const root = mkdtempSync(join(tmpdir(), 'core-bare-git-'));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const env = {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    };
    const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    pipeline(request, backend.stdin).catch(() => {});
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.once('close', () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf('\r\n\r\n');
      for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(whole.subarray(end + 4));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    repository: async (name: string) => {
      const path = join(root, `${name}.git`);
      await git(root, 'init', '--quiet', '--bare', path);
      await git(path, 'config', 'http.receivepack', 'true');
      return `http://127.0.0.1:${port}/${name}.git`;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
