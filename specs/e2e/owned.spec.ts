import { Context, Effect, Exit, Scope } from 'effect';
import * as assert from 'uvu/assert';
import { valueAt } from '../../rules/owned/differences.ts';
import { makeCaches } from '../../runtime/cache/caches.ts';
import { isInSync, makeOwned, owned, type Outcome, type OwnedObject } from '../../runtime/owned/owned.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { counted } from '../bench/counted.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { readableDiff } from '../runtime/owned/readableDiff.ts';

const spec = suite('owned objects over the embedded API under user edits');
const test = unless(spec, noKubectl());
const kinds = [owned.namespaces, owned.deployments, owned.services, owned.claims, owned.configMaps, owned.secrets];
const inShop = ['-n', 'shop'] as const;

const one = (resource: Resource, name: string, fields: object, more: Partial<OwnedObject> = {}): OwnedObject => ({
  resource,
  object: { metadata: { name, ...(resource.namespaced ? { namespace: 'shop' } : {}) }, ...fields },
  ...more,
});

const labels = { run: 'web' };
const container = {
  name: 'main',
  image: 'registry.local/web:1',
  env: [{ name: 'MODE', value: 'live' }],
  ports: [{ containerPort: 80 }],
  resources: { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { memory: '2048Mi' } },
};
const wanted = (size = '1024Mi', selector = labels): readonly OwnedObject[] => [
  one(owned.namespaces, 'shop', {}),
  one(
    owned.claims,
    'data',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } } },
    { fixed: [{ path: ['spec', 'resources', 'requests', 'storage'], then: 'grow' }] },
  ),
  one(owned.configMaps, 'settings', { data: { mode: 'live' } }, { whole: [['data']] }),
  one(owned.secrets, 'pass', { data: { password: 'aGlkZGVu' } }),
  one(
    owned.deployments,
    'web',
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: selector },
        template: { metadata: { labels: selector }, spec: { containers: [container] } },
      },
    },
    { fixed: [{ path: ['spec', 'selector'], then: 'replace' }] },
  ),
  one(owned.services, 'web', { spec: { selector: labels, ports: [{ port: 80 }] } }),
];

/** An owner's objects kept over the product's cluster; a Secret owns them, for nothing else looks after it. */
async function keeping(product: Product) {
  const { cluster, writes, reads } = counted(product.cluster);
  const scope = Scope.makeUnsafe();
  const context = Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, scope));
  const run = <A, E>(effect: Effect.Effect<A, E, Cluster | Scope.Scope>): Promise<A> =>
    Effect.runPromise(Effect.provideContext(effect, context));
  const owner = await run(product.cluster.create(secrets, { metadata: { name: 'owner', namespace: 'core-system' } }));
  const seen = await run(makeCaches([...kinds], {}));
  for (const { synced } of seen.all) await run(synced);
  let want = wanted();
  const begin = () => makeOwned<Secret>({ owners: secrets, resources: kinds, desired: () => want });
  let own = begin();
  const reconcile = (all?: readonly OwnedObject[]) => run(own.reconcile(owner, seen, all));
  return {
    run,
    seen,
    diff: () => readableDiff(own.diff(owner, seen)),
    isInSync: () => isInSync(own.diff(owner, seen)),
    remaining: () => run(own.remaining(owner)),
    want: (next: readonly OwnedObject[]) => void (want = next),
    restart: () => void (own = begin()),
    bring: reconcile,
    /** Until everything is as it should be and the caches have heard of it. */
    settle: async (all?: readonly OwnedObject[]) => {
      await until(async () => {
        const { did, requeueAfterMs, left } = await reconcile(all);
        return !did && requeueAfterMs === null && isInSync(left);
      }, 'all to stand as it should');
    },
    /** What one run asks of the cluster. */
    calls: async (): Promise<readonly string[]> => {
      const before = [writes.length, reads.length] as const;
      await reconcile();
      return [...reads.slice(before[1]), ...writes.slice(before[0])];
    },
    lacks: (which: keyof Outcome['left'], what: string) =>
      until(
        () => readableDiff(own.diff(owner, seen))[which].some((text) => text.includes(what)),
        `${what} to be ${which}`,
      ),
    value: (resource: Resource, name: string, ...path: readonly string[]) =>
      valueAt(seen.get(resource, name, resource.namespaced ? 'shop' : undefined), path),
    end: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
}

let product: Product;
let house: Awaited<ReturnType<typeof keeping>>;
let kubectl: ReturnType<typeof kubectlFor>;

spec.before(async () => {
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  house = await keeping(product);
  await house.settle();
});
spec.after(async () => {
  await house.end();
  await product.end('SIGTERM');
  product.clean();
});

spec('no calls are made while a Deployment is rolled out and its claim is bound', async () => {
  await until(
    () => house.value(owned.deployments, 'web', 'status', 'availableReplicas') === 1,
    'the Deployment to be available',
  );
  assert.equal(await house.calls(), []);
  assert.ok(house.isInSync());
});

spec('a new process compares existing objects with the desired ones and writes nothing', async () => {
  house.restart();
  assert.ok(house.isInSync(), JSON.stringify(house.diff()));
  assert.equal(await house.calls(), []);
});

test('each change by kubectl scale, set or apply --force is reverted by one apply', async () => {
  await kubectl.run('scale', 'deployment/web', '--replicas=3', ...inShop);
  await house.lacks('stale', 'Deployment shop/web');
  assert.equal(await house.calls(), ['apply deployments']);
  await house.settle();
  assert.is(house.value(owned.deployments, 'web', 'spec', 'replicas'), 1);

  await kubectl.run('set', 'image', 'deployment/web', 'main=registry.local/web:evil', ...inShop);
  await house.lacks('stale', 'Deployment shop/web');
  assert.equal(await house.calls(), ['apply deployments']);
  await house.settle();
  assert.match(JSON.stringify(house.value(owned.deployments, 'web', 'spec')), /web:1"/);

  await kubectl.run('patch', 'configmap/settings', '-p', '{"data":{"mode":"evil"}}', ...inShop);
  await house.lacks('stale', 'ConfigMap shop/settings');
  assert.equal(await house.calls(), ['apply configmaps']);
  await house.settle();
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { mode: 'live' });
});

test('an unwanted key of a map owned as a whole is removed; a foreign annotation stays', async () => {
  await kubectl.run('patch', 'configmap/settings', '-p', '{"data":{"strange":"x"}}', ...inShop);
  await house.lacks('stale', 'ConfigMap shop/settings');
  assert.equal(await house.calls(), ['patch configmaps']);
  await house.settle();
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { mode: 'live' });
  await kubectl.run('annotate', 'deployment/web', 'example.com/seen=yes', ...inShop);
  await until(
    () => house.value(owned.deployments, 'web', 'metadata', 'annotations', 'example.com/seen') === 'yes',
    'the annotation to be seen',
  );
  assert.equal(await house.calls(), []);
});

test('a deleted object is recreated by one call', async () => {
  await kubectl.run('delete', 'service/web', ...inShop);
  await house.lacks('absent', 'Service shop/web');
  assert.equal(await house.calls(), ['apply services']);
  await house.settle();
});

test('a message names the manager that keeps overwriting an object', async () => {
  const edit = () =>
    kubectl.run('patch', 'secret/pass', '--field-manager=mallory', '-p', '{"data":{"password":"ZXZpbA=="}}', ...inShop);
  for (const _ of [1, 2, 3]) {
    await edit();
    await house.lacks('stale', 'Secret shop/pass');
    assert.equal(await house.calls(), ['apply secrets']);
    await until(() => house.diff().stale.length === 0, 'the Secret to be put back');
    await house.bring();
  }
  await edit();
  await house.lacks('stale', 'Secret shop/pass');
  assert.equal(await house.calls(), ['get secrets']);
  assert.match(house.diff().overwritten.join(), /^Secret shop\/pass keeps being overwritten by "mallory"/);
  assert.not.match(JSON.stringify(house.diff()), /ZXZpbA|aGlkZGVu/);
  house.restart();
  await house.settle();
});

test('a claim grows and does not shrink, and a changed selector recreates the Deployment', async () => {
  house.want(wanted('2Gi', { run: 'other' }));
  const before = house.value(owned.deployments, 'web', 'metadata', 'uid');
  await house.settle();
  assert.is(house.value(owned.claims, 'data', 'spec', 'resources', 'requests', 'storage'), '2Gi');
  assert.is.not(house.value(owned.deployments, 'web', 'metadata', 'uid'), before);
  house.want(wanted('1Gi', { run: 'other' }));
  assert.equal(await house.calls(), []);
});

test('an object that lost our labels is not touched', async () => {
  await kubectl.run('label', 'configmap/settings', 'core.platform/managed-by-', ...inShop);
  await until(() => house.value(owned.configMaps, 'settings') === undefined, 'it to be out of the cache');
  assert.equal(await house.calls(), ['get configmaps', 'apply configmaps']);
  assert.equal(house.diff().unmanaged, ['ConfigMap shop/settings already exists and is not managed by Core']);
  await kubectl.run('label', 'configmap/settings', 'core.platform/managed-by=core', ...inShop);
  await house.settle();
});

spec('unwanted objects are removed, and a direct read confirms that none is left', async () => {
  assert.is((await house.remaining()).length, 6);
  await until(async () => {
    await house.bring([]);
    return (await house.remaining()).length === 0;
  }, 'nothing to be left');
  assert.equal(house.diff().toPrune, []);
});

spec.run();
