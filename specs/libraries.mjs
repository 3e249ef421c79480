// Libraries as specs import them: those that come in hundreds of files as one file each, which loads in a third of the
// time, and fast-check with its seed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What each file is made of. libraries.tsconfig.json says for which import it stands. */
const entryPoints = {
  effect: fileURLToPath(import.meta.resolve('effect')),
  kubernetes: fileURLToPath(import.meta.resolve('@kubernetes/client-node')),
  fastCheck: fileURLToPath(new URL('seeded.mjs', import.meta.url)),
};

const textOf = (path) => readFileSync(path, 'utf8');

/** Makes the files anew when other packages were installed. Resolves with what tsx needs in its environment to find them. */
export async function withLibraries(root) {
  const folder = join(root, 'node_modules/.cache/specs/libraries');
  const stamp = join(folder, 'installed');
  const made = createHash('sha256');
  for (const path of ['node_modules/.package-lock.json', 'specs/libraries.mjs', 'specs/seeded.mjs'])
    made.update(textOf(join(root, path)));
  const installed = made.digest('hex');
  const env = { TSX_TSCONFIG_PATH: join(root, 'specs/libraries.tsconfig.json') };
  if (existsSync(stamp) && textOf(stamp) === installed) return env;
  const packages = ['package.json', 'runtime/embedded/package.json'].flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(textOf(join(root, path)));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What the project imports too stays where it is, so that nothing is there twice.
    external: packages.filter((name) => name !== 'fast-check'),
    // Bundled CommonJS packages still ask for `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    write: false,
  });
  // Whole or not at all: another run may read them now.
  const put = (path, contents) => {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  };
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) put(path, contents);
  put(stamp, installed);
  return env;
}
