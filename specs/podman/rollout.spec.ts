import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { StatusItem } from '../../http/api.ts';
import { wakeAddress } from '../../rules/service/wake.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { startProduct, type Product } from '../support/product.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { importBusybox, lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';
import { visit, visitors } from './visiting.ts';

const only = isWhole ? null : 'the product with podman is played by `npm run whole`';
const lacking = only ?? lacksPodman() ?? noKubectl() ?? enterOwnNetwork();
const spec = suite('rollouts of containers with visitors');
const real = unless(spec, lacking);
const copies = 5;
let product: Product;
let own: OwnPodman;
let repository: Repository;
let dataDir: string | undefined;

const start = async () => {
  const env = { CORE_NODES: 'podman', CORE_PODMAN_SOCKET: own.socket };
  // Its own network has no other server: whoever was told of the Git host finds it again.
  product = await startProduct({ env, args: ['--git-port', '7080'], ...(dataDir !== undefined && { dataDir }) });
  dataDir = product.dataDir;
};
spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman('shared');
  await importBusybox(own);
  await start();
  repository = makeRepository();
});
spec.after(async () => {
  if (lacking !== null) return;
  await product.end('SIGTERM');
  await own.end();
  product.clean();
  repository.clean();
});

const kubectl = (...args: readonly string[]) => kubectlFor(product.endpoints.kubeconfig ?? '').run(...args);
const push = (page: string) => {
  const Buildfile =
    'FROM registry.local/base/busybox:1\nCOPY page /www/index.html\nCMD ["sh","-c","trap \\"exit 0\\" TERM; httpd -p 8080 -h /www; while :; do sleep 0.1; done"]\n';
  repository.commit({ Buildfile, page });
  repository.push(`${product.endpoints.gitHost ?? ''}/demo/hello.git`);
};

const answering = (page: string) => until(async () => (await visit()) === `200 ${page}`, `a visitor is told ${page}`);

interface Listed {
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
}

/** The containers of the service that run, by their pods. */
async function running(): Promise<readonly string[]> {
  const listed = (await own.podman.call({ method: 'GET', path: '/containers/json' })) as readonly Listed[];
  return listed
    .filter(({ Labels: labels }) => labels['io.kubernetes.container.name'] !== undefined)
    .filter(({ Labels: labels }) => labels['io.kubernetes.pod.namespace'] === 'shop-production')
    .map(({ Labels: labels }) => labels['io.kubernetes.pod.name'] ?? '');
}

async function settled(): Promise<void> {
  await until(async () => {
    const answer = await kubectl('get', 'deployment/hello', '-n', 'shop-production', '-o', 'json').catch(() => '{}');
    const { status, metadata } = JSON.parse(answer) as {
      readonly metadata?: { readonly generation: number };
      readonly status?: Readonly<Record<string, number>>;
    };
    return (
      status?.['observedGeneration'] === metadata?.generation &&
      [status?.['updatedReplicas'], status?.['availableReplicas'], status?.['replicas']].every((n) => n === copies)
    );
  }, 'all copies are new');
  await until(async () => (await running()).length === copies, 'as many containers as copies');
}

const failures = (answers: ReadonlyMap<string, number>, ...pages: readonly string[]) =>
  [...answers].filter(([answer]) => !pages.some((page) => answer === `200 ${page}`));

real('no visitor is lost while five copies are replaced one at a time', async () => {
  await kubectl('apply', '-f', 'crds/samples/first-build.yaml');
  push('one');
  await answering('one');
  await kubectl('patch', 'coreapp/hello', '-n', 'core-system', '--type=merge', '-p', `{"spec":{"replicas":${copies}}}`);
  await settled();
  const asking = visitors();
  push('two');
  await answering('two');
  await settled();
  const answers = await asking.end();
  assert.equal(failures(answers, 'one', 'two'), []);
  assert.ok(
    [...answers.values()].every((count) => count > 10),
    JSON.stringify([...answers]),
  );
});

real(
  'a server that is killed repeatedly in a rollout loses no visitor while it runs and starts no copy twice',
  async () => {
    const asking = visitors();
    push('three');
    for (const afterMs of [300, 900, 1_500, 100, 600]) {
      await pause(afterMs);
      asking.away();
      await product.end('SIGKILL');
      await start();
      await until(async () => (await visit()).startsWith('200'), 'visitors are let in again');
      asking.back();
    }
    await answering('three');
    await settled();
    const answers = await asking.end();
    assert.equal(failures(answers, 'two', 'three'), []);
    const pods = await running();
    assert.is(new Set(pods).size, copies, 'each pod has one container');
    const { items } = JSON.parse(await kubectl('get', 'pods', '-n', 'shop-production', '-o', 'json')) as {
      readonly items: readonly {
        readonly metadata: { readonly deletionTimestamp?: string };
        readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
      }[];
    };
    // What has ended may still be listed for a moment.
    const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    assert.equal(
      staying.flatMap(({ status }) => status.containerStatuses ?? []).map(({ restartCount }) => restartCount),
      Array.from({ length: copies }, () => 0),
    );
  },
);

real('CLI-198 DEP-062 an idle service is stopped, and the next visitor starts it and gets an answer', async () => {
  const patch = (kind: string, fields: object) =>
    kubectl('patch', kind, '-n', 'core-system', '--type=merge', '-p', JSON.stringify({ spec: fields }));
  await patch('corecluster/local', { addons: { serverless: true } });
  await patch('coreapp/hello', { replicas: 1, scaleToZero: { enabled: true, idleSeconds: 30 } });
  const status = async () => (await (await product.api('/api/v1/apps/hello/status')).json()) as StatusItem;
  await until(async () => (await status()).scaleToZero?.active === true, 'it may sleep');
  await until(async () => (await status()).sleeping && (await running()).length === 0, 'it sleeps');
  const began = Date.now();
  const visitors = Array.from({ length: 3 }, visit);
  assert.equal(
    await Promise.all(visitors),
    Array.from({ length: 3 }, () => '200 three'),
  );
  assert.is((await running()).length, 1, `one copy, after ${Date.now() - began} ms`);
  const inside = ['asker', '-n', 'shop-production'];
  const address = `${wakeAddress('hello', { project: 'shop', environment: 'production' })}/`;
  const asking = ['--restart=Never', '--image=registry.local/base/busybox:1', '--command', '--', 'wget', '-qO-'];
  await kubectl('run', ...inside, ...asking, address);
  await until(async () => (await kubectl('logs', ...inside).catch(() => '')) === 'three', 'a pod comes by the proxy');
  await patch('coreapp/hello', { scaleToZero: { enabled: false } });
  await until(async () => (await status()).scaleToZero?.active === undefined, 'it is always on');
  assert.is(await visit(), '200 three');
});

spec.run();
