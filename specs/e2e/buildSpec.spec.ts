import * as assert from 'uvu/assert';
import { coreBuild } from '../../crds/coreBuild.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { manualReset } from '../support/reset.ts';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('the spec of a build, with kubectl');
const missing = noKubectl();
const test = unless(spec, missing);
const repository = makeRepository();
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;
let build = '';

const required: readonly string[] = coreBuild.spec.required ?? [];
const inSystem = ['-n', 'core-system'] as const;
const sentence = 'the spec of a build is changed only through its service, which then makes a new build';

const read = (path: string) => kubectl.run('get', 'corebuild', build, ...inSystem, '-o', `jsonpath={${path}}`);
const patch = (body: object, ...more: readonly string[]) =>
  kubectl.run('patch', 'corebuild', build, ...inSystem, '--type=merge', '-p', JSON.stringify(body), ...more);
const patchStatus = (status: object) => patch({ status }, '--subresource=status');
const succeeds = (since: string) =>
  until(async () => {
    const [phase, startedAt] = (await read('.status.phase} {.status.startedAt')).split(' ');
    return phase === 'Succeeded' && startedAt !== since;
  }, 'another run succeeds');

async function isRefused(asked: Promise<string>, what: string): Promise<void> {
  const said = await asked.then(
    (text) => `done: ${text}`,
    (error: unknown) => String((error as { readonly stderr?: string }).stderr),
  );
  assert.ok(said.includes(sentence), `${what}: ${said}`);
}

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml');
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  build = await until(async () => {
    const name = await kubectl.run('get', 'coreapp', 'hello', ...inSystem, '-o', 'jsonpath={.status.currentBuild}');
    return name.trim();
  }, 'the service names its build');
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
  repository.clean();
});

test("BLD-112 the admission policy accepts the operator's writes, and the build succeeds", async () => {
  await succeeds('');
});

test('BLD-112 no field of the spec can be changed, added or removed', async () => {
  const before = JSON.parse(await read('.spec')) as Readonly<Record<string, unknown>>;
  const another = (value: unknown) =>
    typeof value === 'boolean' ? !value : typeof value === 'string' ? `${value}x` : { name: 'another' };
  const added = (field: string) => (field.endsWith('Ref') ? { name: 'another' } : 'another');
  for (const [at, field] of Object.keys(coreBuild.spec.properties).entries()) {
    if (field === 'gitCredentialRef' || !isChosen(at, 3)) continue;
    const value = before[field];
    await isRefused(patch({ spec: { [field]: value === undefined ? added(field) : another(value) } }), field);
    const isOptional = !required.includes(field);
    if (value !== undefined && isOptional) await isRefused(patch({ spec: { [field]: null } }), `${field} removed`);
  }
  const replaced = [{ op: 'replace', path: '/spec/registry', value: 'registry.evil/app' }];
  const asJson = ['--type=json', '-p', JSON.stringify(replaced)];
  await isRefused(kubectl.run('patch', 'corebuild', build, ...inSystem, ...asJson), 'a JSON patch');
  assert.equal(JSON.parse(await read('.spec')), before);
});

test('BLD-043 BLD-112 gitCredentialRef, labels and annotations of a build may be changed', async () => {
  await patch({ spec: { gitCredentialRef: null } });
  await patch({ spec: { gitCredentialRef: { name: 'shop-git-token' } }, metadata: { annotations: { note: 'x' } } });
  assert.is(await read('.spec.gitCredentialRef.name'), 'shop-git-token');
});

test('BLD-107 BLD-112 the documented reset, a cancel and a rebuild are accepted, and the build runs again', async () => {
  let startedAt = await read('.status.startedAt');
  await patchStatus(manualReset);
  await succeeds(startedAt);
  startedAt = await read('.status.startedAt');
  assert.is((await product.api('/api/apps/hello/build', { method: 'POST' })).status, 200);
  await succeeds(startedAt);
  await patchStatus({ phase: 'Pending', cancelRequested: true });
  await until(async () => (await read('.status.phase')) === 'Cancelled', 'it is cancelled');
});

spec.run();
