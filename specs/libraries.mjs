// Libraries that come in hundreds of files, made one file each: a spec that imports them starts in a third of the time.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** By the name of their file, which libraries.tsconfig.json knows too. */
const libraries = { effect: 'effect', kubernetes: '@kubernetes/client-node', fastCheck: 'fast-check' };

/**
 * Makes the files anew when other packages were installed. Resolves with what tsx needs in its environment to find them;
 * what they and the project both import stays where it is, so that nothing is there twice.
 */
export async function withLibraries(root) {
  const folder = join(root, 'node_modules/.cache/specs/libraries');
  const stamp = join(folder, 'installed');
  const installed = createHash('sha256')
    .update(readFileSync(join(root, 'node_modules/.package-lock.json')))
    .update(JSON.stringify(libraries))
    .digest('hex');
  const env = { TSX_TSCONFIG_PATH: join(root, 'specs/libraries.tsconfig.json') };
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === installed) return env;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(libraries).map(([file, name]) => [file, fileURLToPath(import.meta.resolve(name))]),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    external: Object.keys({ ...dependencies, ...devDependencies }),
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
  for (const { path, contents } of outputFiles) put(path, contents);
  put(stamp, installed);
  return env;
}
