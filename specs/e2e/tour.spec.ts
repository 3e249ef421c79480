import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import { newDataDir, type Product, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const tour = suite('the tour: two commands, a sample, a git push');
const repository = makeRepository();
let product: Product;

const app = () => run(product.cluster.get(apps, { name: 'hello' }));
const ready = async () => (await app()).status?.conditions?.find(({ type }) => type === 'Ready');
const currentBuild = async (): Promise<CoreBuild | null> => {
  const name = (await app()).status?.currentBuild;
  return name === undefined
    ? null
    : run(product.cluster.get(builds, { name }).pipe(Effect.catch(() => Effect.succeed(null))));
};
const succeeded = (commit: string) =>
  until(async () => {
    const build = await currentBuild();
    return build?.status?.phase === 'Succeeded' && build.status.sourceRevision === commit && build;
  }, `the build of ${commit} succeeds`);

tour.before(async () => {
  product = await startProduct({ dataDir: newDataDir() });
});
tour.after(async () => {
  await product.end('SIGTERM');
  product.clean();
  repository.clean();
});

tour('standard output names the dashboard, the kubeconfig and, last, ready', () => {
  const lines = product.stdout().trim().split('\n');
  assert.match(lines[0] ?? '', /^dashboard http:\/\/127\.0\.0\.1:\d+$/);
  assert.ok(lines.some((line) => line.startsWith('kubeconfig /')));
  const hint = /CORE_NODES=podman/;
  assert.is(
    lines.findLast((line) => !hint.test(line)),
    'ready',
  );
  assert.ok(
    lines.at(-1) === 'ready' || hint.test(lines.at(-1) ?? ''),
    'only where podman is found, one more line names it',
  );
  assert.not.ok(
    lines.some((line) => line.startsWith('admin password')),
    'a password that was given is not shown',
  );
});

tour('BLD-001 BLD-146 a service with a git source gets a build when its connection and Secret exist', async () => {
  await applySample(product.cluster, 'first-build.yaml');
  const build = await until(currentBuild, 'the service names its current build');
  assert.match(build.metadata.name, /^hello-build-[0-9a-f]{12}$/);
  const owner = build.metadata.ownerReferences?.[0];
  assert.is(owner?.kind, 'CoreApp');
  assert.is(owner?.controller, true);
  assert.is(owner?.uid, (await app()).metadata.uid);
  assert.equal(build.metadata.labels, {
    'core.platform/app': 'hello',
    'core.platform/name': 'hello',
    'core.platform/kind': 'CoreBuild',
    'core.platform/managed-by': 'core',
    'core.platform/system-namespace': 'core-system',
    'core.platform/project': 'shop',
    'core.platform/environment': 'production',
  });
});

tour('BLD-140 BLD-134 a build waits as Failed before the first push, with 404 of the Git host', async () => {
  const build = await until(async () => {
    const found = await currentBuild();
    return found?.status?.phase === 'Failed' && found;
  }, 'the build fails for want of a repository');
  assert.is(build.status?.failureReason, 'Git host API returned 404 Not Found');
  await until(
    async () => (await ready())?.message === 'Git source is waiting for a successful build',
    'the service says what it waits for',
  );
});

tour('BLD-165 GIT-002 a push builds the head of the branch, and its digest is recorded', async () => {
  const commit = repository.commit({ Buildfile: 'FROM scratch\n' }, 'First');
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  const build = await succeeded(commit);
  assert.match(build.status?.imageDigest ?? '', /^sha256:[0-9a-f]{64}$/);
  assert.ok(build.status?.completedAt);
  assert.is(build.status?.logRef, `pod-log://${build.metadata.name}-builder/builder`);
  assert.is(build.status?.image, 'registry.local/apps');
  const image = await until(async () => (await app()).status?.resolvedImage, 'the image is resolved');
  assert.is(image, `registry.local/apps@${build.status?.imageDigest}`);
});

tour('BLD-061 GIT-002 a second push starts another run of the build with its own Job and digest', async () => {
  const before = await currentBuild();
  const commit = repository.commit({ 'index.html': '<p>hello</p>\n' }, 'Second');
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  const build = await succeeded(commit);
  assert.is(build.metadata.uid, before?.metadata.uid);
  assert.is.not(build.status?.imageDigest, before?.status?.imageDigest);
  const job = await run(product.cluster.get(jobs, { name: `${build.metadata.name}-builder` }));
  assert.is(job.metadata.annotations?.['core.platform/run'], build.status?.startedAt);
});

tour('GET /api/v1/builds/{name}/transitions returns every move with its row', async () => {
  const build = await currentBuild();
  const answer = await product.api(`/api/v1/builds/${build?.metadata.name}/transitions`);
  const { items } = (await answer.json()) as { items: readonly { event: string; row?: string; outside: boolean }[] };
  assert.ok(items.some(({ event, row }) => event === 'pushed' && row === 'BLD-169'));
  assert.ok(items.every(({ outside }) => !outside));
});

tour('SIGTERM drains, exits 0 and removes endpoints.json', async () => {
  assert.is(await product.end('SIGTERM'), 0);
});

tour.run();
