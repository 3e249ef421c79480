import * as assert from 'uvu/assert';
import type { Pod } from '../../crds/builtIn.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { startProduct, type Product } from '../support/product.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { importBusybox, lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';

/** The whole product with real containers takes more than the suite has. */
const only = isWhole ? null : 'the product with podman is played by `npm run whole`';
const lacking = only ?? lacksPodman() ?? noKubectl() ?? enterOwnNetwork();
const spec = suite('pushes built and run by podman');
const real = unless(spec, lacking);
let product: Product | undefined;
let own: OwnPodman | undefined;
let repository: Repository | undefined;
let kubectl: ReturnType<typeof kubectlFor>;

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman('shared');
  await importBusybox(own);
  const env = { CORE_NODES: 'podman', CORE_PODMAN_SOCKET: own.socket };
  product = await startProduct({ env });
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  repository = makeRepository();
});
spec.after(async () => {
  await product?.end('SIGTERM');
  await own?.end();
  product?.clean();
  repository?.clean();
});

const page = (text: string) => ({
  Buildfile:
    'FROM registry.local/base/busybox:1\nCOPY page /www/index.html\nCMD ["httpd","-f","-p","8080","-h","/www"]\n',
  page: text,
});
const push = (files: Readonly<Record<string, string>>) => {
  const sha = repository?.commit(files) ?? '';
  repository?.push(`${product?.endpoints.gitHost ?? ''}/demo/hello.git`);
  return sha;
};

interface Build {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly sourceRevision?: string;
    readonly imageDigest?: string;
    readonly failureReason?: string;
  };
}
const listed = async <O>(...args: readonly string[]) =>
  (JSON.parse(await kubectl.run('get', ...args, '-o', 'json')) as { readonly items: readonly O[] }).items;

const built = (sha: string, phase: string) =>
  until(async () => {
    const builds = await listed<Build>('corebuilds', '-n', 'core-system');
    return builds.find(({ status }) => status?.sourceRevision === sha && status.phase === phase);
  }, `the build of ${sha} to be ${phase}`);

/** The address of a running pod of the service that runs an image. */
const podWith = (digest: string) =>
  until(async () => {
    const pods = await listed<Pod>('pods', '-n', 'shop-production');
    return pods.find(
      ({ status, metadata, ...rest }) =>
        metadata.deletionTimestamp === undefined &&
        status?.phase === 'Running' &&
        JSON.stringify(rest).includes(digest) &&
        status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  }, `a pod to run ${digest}`);

const answerOf = async (pod: Pod) => {
  const { podIP = '' } = pod.status as { readonly podIP?: string };
  return (await fetch(`http://${podIP}:8080/`)).text();
};

real(
  'BLD-002 BLD-080 BLD-165 a push is cloned and built on this machine, and the service answers from that image',
  async () => {
    await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml');
    const first = await built(push(page('one')), 'Succeeded');
    const digest = first.status?.imageDigest ?? '';
    assert.is(await answerOf(await podWith(digest)), 'one');
    const second = await built(push(page('two')), 'Succeeded');
    assert.is(await answerOf(await podWith(second.status?.imageDigest ?? '')), 'two');
    const log = await kubectl.run('logs', '-n', 'core-system', `job/${second.metadata.name}-builder`, '-c', 'builder');
    assert.match(log, 'STEP 1/3: FROM registry.local/base/busybox:1');
    assert.match(log, `@${second.status?.imageDigest ?? ''}`);
  },
);

real('BLD-164 a failing build recipe fails the build, and its pod reports the reason', async () => {
  const failed = await built(
    push({ Buildfile: 'FROM registry.local/base/busybox:1\nRUN echo oops; exit 3\n' }),
    'Failed',
  );
  assert.is(failed.status?.failureReason, 'builder Job failed');
  const pods = await listed<Pod>(
    'pods',
    '-n',
    'core-system',
    '-l',
    `batch.kubernetes.io/job-name=${failed.metadata.name}-builder`,
  );
  assert.match(JSON.stringify(pods), 'exit status 3');
});

real('the internal git image is refused in any other namespace', async () => {
  await kubectl.run(
    'run',
    'thief',
    '-n',
    'default',
    '--image=node.local/git',
    '--restart=Never',
    '--',
    'sh',
    '-c',
    'id',
  );
  const pod = await until(async () => {
    const [found] = await listed<Pod>('pods', '-n', 'default');
    return found?.status?.phase === 'Failed' && found;
  }, 'the pod to fail');
  assert.match(JSON.stringify(pod.status), '"exitCode":126');
  assert.match(await kubectl.run('logs', 'thief', '-n', 'default'), 'runs in the namespace core-system alone');
});

spec.run();
