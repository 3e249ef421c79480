import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startNetwork } from '../../../runtime/embedded/network/network.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { median } from '../measure.ts';

/** Asks a pod directly and through its Service, in turns, and prints what came of it. */
const pod = '10.128.0.1';
const service = '10.96.1.1';
const direct = `http://${pod}:8080`;
const proxied = `http://${service}:80`;
const clients = 16;
const windowMs = 1_000;
const rounds = 3;

const metadata = {
  name: 'web',
  namespace: 'a',
  uid: 'web',
  resourceVersion: '1',
  creationTimestamp: '2030-01-01T00:00:00Z',
};
const objects: Readonly<Record<string, readonly Stored[]>> = {
  '/services': [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: service, ports: [{ name: 'http', port: 80 }] } },
  ],
  'discovery.k8s.io/endpointslices': [
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080 }],
      endpoints: [{ addresses: [pod], conditions: { ready: true } }],
    },
  ],
};
const store = {
  list: (bucket: string) => objects[bucket] ?? [],
  onChange: () => () => {},
};

async function taken(url: string, agent: Agent): Promise<number> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const piece of answer) bytes += (piece as Buffer).length;
  return bytes;
}

async function requestsPerSecond(base: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const end = performance.now() + windowMs;
  let count = 0;
  const one = async () => {
    for (; performance.now() < end; count += 1) await taken(base, agent);
  };
  await Promise.all(Array.from({ length: clients }, one));
  agent.destroy();
  return (count * 1_000) / windowMs;
}

async function bytesPerSecond(base: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const sizes = await Promise.all(Array.from({ length: 4 }, () => taken(`${base}/bytes`, agent)));
  agent.destroy();
  return sizes.reduce((sum, size) => sum + size, 0) / ((performance.now() - begun) / 1_000);
}

async function halfWithinMs(base: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let asked = 0; asked < 200; asked += 1) {
    const begun = performance.now();
    await taken(base, agent);
    took.push(performance.now() - begun);
  }
  agent.destroy();
  return median(took);
}

/** Both sides in turns: what the machine does meanwhile meets both. */
async function inTurns(measure: (base: string) => Promise<number>) {
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await measure(direct), await measure(proxied)]);
  return { direct: median(pairs.map(([one]) => one)), proxied: median(pairs.map(([, one]) => one)) };
}

const ip = (...args: readonly string[]) => spawnSync('ip', args);
ip('link', 'set', 'lo', 'up');
ip('address', 'add', `${pod}/32`, 'dev', 'lo');
const child: ChildProcess = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [], {
  execArgv: ['--import', 'tsx'],
});
await once(child, 'message');
const options = {
  owner: 'bench',
  podRange: '10.128.0.0/9',
  serviceRange: '10.96.0.0/12',
  dnsAddress: '10.96.0.10',
  ingressPort: 8_080,
  ingressTlsPort: null,
};
const network = startNetwork(store, options, { log: () => {}, uncaught: () => {} });
await network.settled();
for (const base of [direct, proxied]) await requestsPerSecond(base);
const figures = {
  requests: await inTurns(requestsPerSecond),
  bytes: await inTurns(bytesPerSecond),
  halfMs: await inTurns(halfWithinMs),
};
await network.stop();
child.kill();
process.stdout.write(`${JSON.stringify(figures)}\n`);
