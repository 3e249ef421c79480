import { Effect, Fiber, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { pods } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { type Repository, makeRepository } from '../support/repository.ts';
import { isWhole, seed } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type BetweenCalls, betweenCalls } from './betweenCalls.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';
import { visit, visitors } from './visiting.ts';

const only = isWhole ? null : 'the product with podman is played by `npm run whole`';
const lacking = only ?? lacksPodman() ?? noKubectl() ?? enterOwnNetwork();
const spec = suite('a server killed during a rollout');
const real = unless(spec, lacking);
const namespace = 'shop-production';
const copies = 3;
/** Another seed plays others; all of them are played by as many seeds. */
const oneOf = 20;

/** A step of a rollout: a call to podman, before it or after it, or a write to the cluster. */
interface Step {
  readonly is: 'before a call' | 'after a call' | 'after a write';
  readonly number: number;
}

let product: Product;
let own: OwnPodman;
let calls: BetweenCalls;
let repository: Repository;
let dataDir: string | undefined;
const counted = { calls: 0, writes: 0 };
let wanted: Step | null = null;
let die: () => void = () => {};

/** Whether the server goes on. */
function passed(is: Step['is'], number: number): boolean {
  if (wanted?.is !== is || wanted.number !== number) return true;
  wanted = null;
  die();
  return false;
}

const start = async () => {
  const env = { CORE_NODES: 'podman', CORE_PODMAN_SOCKET: calls.socket };
  product = await startProduct({ env, args: ['--git-port', '7080'], ...(dataDir !== undefined && { dataDir }) });
  dataDir = product.dataDir;
};
spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman('shared');
  await importBusybox(own);
  calls = await betweenCalls(own, {
    before: () => passed('before a call', ++counted.calls),
    after: () => passed('after a call', counted.calls),
  });
  await start();
  repository = makeRepository();
});
spec.after(async () => {
  if (lacking !== null) return;
  await product.end('SIGTERM');
  calls.stop();
  await own.end();
  product.clean();
  repository.clean();
});

const kubectl = (...args: readonly string[]) => kubectlFor(product.endpoints.kubeconfig ?? '').run(...args);
const patch = (more: object) =>
  kubectl('patch', 'coreapp/hello', '-n', 'core-system', '--type=merge', '-p', JSON.stringify({ spec: more }));

const builtIn = (group: string, kind: string, plural: string): Resource => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const written: readonly (readonly [Resource, string])[] = [
  [apps, 'core-system'],
  [pods, namespace],
  [builtIn('', 'ConfigMap', 'configmaps'), namespace],
  [builtIn('apps', 'Deployment', 'deployments'), namespace],
  [builtIn('apps', 'ReplicaSet', 'replicasets'), namespace],
  [builtIn('discovery.k8s.io', 'EndpointSlice', 'endpointslices'), namespace],
];

/** Counts what is written from now on; gives what ends that. */
async function countWrites(): Promise<() => void> {
  const { cluster } = product;
  const fibers: Fiber.Fiber<void>[] = [];
  for (const [resource, where] of written) {
    const { resourceVersion } = await run(cluster.list(resource, { namespace: where }));
    const changes = cluster.watch(resource, { namespace: where, resourceVersion, silenceMs: 600_000 });
    const heard = Stream.runForEach(changes, ({ type }) =>
      Effect.sync(() => {
        if (type !== 'bookmark') passed('after a write', ++counted.writes);
      }),
    );
    fibers.push(Effect.runFork(Effect.ignore(heard)));
  }
  return () => {
    for (const fiber of fibers) Effect.runFork(Fiber.interrupt(fiber));
  };
}

interface Listed {
  readonly Labels: Readonly<Record<string, string>>;
}

/** The containers of the service, by their pods; none of them is there twice. */
async function running(): Promise<readonly string[]> {
  const listed = (await own.podman.call({ method: 'GET', path: '/containers/json' })) as readonly Listed[];
  const names = listed
    .filter(({ Labels: labels }) => labels['io.kubernetes.pod.namespace'] === namespace)
    .filter(({ Labels: labels }) => labels['io.kubernetes.container.name'] !== undefined)
    .map(({ Labels: labels }) => labels['io.kubernetes.pod.name'] ?? '');
  assert.is(new Set(names).size, names.length, `no copy runs twice: ${names.join(' ')}`);
  return names;
}

interface Replicated {
  readonly metadata?: { readonly generation: number };
  readonly status?: Readonly<Record<string, number>>;
}

async function settled(page: string): Promise<void> {
  await until(async () => (await visit()) === `200 ${page}`, `a visitor is answered ${page}`);
  await until(async () => {
    const answer = await kubectl('get', 'deployment/hello', '-n', namespace, '-o', 'json').catch(() => '{}');
    const { status, metadata } = JSON.parse(answer) as Replicated;
    return (
      status?.['observedGeneration'] === metadata?.generation &&
      [status?.['updatedReplicas'], status?.['availableReplicas'], status?.['replicas']].every((n) => n === copies)
    );
  }, 'all copies are new');
  await until(async () => (await running()).length === copies, 'as many containers as copies');
  await until(async () => {
    const left = (await own.podman.call({ method: 'GET', path: '/pods/json' })) as readonly Listed[];
    return left.filter(({ Labels: labels }) => labels['io.kubernetes.pod.namespace'] === namespace).length === copies;
  }, 'nothing is left of the others');
}

interface PodItem {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
}

async function restarts(): Promise<readonly number[]> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-n', namespace, '-o', 'json')) as {
    readonly items: readonly PodItem[];
  };
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap(({ status }) => status.containerStatuses ?? [])
    .map(({ restartCount }) => restartCount);
}

/** Rolls a page out, under a server that is killed at a step; whether it came to that step. */
async function rolledOut(page: string, step: Step | null, asking: ReturnType<typeof visitors>): Promise<boolean> {
  Object.assign(counted, { calls: 0, writes: 0 });
  let isDead = false;
  const died = new Promise<void>((done) => {
    die = () => {
      isDead = true;
      asking.away();
      process.kill(product.pid, 'SIGKILL');
      done();
    };
  });
  const stop = await countWrites();
  wanted = step;
  const patching = patch({ config: { PAGE: page } }).catch(() => '');
  const over = settled(page).catch((why: unknown) => why);
  await Promise.race([over, died]);
  wanted = null;
  await patching;
  stop();
  if (isDead) {
    await product.end('SIGKILL');
    await start();
    await until(async () => (await visit()).startsWith('200'), 'visitors are let in again');
    asking.back();
    // What was asked for may have died with the server.
    await patch({ config: { PAGE: page } });
  }
  await settled(page);
  return isDead;
}

real('copies run once and visitors get answers from a running server when a server is killed at any step', async () => {
  await kubectl('apply', '-f', 'crds/samples/first-build.yaml');
  const script =
    'mkdir /www; echo -n $PAGE > /www/index.html; trap \\"exit 0\\" TERM; httpd -p 8080 -h /www; while :; do sleep 0.1; done';
  repository.commit({ Buildfile: `FROM registry.local/base/busybox:1\nCMD ["sh","-c","${script}"]\n` });
  await patch({ replicas: copies, config: { PAGE: 'first' } });
  repository.push(`${product.endpoints.gitHost ?? ''}/demo/hello.git`);
  await settled('first');
  const asking = visitors();
  await rolledOut('counted', null, asking);
  const numbered = (is: Step['is'], count: number) =>
    Array.from({ length: count }, (_, at): Step => ({ is, number: at + 1 }));
  const steps = [
    ...numbered('before a call', counted.calls),
    ...numbered('after a call', counted.calls),
    ...numbered('after a write', counted.writes),
  ];
  const chosen = steps.filter((_, at) => (at + seed) % oneOf === 0);
  process.stdout.write(`${counted.calls} calls, ${counted.writes} writes; ${chosen.length} steps are played\n`);
  let played = 0;
  for (const [index, step] of chosen.entries()) {
    const where = `${step.is}, number ${step.number}`;
    try {
      const began = Date.now();
      if (await rolledOut(`page-${index}`, step, asking)) played += 1;
      process.stdout.write(`${where}: ${Date.now() - began} ms\n`);
      assert.equal(
        await restarts(),
        Array.from({ length: copies }, () => 0),
        'none is run again',
      );
      const lost = [...asking.answers()].filter(([answer]) => !answer.startsWith('200 '));
      assert.equal(lost, [], 'no visitor is lost');
    } catch (why) {
      throw new Error(`killed ${where}: ${why instanceof Error ? why.message : String(why)}`, { cause: why });
    }
  }
  await asking.end();
  assert.ok(played >= chosen.length / 2, `${played} of ${chosen.length} were come to`);
});

spec.run();
