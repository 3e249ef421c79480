// Runs a program of the specs: `node specs/program.mjs <source> [<arguments>]`. A run of specs has bundled those that its
// guides start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [node, , source, ...rest] = process.argv;
const file = fileURLToPath(new URL(`../${source}`, import.meta.url));
const bundles = process.env.CORE_SPEC_BUNDLES;
const bundle = bundles === undefined ? '' : join(bundles, source.replace(/\.ts$/, '.mjs'));
const isBundled = existsSync(bundle);
process.argv = [node, file, ...rest];
if (!isBundled) {
  delete process.env.CORE_SPEC_BUNDLES;
  await import('tsx');
}
await import(pathToFileURL(isBundled ? bundle : file).href);
