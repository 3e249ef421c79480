import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { CoreV1Api, Exec, Watch } from '@kubernetes/client-node';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { type Product, startProduct } from '../support/product.ts';
import { seldom } from '../support/seldom.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('a stop with open connections');
const seldomly = seldom(spec, 3);
const documentedMs = 10_000;

/** What a client sends and then no more: nothing, the beginning of a TLS handshake, of headers, of a body. */
const begun: Readonly<Record<string, Buffer | string>> = {
  nothing: '',
  'a TLS handshake': Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]),
  headers: 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Le',
  'a body':
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"us',
};

const urlsOf = ({ endpoints }: Product): Readonly<Record<string, string | null>> => ({
  dashboard: endpoints.dashboard,
  health: endpoints.health,
  metrics: endpoints.metrics,
  kubernetes: endpoints.kubernetes,
  'git host': endpoints.gitHost,
});

async function sends(url: string | null | undefined, what: Buffer | string): Promise<Socket> {
  const socket = connect(Number(new URL(url ?? '').port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  if (what.length > 0) socket.write(what);
  return socket;
}

/** One connection for each listener and each thing begun. */
const begin = (product: Product) =>
  Promise.all(Object.values(urlsOf(product)).flatMap((url) => Object.values(begun).map((what) => sends(url, what))));

/** A watch, and a shell that waits for its next line. */
async function stream({ endpoints }: Product): Promise<void> {
  const config = kubeConfigOf(endpoints.kubeconfig ?? '');
  const core = config.makeApiClient(CoreV1Api);
  const namespace = systemNamespace;
  const containers = [{ name: 'web', image: 'web:1', command: ['sh', '-c', 'sleep 3600'] }];
  await core.createNamespacedPod({ namespace, body: { metadata: { name: 'web' }, spec: { containers } } });
  await until(
    async () => (await core.readNamespacedPodStatus({ namespace, name: 'web' })).status?.phase === 'Running',
    'the pod runs',
  );
  let seen = 0;
  const watched = () => (seen += 1);
  await new Watch(config).watch('/api/v1/pods', {}, watched, () => {});
  const said = new PassThrough();
  const shell = await new Exec(config).exec(namespace, 'web', 'web', ['sh'], said, said, new PassThrough(), true);
  shell.addEventListener('error', () => {});
  await until(() => seen > 0 && said.readableLength > 0, 'the watch tells, the shell prompts');
}

async function endsInTime(product: Product): Promise<void> {
  const askedAt = performance.now();
  assert.is(await product.end('SIGTERM'), 0, product.stderr());
  const tookMs = performance.now() - askedAt;
  assert.ok(tookMs < documentedMs, `it took ${tookMs.toFixed(0)} ms`);
  for (const file of ['lock', 'endpoints.json'])
    assert.not.ok(existsSync(join(product.dataDir, file)), `${file} is left behind`);
}

/** A product and who sends nothing to it: the others are tried while they are waited for. */
let waiting: { readonly product: Product; readonly sockets: readonly Socket[] };
spec.before(async () => {
  const product = await startProduct();
  waiting = { product, sockets: await begin(product) };
});
spec.after(async () => {
  await waiting.product.end('SIGTERM');
  waiting.product.clean();
});

seldomly(
  'a stopped server ends in time and releases its lock with half-sent requests, a watch and a shell open',
  async () => {
    const product = await startProduct();
    try {
      await stream(product);
      await begin(product);
      await endsInTime(product);
    } finally {
      await product.end('SIGKILL');
      product.clean();
    }
  },
);

seldomly('a stopped server with TLS metrics ends in time, and unfinished handshakes are closed', async () => {
  const product = await startProduct({ args: ['--host', '0.0.0.0'] });
  try {
    const { metrics, kubernetes } = urlsOf(product);
    assert.match(metrics ?? '', /^https:/);
    const idle = await Promise.all(
      [metrics, kubernetes].flatMap((url) => [sends(url, ''), sends(url, begun['a TLS handshake'] ?? '')]),
    );
    await until(() => idle.every((socket) => socket.destroyed), 'every handshake is ended', 60_000);
    await begin(product);
    await endsInTime(product);
  } finally {
    await product.end('SIGKILL');
    product.clean();
  }
});

seldomly('every listener closes connections that send no request', async () => {
  const { product, sockets } = waiting;
  const open = () => sockets.filter((socket) => !socket.destroyed).length;
  // The body of a request has longer: 30 s at the dashboard, minutes where a cluster or a push is spoken to.
  await until(() => open() <= Object.keys(urlsOf(product)).length, 'all but bodies are cut off', 60_000);
});

spec.run();
