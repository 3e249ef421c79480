import { createServer, type ServerResponse } from 'node:http';
import { KubeConfig } from '@kubernetes/client-node';
import { listen } from '../../../http/listen.ts';

/** The logs of pods as an API server serves them, over real connections. */
export interface LogServer {
  readonly config: KubeConfig;
  readonly url: string;
  readonly write: (pod: string, line: string) => void;
  /** The connections that follow a pod now, and the most that one pod ever had. */
  readonly followers: () => { readonly now: number; readonly most: number };
  readonly stop: () => Promise<void>;
}

export const logPath = (pod: string) => `/api/v1/namespaces/shop-production/pods/${pod}/log`;
const podIn = (path: string) => /\/pods\/([^/]+)\/log$/.exec(path)?.[1] ?? '';
const stamp = () => new Date().toISOString().replace('Z', '000000Z');

export async function startLogServer(): Promise<LogServer> {
  const lines = new Map<string, string[]>();
  const following = new Map<string, Set<ServerResponse>>();
  let most = 0;
  const linesOf = (pod: string) => lines.get(pod) ?? lines.set(pod, []).get(pod) ?? [];
  const readersOf = (pod: string) => following.get(pod) ?? following.set(pod, new Set()).get(pod) ?? new Set();

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const pod = podIn(pathname);
    const tail = Number(searchParams.get('tailLines') ?? 1_000_000);
    response.writeHead(200, { 'content-type': 'text/plain' });
    const now = linesOf(pod).slice(-tail).join('');
    if (searchParams.get('follow') !== 'true') return void response.end(now);
    response.flushHeaders();
    if (now !== '') response.write(now);
    const readers = readersOf(pod);
    readers.add(response);
    most = Math.max(most, readers.size);
    response.once('close', () => readers.delete(response));
  });
  const { url, stop } = await listen(server, '127.0.0.1', 0);
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'logs', server: url, skipTLSVerify: true }, { name: 'nobody' });
  return {
    config,
    url,
    write: (pod, line) => {
      const text = `${stamp()} ${line}\n`;
      linesOf(pod).push(text);
      for (const reader of readersOf(pod)) reader.write(text);
    },
    followers: () => ({ now: [...following.values()].reduce((sum, { size }) => sum + size, 0), most }),
    stop,
  };
}
