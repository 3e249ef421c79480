// Takes the pictures of the README anew: `npm run pictures`.
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { builds, databases } from '../../runtime/services/cluster/kinds.ts';
import { startBrowser } from '../support/browser.ts';
import { type Product, root, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { endVisit, newPage, signInAs } from '../support/visitor.ts';

const home = join(root, 'http/dashboard/pictures');
const shop = { project: '', service: '' };

async function send(product: Product, path: string, body: object): Promise<Readonly<Record<string, string>>> {
  const headers = { 'content-type': 'application/json' };
  const answer = await product.api(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, string>>;
}

/** The build of the first push. */
async function pushed(product: Product): Promise<string> {
  await applySample(product.cluster, 'first-build.yaml');
  const repository = makeRepository();
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(`${product.endpoints.gitHost}/demo/hello.git`);
  repository.clean();
  const build = await until(
    async () => (await run(product.cluster.list(builds))).items.find(({ status }) => status?.phase === 'Succeeded'),
    'the push is built',
  );
  return build.metadata.name;
}

/** A service that runs, and two variables that wait for a deploy. */
async function deployed(product: Product): Promise<void> {
  const { name: project = '' } = await send(product, '/projects', { displayName: 'Shop' });
  const image = 'registry.example.com/shop/web:1';
  const { name: service = '' } = await send(product, '/apps', {
    project,
    environment: 'production',
    name: 'web',
    image,
    deploy: true,
  });
  await until(async () => {
    const read = await product.api(`/api/v1/apps/${service}`);
    return ((await read.json()) as { resource: { state: string } }).resource.state === 'ready';
  }, 'the service is ready');
  for (const [key, value] of [
    ['GREETING', 'hello'],
    ['LOG_LEVEL', 'debug'],
  ])
    await send(product, `/apps/${service}/config/set`, { key, value });
  Object.assign(shop, { project, service });
}

/** A database whose backups are taken to the embedded cloud. */
async function protectedDatabase(product: Product): Promise<void> {
  await applySample(product.cluster, 'first-backup.yaml');
  await until(async () => {
    const { items } = await run(product.cluster.list(databases));
    return items.some(({ status }) => status?.backup?.state === 'Protected');
  }, 'the database is protected');
}

async function takePictures(product: Product, page: Page, build: string): Promise<void> {
  const go = (path: string) => page.goto(new URL(path, product.endpoints.dashboard ?? '').href);
  const shown = async (...parts: readonly Locator[]) => {
    for (const part of parts) await part.first().waitFor();
    // The page stands still: nothing fades, and no list is still to be filled.
    await page.waitForTimeout(1_000);
  };
  const take = (name: string, fullPage = false) => page.screenshot({ path: join(home, `${name}.png`), fullPage });

  await go(`/machines/build/corebuilds:${build}`);
  await shown(page.getByText('What can happen next'), page.getByText('Timeline'));
  await take('build', true);
  await go('/machines/build');
  await shown(page.getByRole('link', { name: /^hello-build/ }));
  await take('machine', true);
  await go(`/services/${shop.service}`);
  await shown(page.getByText('2 variables not deployed'), page.getByText('Address and source'));
  await take('service');
  await go('/databases/ledger-books?view=backups');
  await shown(page.getByText('Protected'), page.getByRole('button', { name: 'Restore' }));
  await take('backups', true);
  await go(`/services/${shop.service}?view=console`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('region', { name: 'Terminal' }).getByText('Connected', { exact: true }).waitFor();
  await page.keyboard.type('PS1="$ "; clear; seq -s " " 5; date -u +%F\n');
  await shown(page.getByRole('region', { name: 'Terminal' }));
  await take('console', true);
  const { user_code: code = '' } = await send(product, '/auth/device', { client_name: 'a laptop' });
  await go(`/device?code=${code}`);
  await shown(page.getByRole('button', { name: /approve/i }));
  await take('device');
}

const product = await startProduct({ env: { CORE_EXEC: 'local' }, args: ['--cloud-port', '7090'] });
const browser = await startBrowser();
try {
  const page = await newPage(browser, [], { colorScheme: 'light' });
  await page.goto(product.endpoints.dashboard ?? '');
  await signInAs(page, 'admin');
  const build = await pushed(product);
  await deployed(product);
  await protectedDatabase(product);
  await takePictures(product, page, build);
} finally {
  await endVisit(browser, product);
}
