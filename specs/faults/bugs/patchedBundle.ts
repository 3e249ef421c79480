import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './bug.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const harness = fileURLToPath(new URL('patched.ts', import.meta.url));

/** How often the text that a patch replaces occurs in its file. */
export const placesOf = ({ file, from }: Patch): number =>
  readFileSync(join(root, file), 'utf8').split(from).length - 1;

function changed(file: string, text: string, patches: readonly Patch[]): string {
  const mine = patches.filter((patch) => join(root, patch.file) === file);
  return mine.reduce((under, { from, to }) => {
    if (under.split(from).length !== 2) throw new Error(`${file} has this not exactly once: ${from}`);
    return under.replace(from, () => to);
  }, text);
}

/** Applies the patches to the sources, which keep their original locations. */
const patching = (patches: readonly Patch[]): Plugin => ({
  name: 'patches',
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: changed(path, readFileSync(path, 'utf8'), patches).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
});

/** Bundles the harness, or another entry point, over patched sources into a folder; returns the program. */
export async function bundlePatched(
  patches: readonly Patch[],
  { folder, entry = harness }: { readonly folder: string; readonly entry?: string },
): Promise<string> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'patched.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [patching(patches)],
  });
  return outfile;
}
