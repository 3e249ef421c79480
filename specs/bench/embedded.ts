import { Agent, request } from 'node:https';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { type Product, startProduct } from '../support/product.ts';
import { rssOf } from './ready.ts';

/** What the embedded API does for 16 clients that share its machine; its memory while it did, its time until `ready`. */
export interface EmbeddedApiFigures {
  readonly writesPerSecond: number;
  readonly readsPerSecond: number;
  readonly p99Ms: number;
  readonly rssMb: number;
  readonly readyMs: number;
}

interface Started {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

const clients = 16;
const seconds = 4;
const objects = 400;
const path = '/api/v1/namespaces/core-system/configmaps';

/** The bundle as it is started with `CORE_ROLE=cluster`, worker and all, in a process of its own; the clients in this. */
export async function embeddedApi(): Promise<EmbeddedApiFigures> {
  const product = await startProduct({ args: ['--role', 'cluster', '--nodes', 'manual'] });
  const started = doorOf(product);
  const agent = new Agent({ keepAlive: true, maxSockets: clients, ca: started.caPem });
  try {
    const call = caller(started, agent);
    await each(objects, (index) => call('POST', path, configMap(`m${index}`)));
    const written = await load((turn) =>
      call('PATCH', `${path}/m${turn % objects}`, JSON.stringify({ data: { turn: String(turn) } })),
    );
    const read = await load((turn) => call('GET', `${path}/m${turn % objects}`));
    return {
      writesPerSecond: Math.round(written.rate),
      readsPerSecond: Math.round(read.rate),
      p99Ms: Math.max(written.p99, read.p99),
      rssMb: Math.round(rssOf(product.pid)),
      readyMs: product.readyMs,
    };
  } finally {
    agent.destroy();
    await product.end('SIGTERM');
    product.clean();
  }
}

/** Where the API is and what opens it, as the kubeconfig says. */
function doorOf({ endpoints }: Product): Started {
  const config = kubeConfigOf(endpoints.kubeconfig ?? '');
  const cluster = config.getCurrentCluster();
  const caPem = Buffer.from(cluster?.caData ?? '', 'base64').toString('utf8');
  return { url: cluster?.server ?? '', caPem, token: config.getCurrentUser()?.token ?? '' };
}

const configMap = (name: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(700) } });

type CallServer = (method: string, path: string, body?: string) => Promise<void>;

function caller({ url, token }: Started, agent: Agent): CallServer {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/merge-patch+json' };
  return (method, path, body) =>
    new Promise((done, failed) => {
      const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const sent = request(
        `${url}${path}`,
        { method, agent, headers: { ...headers, ...type, ...length } },
        (response) => {
          response.resume();
          response.once('end', () =>
            (response.statusCode ?? 500) < 300
              ? done()
              : failed(new Error(`${method} ${path}: ${response.statusCode}`)),
          );
        },
      );
      sent.once('error', failed);
      sent.end(body);
    });
}

/** As many calls as the clients manage in a few seconds. */
async function load(call: (turn: number) => Promise<void>): Promise<{ readonly rate: number; readonly p99: number }> {
  const times: number[] = [];
  const start = performance.now();
  let turn = 0;
  await each(clients, async () => {
    while (performance.now() - start < seconds * 1000) {
      const before = performance.now();
      await call(turn++);
      times.push(performance.now() - before);
    }
  });
  const rate = times.length / ((performance.now() - start) / 1000);
  return { rate, p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0 };
}

const each = (count: number, act: (index: number) => Promise<void>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
