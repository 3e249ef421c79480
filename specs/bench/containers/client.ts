import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeObject } from '../../../crds/kind.ts';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import { importBusybox, type OwnPodman, ownPodman } from '../../podman/ownPodman.ts';
import { kubectlFor } from '../../support/kubectl.ts';
import { type Product, run, startProduct } from '../../support/product.ts';
import { makeRepository } from '../../support/repository.ts';
import { until } from '../../support/until.ts';
import { median } from '../measure.ts';
import type { ContainerFigures } from '../containers.ts';

/** Measures the product on a podman of its own, in a network of its own, and prints what came of it. */
const rounds = 7;
const idlePods = 20;
/** V8 collects what a start left behind in its second minute, once, and gives the memory back. */
const settleMs = 150_000;
const windowMs = 120_000;
const copies = 5;
const image = 'registry.local/base/busybox:1';
const forever = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 5; done'];
const ticksPerSecond = 100;

const isReady = (pod: unknown) =>
  listAt(pod, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True',
  );

const podOf = (name: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image, command: forever }],
    },
  }) as KubeObject;

async function readyMs({ cluster }: Product, name: string): Promise<number> {
  const began = performance.now();
  await run(cluster.create(pods, podOf(name)));
  for (;;) {
    const found = await run(cluster.get<KubeObject>(pods, { name, namespace: 'default' }));
    if (isReady(found)) return performance.now() - began;
    await pause(5);
  }
}

/** The same by the REST calls alone that no pod is made without. */
async function bareMs({ podman }: OwnPodman, network: string, name: string): Promise<number> {
  const began = performance.now();
  const idIn = (made: unknown) => textAt(made, 'Id') || textAt(made, 'id');
  const body = { name, hostname: name, shared_namespaces: ['ipc', 'net', 'uts'], Networks: { [network]: {} } };
  const pod = idIn(
    await podman.call({ method: 'POST', path: '/pods/create', body: { ...body, netns: { nsmode: 'bridge' } } }),
  );
  await podman.call({ method: 'POST', path: `/pods/${pod}/start` });
  const container = { name: `${name}-main`, pod, image, command: forever };
  const id = idIn(await podman.call({ method: 'POST', path: '/containers/create', body: container }));
  await podman.call({ method: 'POST', path: `/containers/${id}/start` });
  const took = performance.now() - began;
  await podman.call({ method: 'DELETE', path: `/pods/${pod}`, query: { force: 'true', timeout: '0' } });
  return took;
}

/** The bridge of the pods, at which those of the bare calls are joined, too. */
async function bridge({ podman }: OwnPodman): Promise<string> {
  const networks = await podman.call({ method: 'GET', path: '/networks/json' });
  return (
    listAt({ networks }, 'networks')
      .map((one) => textAt(one, 'name'))
      .find((name) => name.startsWith('core-')) ?? 'podman'
  );
}

async function starting(product: Product, own: OwnPodman): Promise<ContainerFigures['ready']> {
  await readyMs(product, 'first');
  const network = await bridge(own);
  await bareMs(own, network, 'bare');
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await readyMs(product, `pod-${round}`), await bareMs(own, network, `bare-${round}`)]);
  return { ours: median(pairs.map(([ours]) => ours)), bare: median(pairs.map(([, bare]) => bare)) };
}

/** A process and those that it started, but for what runs containers. */
function processesOf(pid: number): readonly number[] {
  const parentOf = (one: string) => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]);
  const children = readdirSync('/proc').filter((one) => {
    try {
      return /^\d+$/.test(one) && parentOf(one) === pid;
    } catch {
      return false;
    }
  });
  return [pid, ...children.map(Number)];
}

function secondsOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/** What processes share, such as their program, is counted once. */
const megabytesOf = (pids: readonly number[]): number =>
  pids
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1_024)
    .reduce((sum, one) => sum + one, 0);

/** Twenty pods that do nothing: what the product needs of a processor, and of memory. */
async function idling(product: Product): Promise<ContainerFigures['idle']> {
  for (let index = 0; index < idlePods; index += 1) await run(product.cluster.create(pods, podOf(`idle-${index}`)));
  await until(async () => {
    const found = await run(product.cluster.list<KubeObject>(pods, { namespace: 'default' }));
    return listAt(found, 'items').filter(isReady).length >= idlePods;
  }, 'the pods run');
  await pause(settleMs);
  const all = processesOf(product.pid);
  const before = secondsOf(all);
  await pause(windowMs);
  return { share: ((secondsOf(all) - before) * 1_000) / windowMs, megabytes: megabytesOf(all) };
}

function visit(): Promise<string> {
  return new Promise((done) => {
    const asked = request({ host: '127.0.0.1', port: 8_080, headers: { host: 'hello.apps.localhost' }, agent: false });
    asked.on('error', (why) => done(String(why)));
    asked.on('response', (answer) => {
      let text = '';
      answer.on('data', (piece) => (text += String(piece))).on('end', () => done(`${answer.statusCode} ${text}`));
    });
    asked.end();
  });
}

/** A push until its first answer, of which the build is a part; then copies are replaced while visitors come. */
async function pushing(product: Product): Promise<Pick<ContainerFigures, 'push' | 'rollout'>> {
  const kubectl = kubectlFor(product.endpoints.kubeconfig ?? '').run;
  const repository = makeRepository();
  const Buildfile = `FROM ${image}\nCOPY page /www/index.html\nCMD ["sh","-c","trap \\"exit 0\\" TERM; httpd -p 8080 -h /www; while :; do sleep 0.1; done"]\n`;
  const push = (page: string) => {
    repository.commit({ Buildfile, page });
    repository.push(`${product.endpoints.gitHost ?? ''}/demo/hello.git`);
  };
  const answered = (page: string) => until(async () => (await visit()) === `200 ${page}`, page);
  await kubectl('apply', '-f', 'crds/samples/first-build.yaml');
  push('one');
  await answered('one');
  const began = Date.now();
  push('two');
  await answered('two');
  const wholeMs = Date.now() - began;
  const buildMs = await longestBuild(kubectl);
  await kubectl('patch', 'coreapp/hello', '-n', 'core-system', '--type=merge', '-p', `{"spec":{"replicas":${copies}}}`);
  const ready = ['get', 'deployment/hello', '-n', 'shop-production', '-o', 'jsonpath={.status.availableReplicas}'];
  await until(async () => (await kubectl(...ready)) === String(copies), 'all copies run');
  const rollout = { asked: 0, failed: 0 };
  let isOver = false;
  const visitors = Array.from({ length: 4 }, async () => {
    for (; !isOver; await pause(5)) {
      const answer = await visit();
      rollout.asked += 1;
      if (!['200 two', '200 three'].includes(answer)) rollout.failed += 1;
    }
  });
  push('three');
  const updated = [
    ...ready.slice(0, -1),
    'jsonpath={.status.updatedReplicas} {.status.replicas} {.status.availableReplicas}',
  ];
  await answered('three');
  await until(async () => (await kubectl(...updated)) === `${copies} ${copies} ${copies}`, 'all copies are new');
  isOver = true;
  await Promise.all(visitors);
  repository.clean();
  return { push: { wholeMs, buildMs }, rollout };
}

/** How long the newest build ran, by its Job. */
async function longestBuild(kubectl: (...args: readonly string[]) => Promise<string>): Promise<number> {
  const found = JSON.parse(await kubectl('get', 'corebuilds', '-A', '-o', 'json')) as {
    readonly items: readonly unknown[];
  };
  const [newest] = found.items.toSorted((a, b) =>
    textAt(a, 'metadata', 'creationTimestamp') < textAt(b, 'metadata', 'creationTimestamp') ? 1 : -1,
  );
  const at = (field: string) => Date.parse(textAt(newest, 'status', field));
  return at('completedAt') - at('startedAt');
}

if (existsSync('/sbin/ip') || existsSync('/usr/sbin/ip')) spawnSync('ip', ['link', 'set', 'lo', 'up']);
const own = await ownPodman('shared');
await importBusybox(own);
const env = { CORE_NODES: 'podman', CORE_PODMAN_SOCKET: own.socket };
const product = await startProduct({ env, args: ['--git-port', '7080'] });
const figures: Partial<Record<keyof ContainerFigures, unknown>> = {};
try {
  figures.ready = await starting(product, own);
  for (let round = 0; round < rounds; round += 1)
    await run(product.cluster.remove(pods, { name: `pod-${round}`, namespace: 'default' }));
  Object.assign(figures, await pushing(product));
} finally {
  await product.end('SIGTERM');
  product.clean();
}
// Each has just started: what pushes and visitors leave in memory is no part of what its nodes need.
for (const [figure, nodes] of [
  ['idle', env],
  ['simulated', { CORE_NODES: 'simulated' }],
] as const) {
  const resting = await startProduct({ env: nodes });
  try {
    figures[figure] = await idling(resting);
  } finally {
    await resting.end('SIGTERM');
    resting.clean();
  }
}
await own.end();
process.stdout.write(`${JSON.stringify(figures)}\n`);
