import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { Explanation } from '../../http/api.ts';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('pushes during kills');
const test = unless(spec, isWhole ? null : 'pushes beside a server that is killed are played by `npm run whole`');
/** How often each way to lose one is tried. */
const times = Number(process.env['CORE_PUSHES'] ?? 1);

const currentBuild = async ({ cluster }: Product): Promise<CoreBuild | null> => {
  const none = Effect.catch(() => Effect.succeed(null));
  const app = await run(cluster.get(apps, { name: 'hello' }).pipe(none));
  const name = app?.status?.currentBuild;
  return name === undefined ? null : run(cluster.get(builds, { name }).pipe(none));
};
const succeeded = (product: Product, commit: string) =>
  until(async () => {
    const build = await currentBuild(product);
    return build?.status?.phase === 'Succeeded' && build.status.sourceRevision === commit && build;
  }, `the build of ${commit} succeeds`);
const pushesOf = ({ status }: CoreBuild, commit: string) =>
  status?.history?.filter(({ event, text }) => event === 'pushed' && text.includes(commit.slice(0, 12))) ?? [];

const repositoryOf = ({ endpoints }: Product) => `${endpoints.gitHost}/demo/hello.git`;

const repository = makeRepository();
let count = 0;
const commit = () => repository.commit({ Buildfile: `FROM scratch\n# ${(count += 1)}\n` });
/** Every test leaves it running, with a build that succeeded. */
let product: Product;

spec.before(async () => {
  if (!isWhole) return;
  product = await startProduct();
  await applySample(product.cluster, 'first-build.yaml');
  const first = commit();
  repository.push(repositoryOf(product));
  await succeeded(product, first);
});
spec.after(async () => {
  repository.clean();
  if (!isWhole) return;
  await product.end('SIGTERM');
  product.clean();
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  test(`BLD-169 a push during ${signal} is built once after the next start`, async () => {
    const { dataDir } = product;
    for (let time = 0; time < times; time += 1) {
      const sha = commit();
      repository.push(repositoryOf(product));
      await product.end(signal);
      product = await startProduct({ dataDir });
      assert.is(pushesOf(await succeeded(product, sha), sha).length, 1, `time ${time + 1}`);
    }
  });

test('BLD-169 the current head of the branch is built when the server was killed during a push', async () => {
  const { dataDir } = product;
  for (let time = 0; time < times; time += 1) {
    const sha = commit();
    const pushing = repository.pushing(repositoryOf(product));
    await new Promise((go) => setTimeout(go, 40 + 25 * time));
    await product.end('SIGKILL');
    await pushing;
    product = await startProduct({ dataDir });
    const head = repository.git('ls-remote', repositoryOf(product), 'refs/heads/main').split('\t')[0] ?? '';
    const build = await succeeded(product, head);
    if (head === sha) assert.is(pushesOf(build, sha).length, 1, `time ${time + 1}`);
    repository.push(repositoryOf(product));
    await succeeded(product, sha);
  }
});

test('the explanation of a build at rest shows the next check of its branch', async () => {
  const build = await currentBuild(product);
  const branch = await until(async () => {
    const answer = await product.api(`/api/v1/builds/${build?.metadata.name}/explain`);
    return ((await answer.json()) as Explanation).notes.find(({ name }) => name === 'branch')?.until;
  }, 'the next look is told');
  const inMs = Date.parse(branch) - Date.now();
  assert.ok(inMs > 0 && inMs <= 10 * 60_000, branch);
});

test('BLD-169 a push that the Git host never reported is found at the start', async () => {
  const cluster = await startProduct({ args: ['--role', 'cluster'] });
  const { endpoints } = cluster;
  const args = [
    `--kubeconfig=${endpoints.operatorKubeconfig}`,
    '--lease-seconds=3',
    `--git-url=${endpoints.gitHost}`,
    `--git-api-url=${endpoints.gitHost}/api`,
  ];
  let operator = await startProduct({ args });
  try {
    // Nobody reports this push either: a build that found no branch would look again half a minute later.
    const first = commit();
    repository.push(repositoryOf(cluster));
    await applySample(cluster.cluster, 'first-build.yaml');
    await succeeded(cluster, first);
    await operator.end('SIGKILL');
    const second = commit();
    repository.push(repositoryOf(cluster));
    const { dataDir } = operator;
    operator = await startProduct({ args, dataDir });
    const [push, ...more] = pushesOf(await succeeded(cluster, second), second);
    assert.equal([push?.by, more.length], ['operator', 0]);
  } finally {
    await operator.end('SIGTERM');
    await cluster.end('SIGTERM');
    operator.clean();
    cluster.clean();
  }
});

spec.run();
