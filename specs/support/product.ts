import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Effect } from 'effect';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import type { Endpoints } from '../../http/program/endpoints.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { madeOnce } from './madeOnce.ts';
import { until } from './until.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const password = 'correct horse battery staple';

/** The product, running as a user runs it: the bundle, in a process and a data directory of its own. */
export interface Product {
  readonly endpoints: Endpoints;
  readonly dataDir: string;
  readonly cluster: ClusterShape;
  /** Milliseconds from its start until it said `ready`. */
  readonly readyMs: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly pid: number;
  /** The cookie of a session of admin. */
  readonly session: () => Promise<string>;
  /** A request to the dashboard's server, signed in as admin. */
  readonly api: (path: string, init?: RequestInit) => Promise<Response>;
  /** Ends it with a signal; resolves with its exit code, null for a signal it did not catch. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
  readonly clean: () => void;
}

export interface ProductOptions {
  /** What an earlier one left there, or an empty folder for a first start. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/**
 * Starts the product; without a data directory, and with a cluster of its own, over a copy of what one first start of
 * this run left.
 */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const begun = begins(options)
    ? await madeOnce('product', async (folder) => {
        const first = await startProduct({ dataDir: folder });
        const cookie = await signIn(first.endpoints.dashboard ?? '');
        await first.end('SIGTERM');
        return cookie;
      })
    : null;
  const dataDir = options.dataDir ?? newDataDir();
  if (begun) {
    cpSync(begun.folder, dataDir, { recursive: true });
    cookies.set(dataDir, Promise.resolve(begun.said));
  }
  const ports = ['--port', '--health-port', '--metrics-port', '--kube-port', '--git-port', '--cloud-port'].flatMap(
    (flag) => [flag, '0'],
  );
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/core.js', 'start', ...ports, '--data-dir', dataDir, ...(options.args ?? [])],
    {
      cwd: root,
      env: { ...process.env, CORE_ADMIN_PASSWORD: password, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const out = collect(child, 'stdout');
  const err = collect(child, 'stderr');
  await until(() => out().split('\n').includes('ready') || child.exitCode !== null, 'the product says ready').catch(
    (error: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`${String(error)}\n${out()}\n${err().slice(-4_000)}`);
    },
  );
  const readyMs = performance.now() - startedAt;
  if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}\n${err().slice(-4_000)}`);
  const endpoints = JSON.parse(readFileSync(join(dataDir, 'endpoints.json'), 'utf8')) as Endpoints;
  const session = () => {
    const cookie = cookies.get(dataDir) ?? signIn(endpoints.dashboard ?? '');
    cookies.set(dataDir, cookie);
    cookie.catch(() => cookies.delete(dataDir));
    return cookie;
  };
  return {
    endpoints,
    dataDir,
    cluster: kubeCluster(kubeConfigOf(endpoints.kubeconfig ?? '')),
    readyMs,
    stdout: out,
    stderr: err,
    pid: child.pid ?? 0,
    session,
    api: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('cookie', await session());
      headers.set('origin', new URL(endpoints.dashboard ?? '').origin);
      return fetch(new URL(path, endpoints.dashboard ?? ''), { ...init, headers });
    },
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill(signal);
        await exit;
      }
      return child.exitCode;
    },
    clean: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** What leads to other objects in a data directory than a plain start leaves there. */
const leavesTraces = /^(?:CORE_(?:ROLE|NODES|ADMIN_PASSWORD)|--(?:role|nodes|kubeconfig))$/;

const begins = ({ dataDir, env = {}, args = [] }: ProductOptions): boolean =>
  dataDir === undefined && ![...Object.keys(env), ...args].some((setting) => leavesTraces.test(setting));

/** Sessions of admin, by data directory: a session outlives a restart. */
const cookies = new Map<string, Promise<string>>();

/** An empty folder: over it a start is the first one. */
export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'core-product-'));

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

async function signIn(dashboard: string): Promise<string> {
  const answer = await fetch(new URL('/api/login', dashboard), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (!answer.ok || cookie === undefined) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return cookie;
}

export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect);
