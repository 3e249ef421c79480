import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { patienceMs } from '../../support/until.ts';
import { type Gallery, serveGallery } from './gallery/serve.ts';

const spec = suite('legibility of the dashboard');
const test = unless(spec, noBrowser);

/** Everything that shows a name or a value, at the size and in the font that it has on a page. */
const shapes = {
  input: (text: string) => `<input class="input" value="${text}">`,
  'input of a name': (text: string) => `<input class="input mono" value="${text}">`,
  'input that is read': (text: string) => `<input class="input mono" readonly value="${text}">`,
  'input of a secret': (text: string) => `<div class="secret"><input class="input mono" value="${text}"></div>`,
  'input of a code': (text: string) => `<input class="input mono code-input" value="${text}">`,
  search: (text: string) => `<input class="input" type="search" value="${text}">`,
  'small input': (text: string) => `<input class="input input-small" value="${text}">`,
  select: (text: string) => `<select class="select"><option>${text}</option></select>`,
  text: (text: string) => `<textarea class="input area">${text}</textarea>`,
  'text of code': (text: string) => `<textarea class="input area mono">${text}</textarea>`,
  code: (text: string) => `<p><code>${text}</code></p>`,
  cell: (text: string) => `<table><tr><td class="mono">${text}</td></tr></table>`,
  row: (text: string) => `<div class="grid-row" style="position:relative;--row:40px"><span>${text}</span></div>`,
  log: (text: string) => `<div class="log"><div class="log-line"><a>1</a><span>${text}</span></div></div>`,
  command: (text: string) => `<div class="command"><code>${text}</code></div>`,
  button: (text: string) => `<button class="button">${text}</button>`,
  'small button': (text: string) => `<button class="button button-small">${text}</button>`,
  chip: (text: string) => `<span class="chip" data-tone="good">${text}</span>`,
  key: (text: string) => `<kbd>${text}</kbd>`,
} as const;
const names = Object.keys(shapes) as readonly (keyof typeof shapes)[];

let gallery: Gallery;
let browser: Browser;
let page: Page;

spec.before(async () => {
  if (noBrowser !== null) return;
  gallery = await serveGallery();
  browser = await startBrowser();
  page = await (await browser.newContext({ viewport: { width: 600, height: 1800 }, deviceScaleFactor: 1 })).newPage();
  page.setDefaultTimeout(patienceMs);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await browser.close();
  gallery.end();
});

/** The picture of each shape with a text. */
async function picturesOf(text: string): Promise<readonly string[]> {
  await page.evaluate(
    (parts) => (document.body.innerHTML = parts.map((part) => `<div class="card-body">${part}</div>`).join('')),
    names.map((name) => shapes[name](text)),
  );
  const pictures: string[] = [];
  for (const one of await page.locator('body > div').all()) pictures.push((await one.screenshot()).toString('base64'));
  return pictures;
}

/** The largest difference of a colour in any pixel of two pictures, of 255. */
const differenceOf = (pictures: readonly string[]): Promise<number> =>
  page.evaluate(async (both) => {
    const [one = [], other = []] = await Promise.all(
      both.map(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d');
        drawn?.drawImage(image, 0, 0);
        return drawn?.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    let most = 0;
    for (let at = 0; at < one.length; at += 1) most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
    return most;
  }, pictures);

/** As much as makes a line of one pixel stand out. */
const seenFrom = 60;

for (const colorScheme of ['light', 'dark'] as const)
  test(`an underscore is visible in every name and value on a low-density screen, ${colorScheme} theme`, async () => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${gallery.url}/`);
    const [shown, blank] = [await picturesOf('A_A'), await picturesOf('A\u00a0A')];
    const unseen: string[] = [];
    for (const [index, name] of names.entries())
      if ((await differenceOf([shown[index] ?? '', blank[index] ?? ''])) < seenFrom) unseen.push(name);
    assert.equal(unseen, []);
  });

spec.run();
