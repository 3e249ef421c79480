import { type Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from './browser.ts';
import { suite } from './suite.ts';
import { unless } from './unless.ts';

const spec = suite('the browser of the specs');
const test = unless(spec, noBrowser);

let browser: Browser;
spec.before(async () => {
  if (noBrowser === null) browser = await startBrowser();
});
spec.after(() => (noBrowser === null ? browser.close() : undefined));

test('all features that playwright disables are disabled, also with a second list', async () => {
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo');
  const [ofPlaywright = [], ours = [], ...more] = [...commandLine.matchAll(/ --disable-features=(\S+)/g)].map(
    ([, list]) => list?.split(',') ?? [],
  );
  assert.ok(ofPlaywright.length > 0);
  assert.equal(
    ofPlaywright.filter((one) => !ours.includes(one)),
    [],
  );
  assert.equal(more, []);
});

test('a window loads only the requested page', async () => {
  const page = await browser.newPage();
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'tab', exclude: true }, {}] });
  assert.equal(
    targetInfos.map(({ url }) => url),
    ['about:blank'],
  );
  await page.close();
});

spec.run();
