import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, root, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('a project kept in git, applied by Kustomize');
const missing = noKubectl();
const test = unless(spec, missing);
const inSystem = ['-n', 'core-system'] as const;
const kinds = ['CoreApp', 'CoreCloudConnection', 'CoreDatabase', 'CoreObjectStore', 'CoreProject'];
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;
/** The checkout of the team. */
let folder: string;

const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  folder = mkdtempSync(join(tmpdir(), 'core-gitops-'));
  cpSync(join(root, 'crds/gitops/example'), folder, { recursive: true });
  write(
    'base/account.yaml',
    read('base/account.yaml').replaceAll('http://127.0.0.1:7090', product.endpoints.cloud ?? ''),
  );
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
  rmSync(folder, { recursive: true, force: true });
});

const partOf = (overlay: string) => `app.kubernetes.io/part-of=library-${overlay}`;

async function objectsOf(overlay: string): Promise<readonly KubeObject[]> {
  const text = await kubectl.run('get', kinds.join(','), ...inSystem, '-l', partOf(overlay), '-o', 'json');
  return (JSON.parse(text) as { readonly items: readonly KubeObject[] }).items;
}

async function becomesReady(overlay: string, count: number) {
  const args = [...inSystem, '-l', partOf(overlay), '--for=condition=Ready', '--timeout=120s'];
  const all = await kubectl.run('wait', kinds.join(','), ...args);
  assert.is(all.match(/condition met/g)?.length, count, all);
  for (const { kind, metadata, ...object } of await objectsOf(overlay)) {
    const { causes = [] } = (object as { status?: { causes?: readonly object[] } }).status ?? {};
    assert.equal(causes, [], `${kind} ${metadata.name}`);
  }
}

/** An overlay beside those of the example. */
function writeOverlay(name: string) {
  mkdirSync(join(folder, name));
  write(`${name}/kustomization.yaml`, read('staging/kustomization.yaml').replaceAll('-staging', `-${name}`));
}

/** Applies the objects of an overlay one after the other, by their kinds. */
async function applyInOrder(overlay: string, order: readonly string[]) {
  const documents = parseAllDocuments(await kubectl.run('kustomize', join(folder, overlay)));
  const objects = documents.map((document) => document.toJS() as KubeObject);
  for (const kind of order) {
    write(`${overlay}.yaml`, stringify(objects.find((object) => object.kind === kind)));
    await kubectl.run('apply', '-f', join(folder, `${overlay}.yaml`));
  }
}

/** No object before one that it needs, each before all that it needs, and two between. */
const orders: Readonly<Record<string, readonly string[]>> = {
  production: ['CoreProject', 'CoreCloudConnection', 'CoreDatabase', 'CoreObjectStore', 'CoreApp'],
  staging: ['CoreApp', 'CoreObjectStore', 'CoreDatabase', 'CoreCloudConnection', 'CoreProject'],
  first: ['CoreDatabase', 'CoreApp', 'CoreProject', 'CoreObjectStore', 'CoreCloudConnection'],
  second: ['CoreCloudConnection', 'CoreObjectStore', 'CoreApp', 'CoreProject', 'CoreDatabase'],
};

test('the overlays become Ready in whatever order their objects are applied, without a retry', async () => {
  for (const name of ['first', 'second']) writeOverlay(name);
  for (const [overlay, order] of Object.entries(orders)) {
    assert.equal([...order].sort(), kinds);
    await applyInOrder(overlay, order);
  }
  for (const overlay of Object.keys(orders)) await becomesReady(overlay, kinds.length);
});

const allowed = kinds.map((kind) => `--prune-allowlist=core.platform/v1alpha1/${kind}`);
const apply = (overlay: string) =>
  kubectl.run('apply', '-k', join(folder, overlay), '--prune', '-l', partOf(overlay), ...allowed);
const image = '-o=jsonpath={.spec.template.spec.containers[0].image}';
const imageOf = (overlay: string) =>
  kubectl.run('get', 'deployment', `library-web-${overlay}`, '-n', `library-${overlay}-main`, image);

test('what was applied does not differ from what is in git', async () => {
  for (const overlay of Object.keys(orders)) {
    await kubectl.run('apply', '-k', join(folder, overlay));
    assert.is(await kubectl.run('diff', '-k', join(folder, overlay)), '', overlay);
  }
});

const worker = `apiVersion: core.platform/v1alpha1
kind: CoreApp
metadata: { name: library-worker }
spec:
  project: library
  environment: main
  source: { image: registry.example.com/library/worker }
  deploy: { enabled: true }
`;

test('a commit changes the image and adds a service; its revert takes both back', async () => {
  const before = read('production/kustomization.yaml');
  write('production/worker.yaml', worker);
  write(
    'production/kustomization.yaml',
    before.replace('  - ../base\n', '  - ../base\n  - worker.yaml\n').replace('1.0.0', '1.2.0'),
  );
  await apply('production');
  await becomesReady('production', kinds.length + 1);
  assert.is(await imageOf('production'), 'registry.example.com/library/web:1.2.0');

  write('production/kustomization.yaml', before);
  rmSync(join(folder, 'production/worker.yaml'));
  assert.match(await apply('production'), /library-worker-production pruned/);
  await until(async () => (await objectsOf('production')).length === kinds.length, 'the worker is gone');
  await becomesReady('production', kinds.length);
  assert.is(await imageOf('production'), 'registry.example.com/library/web:1.0.0');
  await becomesReady('staging', kinds.length);
  assert.is(await imageOf('staging'), 'registry.example.com/library/web:1.1.0');
});

test('everything of an overlay goes in one command', async () => {
  await kubectl.run('delete', '-k', join(folder, 'staging'), '--timeout=100s');
  assert.equal(await objectsOf('staging'), []);
});

spec.run();
