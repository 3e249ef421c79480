import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { DeliveryItem, Items, PullRequestItem, Settings, WebhookCreated } from '../../http/api.ts';
import { apps, projects } from '../../runtime/services/cluster/kinds.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import { enterOwnNetwork, haveAddresses } from '../podman/ownNetwork.ts';
import { memoryProvider } from '../support/memoryProvider.ts';
import { askingOf } from '../support/outside/asking.ts';
import { auditFaults } from '../support/outside/audited.ts';
import { type Receiver, startReceiver, status } from '../support/outside/receiver.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { serveProvider } from '../support/providerServer.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

/** Two more starts of the product cost seconds. */
const missing = isWhole ? enterOwnNetwork() : 'runs by npm run whole';
const spec = suite('kills during external requests');
const test = unless(spec, missing);

const address = '44.1.0.8';
const provider = memoryProvider();
const repository = makeRepository();
const dataDir = mkdtempSync(join(tmpdir(), 'core-outside-killed-'));
let served: Awaited<ReturnType<typeof serveProvider>>;
let receiver: Receiver;
let product: Product;

const start = async () => {
  product = await startProduct({ dataDir, env: { CORE_DNS_API_URL: served.url } });
};
const killed = async () => {
  await product.end('SIGKILL');
  await start();
};
const asked = askingOf(() => product);
const items = async <T>(path: string) => (await asked<Items<T>>('GET', path)).items;
const pulls = () => items<PullRequestItem>('/projects/shop/pull-requests');
const copies = async () =>
  (await run(product.cluster.list(apps))).items.filter(({ spec: { environment } }) => environment !== 'production');
const environments = async () => (await run(product.cluster.get(projects, { name: 'shop' }))).spec.environments;
const copyNamespaces = async () =>
  (await run(product.cluster.list(namespaces))).items.filter(({ metadata }) => metadata.name.startsWith('shop-pr-'));
const git = (path: string, method: string, body: object) =>
  fetch(`${product.endpoints.gitHost}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

spec.before(async () => {
  if (missing !== null) return;
  haveAddresses(address);
  served = await serveProvider(provider);
  receiver = await startReceiver(address, status(200));
  await start();
  await applySample(product.cluster, 'first-build.yaml');
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  repository.commit({ 'b.txt': 'a change' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`, 'feature');
  await until(
    async () => (await run(product.cluster.get(apps, { name: 'hello' }))).status?.resolvedImage,
    'it is built',
  );
  await asked('POST', '/projects/shop/pr-environments/save', { enabled: true });
});
spec.after(async () => {
  receiver?.stop();
  served?.stop();
  await product?.end('SIGTERM');
  product?.clean();
  repository.clean();
  rmSync(dataDir, { recursive: true, force: true });
});

test('WHK-033 GIT-032 PLC-034 a delivery, a tunnel and a pull request environment are each completed once after a kill', async () => {
  const events = ['deployment.started'];
  const hook = { url: receiver.url, events };
  const { id, secret } = await asked<WebhookCreated>('POST', '/projects/shop/webhooks', hook);
  Object.assign(receiver.told, { secret, answering: () => {} });
  served.told.loses = (call) => call.startsWith('POST') && call.endsWith('/cfd_tunnel');
  await asked('POST', '/settings/domain/save', { rootDomain: 'example.org', dashboardExposure: 'tunnel' });
  await asked('POST', '/settings/dns/save', { apiToken: provider.token, accountId: 'account' });
  const web = { project: 'shop', environment: 'production', name: 'web', image: 'nginx:1.27', deploy: true };
  await asked('POST', '/apps', web);
  await until(() => receiver.got.length === 1 && provider.tunnelsSeen.length === 1, 'both are under way');
  const opened = await git('/repos/demo/hello/pulls', 'POST', { title: 'Two', head: 'feature', base: 'main' });
  assert.is(opened.status, 201, await opened.text());
  await until(async () => (await pulls()).length === 1, 'the pull request is noticed');
  await killed();
  receiver.told.answering = status(200);
  served.told.loses = () => false;

  const ended = await until(async () => {
    const [one] = await items<DeliveryItem>(`/projects/shop/webhooks/${id}/deliveries`);
    return one?.durationMillis !== null && one;
  }, 'the delivery ended');
  assert.equal([ended.state, ended.attempts, receiver.got.length], ['Delivered', 2, 2]);
  assert.is(new Set(receiver.got.map(({ delivery, body }) => `${delivery} ${body}`)).size, 1);
  assert.ok(receiver.got.every(({ isSigned }) => isSigned));
  await until(async () => {
    const { conditions } = await asked<Settings>('GET', '/settings');
    return conditions.some(({ type, status: is }) => type === 'DnsProviderReady' && is === 'True');
  }, 'the tunnel is published');
  assert.equal([provider.tunnelsSeen.length, provider.routesOf.size], [1, 1]);

  await until(async () => (await pulls())[0]?.state === 'Open', 'the pull request has its environment');
  assert.equal(await environments(), ['production', 'pr-1']);
  assert.equal((await copies()).map(({ metadata }) => metadata.name).toSorted(), ['hello-pr-1', 'web-pr-1']);
});

test('GIT-018 GIT-038 the environment of a closed pull request is deleted completely after a kill', async () => {
  await until(async () => (await copyNamespaces()).length === 1, 'the copies have a namespace');
  assert.is((await git('/repos/demo/hello/pulls/1', 'PATCH', { state: 'closed' })).status, 200);
  await until(async () => (await pulls())[0]?.state !== 'Open', 'it closes');
  await killed();
  await until(async () => (await pulls()).length === 0, 'the entry is gone');
  assert.equal([await environments(), await copies(), await copyNamespaces()], [['production'], [], []]);
});

test('every recorded move is an arrow of its table after the kills', async () => {
  assert.equal(await auditFaults(product), []);
});

spec.run();
