// Bundles the server, the embedded cluster's worker and the dashboard into dist/.
// `--if-newer` builds only when a source is newer than the last build.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
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
  format: 'cjs',
  charset: 'ascii',
  platform: 'node',
  target: 'node20.19',
  // What of them is compiled is optional: ssh2 does without.
  external: ['lmdb', 'fs-native-extensions', 'cpu-features', '*.node'],
  banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
  define: { ...common.define, 'import.meta.url': '__url' },
};

/** Each with a file of its own that is small, and runs it from the code that V8 kept of it. */
const bundles = { core: 'http/main.ts', cluster: 'runtime/local/worker.ts' };
/** Threads of their own, each a file beside the bundle that starts it. */
const workers = { bcryptWorker: 'http/auth/bcryptWorker.ts', yamlWorker: 'runtime/embedded/api/yaml/worker.ts' };
const boot = (name) =>
  build({
    ...forNode,
    banner: {},
    sourcemap: false,
    define: { CORE_BUNDLE: JSON.stringify(`${name}.bundle.js`) },
    entryPoints: ['http/program/boot.ts'],
    outfile: join(out, `${name}.js`),
  });

/** Starts what was built in a folder of its own and ends it: both threads keep their code as they end. */
async function keepCode() {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-build-'));
  const ports = ['port', 'kube-port', 'git-port', 'health-port', 'metrics-port'].flatMap((name) => [`--${name}`, '0']);
  const child = spawn(process.execPath, [join(out, 'core.js'), 'start', '--data-dir', dataDir, ...ports], {
    env: { PATH: process.env.PATH, CORE_KEEP_CODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
    if (said.endsWith('ready\n')) child.kill('SIGTERM');
  });
  await once(child, 'close');
  rmSync(dataDir, { recursive: true, force: true });
  if (!said.endsWith('ready\n')) process.stderr.write('what was built did not start: no code of it is kept\n');
}

/** The transition tables of specs/tables, as data and names that the program may import. */
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
  for (const [path, text] of Object.entries(compiler.compileTables(join(root, 'specs/tables')))) {
    const file = join(root, path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
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
    outExtension: { '.js': '.bundle.js' },
    entryPoints: bundles,
  }),
  build({ ...forNode, outdir: out, entryPoints: workers }),
  ...Object.keys(bundles).map(boot),
  build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: join(out, 'dashboard'),
    // A page is loaded when it is first opened.
    splitting: true,
    chunkNames: 'assets/[name]-[hash]',
    entryPoints: {
      'assets/dashboard': 'http/dashboard/main.tsx',
      // What one view alone needs.
      'assets/terminal': 'http/dashboard/styles/terminal.css',
      'assets/usage': 'http/dashboard/styles/usage.css',
    },
    loader: { '.html': 'copy', '.svg': 'copy' },
  }),
]);
writeFileSync(join(out, 'dashboard', 'index.html'), readFileSync(join(root, 'http/dashboard/index.html')));
// What the operator may do is written once, for every cluster; the embedded one reads it from there.
cpSync(join(root, 'crds/install'), join(out, 'install'), { recursive: true });
// What serves functions goes to their pods as it is written.
cpSync(join(root, 'runtime/services/runners'), join(out, 'runners'), { recursive: true });
writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
await keepCode();
writeFileSync(stamp, version);
