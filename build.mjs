// Bundles the server, the embedded cluster's worker and the dashboard into dist/.
// `--if-newer` builds only when a source is newer than the last build.
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const out = join(root, 'dist');
const stamp = join(out, 'built');
const sources = ['crds', 'machines', 'rules', 'runtime', 'http', 'specs/tables', 'package.json', 'build.mjs'].map(
  (name) => join(root, name),
);

const newest = (path) => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

if (
  process.argv.includes('--if-newer') &&
  existsSync(stamp) &&
  statSync(stamp).mtimeMs > Math.max(...sources.map(newest))
)
  process.exit(0);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  minify: false,
  sourcemap: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"', CORE_VERSION: JSON.stringify(version) },
};

const forNode = {
  ...common,
  platform: 'node',
  target: 'node20.19',
  external: ['lmdb'],
  // Bundled CommonJS packages still ask for `require`, `__filename` and `__dirname`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

/** The transition tables of specs/tables, as data that the program may import. */
async function compileTables() {
  const { outputFiles } = await build({
    ...common,
    platform: 'node',
    sourcemap: false,
    write: false,
    entryPoints: ['specs/tables/compile.ts'],
  });
  const compiler = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  const text = compiler.compileTables(join(root, 'specs/tables'));
  const file = join(root, 'machines/tables.json');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** The published types of the built-in kinds of Kubernetes, from the models of its client. */
async function compileDefinitions() {
  const { outputFiles } = await build({
    ...common,
    platform: 'node',
    sourcemap: false,
    write: false,
    entryPoints: ['runtime/embedded/api/published/compile.ts'],
  });
  const compiler = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  const client = createRequire(import.meta.url).resolve('@kubernetes/client-node');
  const text = compiler.compileDefinitions(join(dirname(client), 'gen/models'));
  writeFileSync(join(out, 'definitions.ndjson'), text);
}

await compileTables();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await Promise.all([
  compileDefinitions(),
  build({
    ...forNode,
    outdir: out,
    entryPoints: {
      core: 'http/main.ts',
      cluster: 'runtime/embedded/worker.ts',
      bcryptWorker: 'http/auth/bcryptWorker.ts',
    },
  }),
  build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: join(out, 'dashboard'),
    entryPoints: { 'assets/dashboard': 'http/dashboard/main.tsx' },
    loader: { '.html': 'copy', '.svg': 'copy' },
  }),
]);
writeFileSync(join(out, 'dashboard', 'index.html'), readFileSync(join(root, 'http/dashboard/index.html')));
// What the operator may do is written once, for every cluster; the embedded one reads it from there.
cpSync(join(root, 'crds/install'), join(out, 'install'), { recursive: true });
writeFileSync(stamp, version);
