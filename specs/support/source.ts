import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundles = process.env['CORE_SPEC_BUNDLES'];
const isBundled = bundles !== undefined && !process.execArgv.includes('tsx');

/** Imports a source of the specs by its path; within a bundle the bundle that this run has of it. */
export function importSource(source: string): Promise<unknown> {
  const bundle = join(bundles ?? '', relative(root, source).replace(/\.ts$/, '.mjs'));
  return import(pathToFileURL(isBundled && existsSync(bundle) ? bundle : source).href);
}
