import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('kubectl users');
const repository = makeRepository();
const missing = noKubectl();
const test = unless(spec, missing);
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;
let build = '';

const inSystem = ['-n', 'core-system'] as const;
const strayService = {
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreApp',
  metadata: { name: 'stray', namespace: 'elsewhere' },
  spec: {
    project: 'shop',
    environment: 'production',
    source: { git: { repository: 'demo/hello' } },
    deploy: { enabled: true },
  },
};
const phase = (name: string) =>
  kubectl.run('get', 'corebuild', name, ...inSystem, '-o', 'jsonpath={.status.phase}').catch(() => '');

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  const stray = join(product.dataDir, 'stray.json');
  writeFileSync(stray, JSON.stringify(strayService));
  await kubectl.run('create', 'namespace', 'elsewhere');
  await kubectl.run('create', '-f', stray);
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
  repository.clean();
});

test('kubectl get answers when no object exists', async () => {
  assert.match(
    await kubectl.run('get', 'coreapps,corebuilds', ...inSystem),
    /No resources found in core-system namespace/,
  );
});

test('BLD-001 the sample can be applied twice, and a build is created', async () => {
  assert.match(
    await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml'),
    /coreapp.core.platform\/hello created/,
  );
  const again = await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml');
  assert.match(again, /coreapp.core.platform\/hello unchanged/);
  assert.match(again, /secret\/shop-git-token (configured|unchanged)/);
  build = await until(async () => {
    const name = await kubectl.run('get', 'coreapp', 'hello', ...inSystem, '-o', 'jsonpath={.status.currentBuild}');
    return name.trim();
  }, 'the service names its build');
  assert.match(build, /^hello-build-[0-9a-f]{12}$/);
});

test('KND-002 objects outside core-system are ignored', async () => {
  assert.match(await kubectl.run('get', 'coreapps', '-A', '-o', 'name'), /stray[^]*hello|hello[^]*stray/);
  assert.is((await kubectl.run('get', 'coreapp', 'stray', '-n', 'elsewhere', '-o', 'jsonpath={.status}')).trim(), '');
  assert.equal((await kubectl.run('get', 'corebuilds', '-A', '-o', 'name')).trim().split('\n').length, 1);
  const { items } = (await (await product.api('/api/v1/apps')).json()) as { items: readonly { name: string }[] };
  assert.equal(
    items.map(({ name }) => name),
    ['hello'],
  );
});

test('a push is built, and kubectl get -w, wait and describe show it', async () => {
  const watching = kubectl.follow('get', 'corebuilds', ...inSystem, '-w', '-o', 'custom-columns=P:.status.phase');
  const waiting = kubectl.run(
    'wait',
    'corebuild',
    build,
    ...inSystem,
    '--for=jsonpath={.status.phase}=Succeeded',
    '--timeout=120s',
  );
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  assert.match(await waiting, /condition met/);
  await until(() => /Running[\s\S]*Succeeded/.test(watching.text()), 'the watch shows the phases');
  watching.stop();
  const described = await until(async () => {
    const text = await kubectl.run('describe', 'corebuild', build, ...inSystem);
    return text.includes('DigestFound') && text;
  }, 'the moves are Events');
  assert.match(described, /JobCreated\s+.*core-operator\s+Pending → Running/);
});

test('fields that the operator writes are managed by core', async () => {
  const managers = '{range .metadata.managedFields[*]}{.manager} {.operation} {.subresource},{end}';
  const shown = await kubectl.run(
    'get',
    'corebuild',
    build,
    ...inSystem,
    '--show-managed-fields',
    `-ojsonpath=${managers}`,
  );
  assert.is(shown, 'core Update ,core Update status,');
});

test('kubectl knows short names, the category and explanations', async () => {
  assert.match(
    await kubectl.run('get', 'cb', build, ...inSystem, '-o', 'name'),
    /corebuild.core.platform\/hello-build/,
  );
  assert.match(await kubectl.run('get', 'core', ...inSystem, '-o', 'name'), /coreapp.core.platform\/hello/);
  assert.match(await kubectl.run('explain', 'corebuild.spec.waitForCI'), /every check run/);
});

test('BLD-107 BLD-108 a manual reset starts another run while the former Job exists', async () => {
  const job = ['get', 'job', `${build}-builder`, ...inSystem, '-o', 'jsonpath={.metadata.uid}'] as const;
  const last = await kubectl.run(...job);
  assert.ok(last);
  const started = await kubectl.run('get', 'corebuild', build, ...inSystem, '-o', 'jsonpath={.status.startedAt}');
  const reset =
    '{"status":{"phase":"Pending","failureReason":"","sourceRevision":"","ciState":"","imageDigest":null,"logRef":"","startedAt":null,"completedAt":null}}';
  await kubectl.run('patch', 'corebuild', build, ...inSystem, '--subresource=status', '--type=merge', '-p', reset);
  await until(async () => {
    const now = await kubectl.run(
      'get',
      'corebuild',
      build,
      ...inSystem,
      '-o',
      'jsonpath={.status.startedAt} {.status.phase}',
    );
    return now.endsWith('Succeeded') && !now.startsWith(started);
  }, 'another run succeeds');
  assert.is.not(await kubectl.run(...job), last);
});

test('BLD-167 cancelRequested stops a running build', async () => {
  const rules = JSON.stringify({ data: { pods: '- match: { container: builder }\n  hang: true\n' } });
  await kubectl.run('patch', 'configmap', 'simulated-nodes', ...inSystem, '--type=merge', '-p', rules);
  await kubectl.run('apply', '-f', 'crds/samples/builds.yaml');
  const name = (await kubectl.run('get', 'corebuilds', ...inSystem, '-o', 'name'))
    .split('\n')
    .map((line) => line.replace(/^.*\//, ''))
    .find((one) => one !== '' && one !== build) as string;
  await until(async () => (await phase(name)) === 'Running', 'the build made by hand runs');
  const cancel = '{"status":{"cancelRequested":true}}';
  await kubectl.run('patch', 'corebuild', name, ...inSystem, '--subresource=status', '--type=merge', '-p', cancel);
  await until(async () => (await phase(name)) === 'Cancelled', 'it is cancelled');
  await until(async () => {
    const jobs = await kubectl.run('get', 'jobs', ...inSystem, '-o', 'name');
    return !jobs.includes(`${name}-builder`);
  }, 'its Job is deleted');
});

test('BLD-054 a phase that does not exist is refused with a clear text', async () => {
  const bad = '{"status":{"phase":"Sleeping"}}';
  const refused = await kubectl
    .run('patch', 'corebuild', build, ...inSystem, '--subresource=status', '--type=merge', '-p', bad)
    .catch((error: unknown) => String((error as { stderr?: string }).stderr));
  assert.match(refused, /status\.phase: Unsupported value: "Sleeping"/);
});

test('BLD-110 the service creates a build under the same name when the build is deleted', async () => {
  const uid = await kubectl.run('get', 'corebuild', build, ...inSystem, '-o', 'jsonpath={.metadata.uid}');
  await kubectl.run('delete', 'corebuild', build, ...inSystem);
  await until(async () => {
    const now = await kubectl
      .run('get', 'corebuild', build, ...inSystem, '-o', 'jsonpath={.metadata.uid}')
      .catch(() => uid);
    return now !== uid;
  }, 'a new build of that name');
});

spec.run();
