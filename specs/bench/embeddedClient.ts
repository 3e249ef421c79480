import { Agent, request } from 'node:https';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { type Product, startProduct } from '../support/product.ts';

/** Where an API is and what opens it. */
export interface ApiAccess {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

const clients = 16;
const seconds = 4;
export const path = '/api/v1/namespaces/core-system/configmaps';

/** What is measured at the embedded API alone, its bundle in a process of its own. */
export async function atApi<A>(work: (access: ApiAccess, agent: Agent, product: Product) => Promise<A>): Promise<A> {
  const product = await startProduct({ args: ['--role', 'cluster', '--nodes', 'manual'] });
  const access = accessOf(product);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * clients, ca: access.caPem });
  try {
    return await work(access, agent, product);
  } finally {
    agent.destroy();
    await product.end('SIGTERM');
    product.clean();
  }
}

/** Where the API is and what opens it, as the kubeconfig says. */
function accessOf({ endpoints }: Product): ApiAccess {
  const config = kubeConfigOf(endpoints.kubeconfig ?? '');
  const cluster = config.getCurrentCluster();
  const caPem = Buffer.from(cluster?.caData ?? '', 'base64').toString('utf8');
  return { url: cluster?.server ?? '', caPem, token: config.getCurrentUser()?.token ?? '' };
}

export const configMap = (name: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(700) } });

interface Wanted {
  readonly accept?: string;
  /** Gets the text of the answer. */
  readonly read?: (text: string) => void;
}

type CallServer = (method: string, path: string, body?: string, wanted?: Wanted) => Promise<void>;

export function caller(
  { url, token }: ApiAccess,
  agent: Agent,
  patchType = 'application/merge-patch+json',
): CallServer {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': patchType };
  return (method, path, body, { read, accept = 'application/json' } = {}) =>
    new Promise((done, failed) => {
      const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const sent = request(
        `${url}${path}`,
        { method, agent, headers: { ...headers, ...type, ...length, Accept: accept } },
        (response) => {
          let text = '';
          if (read) response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          else response.resume();
          response.once('end', () => {
            if ((response.statusCode ?? 500) >= 300)
              return failed(new Error(`${method} ${path}: ${response.statusCode}`));
            read?.(text);
            done();
          });
        },
      );
      sent.once('error', failed);
      sent.end(body);
    });
}

/** As many calls as the clients manage in a few seconds. */
export async function load(
  call: (turn: number) => Promise<void>,
  forSeconds = seconds,
): Promise<{ readonly rate: number; readonly p99: number }> {
  const times: number[] = [];
  const start = performance.now();
  let turn = 0;
  await each(clients, async () => {
    while (performance.now() - start < forSeconds * 1000) {
      const before = performance.now();
      await call(turn++);
      times.push(performance.now() - before);
    }
  });
  const rate = times.length / ((performance.now() - start) / 1000);
  return { rate, p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0 };
}

export const each = (count: number, act: (index: number) => Promise<void>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
