import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { authSecret, userData } from '../../http/auth/directory.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { password, type Product, run } from './product.ts';
import { patienceMs } from './until.ts';

/** A page in a context of its own. What the browser complains of is added to `complaints`. */
export async function newPage(
  browser: Browser,
  complaints: string[] = [],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();

/** The first page, where admin is signed in by a session that there is: to check a password takes a third of a second. */
export async function adminPage(
  browser: Browser,
  product: Product,
  complaints: string[] = [],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newPage(browser, complaints, options);
  const url = product.endpoints.dashboard ?? '';
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(await product.session()) ?? [];
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  await page.goto(url);
  await isLive(page);
  return page;
}

/** Signs in by the form that the page shows. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await isLive(page);
}

/** Adds a user with the password that all users of the specs have. */
export const addUser = (product: Product, name: string, role: 'admin' | 'viewer'): Promise<unknown> =>
  run(product.cluster.patch(secrets, { name: authSecret }, { data: userData(name, { role, password, epoch: 0 }) }));

/** Ends the browser and the product, and removes what the product wrote. */
export async function endVisit(browser: Browser, product: Product): Promise<void> {
  await browser.close();
  await product.end('SIGTERM');
  product.clean();
}
