import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { madeOnce } from '../../support/madeOnce.ts';
import { withReplaceable } from './replaceableSource.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const planting = fileURLToPath(new URL('planting.ts', import.meta.url));

/** The folders whose exports bugs may replace. */
const isReplaceable = (file: string): boolean => /^(?:rules|runtime|http\/cli)\//.test(relative(root, file));

/** Makes the exports of the product replaceable; each source keeps its location. */
const replaceableExports: Plugin = {
  name: 'replaceable exports',
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = isReplaceable(path) ? withReplaceable(text, planting) : text;
      return {
        contents: contents.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts',
      };
    });
  },
};

/** A program over the product, in a temporary folder of its own. */
export interface Bundle {
  readonly program: string;
  readonly end: () => void;
}

/** Bundles an entry point over the product, whose exported functions can then be replaced while it runs. */
export async function bundleReplaceable(entry: string): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'core-replaceable-'));
  const end = () => rmSync(folder, { recursive: true, force: true });
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return { program: await bundleInto(folder, entry), end };
  } catch (thrown) {
    end();
    throw thrown;
  }
}

/** The same, once for a run of specs, which removes it: its folder is below the packages that the program imports. */
export async function sharedReplaceable(entry: string): Promise<Bundle> {
  const made = await madeOnce(`replaceable ${basename(entry)}`, (folder) => bundleInto(folder, entry));
  return made ? { program: made.said, end: () => {} } : bundleReplaceable(entry);
}

async function bundleInto(folder: string, entry: string): Promise<string> {
  const program = join(folder, 'program.mjs');
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [replaceableExports],
  });
  return program;
}
