// Bundles the server, the embedded cluster's worker, the command line and the dashboard into dist/.
// `--if-newer` builds only when a source is newer than the last build; `--release v1.2.0` stamps a release;
// `--image DIR` writes what the image holds into a folder, of the last build where no source is newer. With
// `--for-start`, behind which the flags of the start stand, nothing is built where that start would be refused.
import './nodeVersion.cjs';
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ImageRefused, writeImage } from './packaging/image.mjs';
import { packagesOf } from './packaging/packages.mjs';
import { isTag } from './packaging/release/tag.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');
/** Written here first, beside `dist`: what runs from there keeps its files until all of the new ones are there. */
const out = `${dist}.${process.pid}`;
const folders = ['crds', 'machines', 'rules', 'runtime', 'http', 'specs/tables'];
const files = ['package.json', 'build.mjs', 'nodeVersion.cjs', 'packaging/packages.mjs'];
const sources = [...folders, ...files].map((name) => join(root, name));

const startAt = process.argv.indexOf('--for-start');
const flags = startAt === -1 ? process.argv.slice(2) : process.argv.slice(2, startAt);
const start = startAt === -1 ? undefined : process.argv.slice(startAt + 1);

const newest = (path) => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

/** Holds the tag of the release that was built last, or `dev`. */
const built = join(dist, 'built');
const isNew = () => existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest));
/** The value after a flag; empty where it was left out, undefined without the flag. */
const valueOf = (flag) => (flags.includes(flag) ? (flags[flags.indexOf(flag) + 1] ?? '') : undefined);
const image = valueOf('--image');
if (image === '') refuse('--image: the folder is missing');

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** Writes what the image holds, where it was asked for. */
function imageOf() {
  if (image === undefined) return;
  try {
    writeImage({ root, dist, dir: image });
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    refuse(`--image: ${error.message}`);
  }
}

const release = valueOf('--release');
if (release !== undefined && !isTag(release)) refuse(`--release: "${release}" is no tag such as v1.2.0`);
const stamp = release ?? 'dev';
const isStamped = () => readFileSync(built, 'utf8') === stamp;
if (isNew() && (flags.includes('--if-newer') || (image !== undefined && isStamped()))) {
  imageOf();
  process.exit(0);
}

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  minify: false,
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': '"production"',
    ...(release === undefined ? {} : { CORE_RELEASE: JSON.stringify(release) }),
  },
};

/** Of the generated client only what configures it is used: its models and APIs are a tenth of the server. */
const clientParts = {
  name: 'client parts',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]@kubernetes[\\/]client-node[\\/]dist[\\/]gen[\\/]index\.js$/ }, () => ({
      contents: `export { createConfiguration } from './configuration.js'; export { ServerConfiguration } from './servers.js';`,
    })),
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
const bundles = {
  server: 'http/main.ts',
  standalone: 'http/program/clusterMain.ts',
  cluster: 'runtime/local/worker.ts',
};
/** What runs at every word that a person types starts soonest when it is small. */
const forTerminals = { ...forNode, minify: true, sourcemap: false, legalComments: 'none' };
const commandLine = { cli: 'http/cli/main.ts', agents: 'http/mcp/serve.ts' };
/** The library of the agents' protocol is larger than all commands: only `mcp` loads it. */
const agentsApart = {
  name: 'agents',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/mcp\/serve\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './agents.bundle.js', external: true } : undefined,
    ),
};
/** Commander starts programs for commands that are files of their own: there are none, and loading this takes longer than it. */
const programsOnUse = {
  name: 'programs on use',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'on-use' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'on-use' }, () => ({
      contents: "module.exports = { spawn: (...given) => require('node:child_process').spawn(...given) };",
    }));
  },
};
/** The library would check with it what agents answer: they are asked nothing, and loading it takes longer than most of the rest. */
const noValidator = {
  name: 'no validator',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'no-validator',
    }));
    onLoad({ filter: /./, namespace: 'no-validator' }, () => ({
      contents: `export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}`,
    }));
  },
};
/** The schemas of tools are worked out here, and not whenever agents are served. */
const schemasWorkedOut = {
  name: 'schemas worked out',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/mcp\/listedSchemas\.ts$/ }, async ({ path }) => {
      const { listedSchemas } = await ran(path);
      return { loader: 'js', contents: `export const listedSchemas = ${JSON.stringify(listedSchemas)};` };
    }),
};
/** In the one file it is a text, which is not even looked through until `mcp` compiles it. */
const agentsAsText = {
  name: 'agents as text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/mcp\/serve\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        ...forTerminals,
        write: false,
        entryPoints: [path],
        supported: { 'dynamic-import': false },
        plugins: [noValidator, schemasWorkedOut],
      });
      const text = JSON.stringify(outputFiles[0].text);
      const contents = `
        import { compileFunction } from 'node:vm';
        const module = { exports: {} };
        compileFunction(${text}, ['module', 'require', '__filename'])(module, require, __filename);
        export const { serveHttp, serveInput } = module.exports;`;
      return { loader: 'js', contents };
    }),
};
/**
 * What the shell brings is one file instead of one for each set of pages that share a module: a browser loads six at once.
 * Modules stay together that are reached from the same entries, so every part that is loaded later also names the shell.
 */
const shellWhole = {
  name: 'shell whole',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const resolved = await resolve(path, { kind: 'import-statement', resolveDir });
      return { ...resolved, pluginData: { isLater: true } };
    });
    onLoad({ filter: /\/http\/dashboard\/.*\.tsx?$/ }, ({ path, pluginData }) => {
      if (!pluginData?.isLater) return undefined;
      const shell = JSON.stringify(join(root, 'http/dashboard/app.tsx'));
      return { contents: `import ${shell}; ${readFileSync(path, 'utf8')}`, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};
/** First in what people run, after the line that names Node: too old a one is told so. */
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const nodeVersion = readFileSync(join(root, 'nodeVersion.cjs'), 'utf8')
  .replace(/^\/\/.*\n/, '')
  .replace("require('./package.json')", JSON.stringify({ engines: { node: engines.node } }));
const shebang = `#!/usr/bin/env node\n(function () {\n${nodeVersion}})();`;
/** Threads and processes of their own, each a file beside the bundle that starts it. */
const workers = {
  bcryptWorker: 'http/auth/bcryptWorker.ts',
  yamlWorker: 'runtime/embedded/api/yaml/worker.ts',
  network: 'runtime/embedded/network/process.ts',
};
const starter = { ...forNode, banner: {}, sourcemap: false };

/**
 * Bundles into `out` what is addressed to `dist`: the names of chunks follow from the folder that esbuild knows, and the
 * same sources give the same names.
 */
async function bundle(options) {
  const { outputFiles, metafile } = await build({ ...options, write: false });
  for (const { path, contents } of outputFiles) writeFileSync(join(out, relative(dist, path)), contents);
  return { metafile };
}

const boots = () => [
  bundle({
    ...starter,
    define: { CORE_BUNDLE: '"cluster.bundle.js"' },
    entryPoints: ['http/program/boot.ts'],
    outfile: join(dist, 'cluster.js'),
  }),
  bundle({
    ...starter,
    banner: { js: shebang },
    entryPoints: ['http/program/start.ts'],
    outfile: join(dist, 'core.js'),
  }),
  // The command line as one file, which needs no packages beside it.
  bundle({
    ...forTerminals,
    banner: { js: `${shebang}\n${forNode.banner.js}` },
    entryPoints: ['http/program/single.ts'],
    outfile: join(dist, 'core'),
    plugins: [agentsAsText, programsOnUse],
  }),
];

/** Keeps the code of the embedded cluster alone, then of the whole program, whose thread runs more of what both have. */
async function keepCode() {
  await keepStarted('cluster');
  await keepStarted('all', keepCommandLine);
}

/** Starts what was built in a folder of its own and ends it: both threads keep their code as they end. */
async function keepStarted(role, then = async () => {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-build-'));
  const ports = ['port', 'kube-port', 'git-port', 'cloud-port', 'health-port', 'metrics-port'].flatMap((name) => [
    `--${name}`,
    '0',
  ]);
  const child = spawn(
    process.execPath,
    [join(out, 'core.js'), 'start', '--role', role, '--data-dir', dataDir, ...ports],
    {
      env: { PATH: process.env.PATH, CORE_KEEP_CODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let said = '';
  const isReady = () => /^ready$/m.test(said);
  child.stdout.on('data', (text) => {
    const wasReady = isReady();
    said += text;
    // A second signal would end it before its threads have kept their code.
    if (!wasReady && isReady()) child.kill('SIGTERM');
  });
  // What does not become ready must not keep the build waiting.
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await once(child, 'close');
  clearTimeout(limit);
  await then(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  if (!isReady()) process.stderr.write(`what was built did not start as ${role}: no code of it is kept\n`);
}

/** What an API answers that has no service, and one tool for agents. */
const answers = {
  '/api/v1/me': { username: 'build', role: 'viewer', scope: 'workspace' },
  '/api/v1/openapi.json': { paths: { '/apps': { get: { 'x-callers': { 'viewer token': 'viewer' } } } } },
  '/api/v1/apps': { items: [] },
};
const questions = ['initialize', 'tools/list'].map((method, id) => {
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'build', version: '1' } };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
});

/** What the command line and the agent server run at every start is kept too: the code of what asks and answers with it. */
async function keepCommandLine(folder) {
  const api = createServer(({ url }, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answers[new URL(url, 'http://build').pathname] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const env = {
    PATH: process.env.PATH,
    CORE_KEEP_CODE: '1',
    CORE_CONFIG: join(folder, 'config.json'),
    CORE_URL: `http://127.0.0.1:${api.address().port}`,
    CORE_TOKEN: 'kept by no API',
  };
  for (const [word, input] of [
    ['mcp', `${questions.join('\n')}\n`],
    ['status', ''],
  ]) {
    const child = spawn(process.execPath, [join(out, 'core.js'), word], { env, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(input);
    await once(child, 'close');
  }
  api.close();
}

/** Refuses a start whose data directory another process holds: the start itself would do so only after the build. */
async function refuseHeld(args) {
  const file = join(out, 'dataDir.cjs');
  await build({
    ...forNode,
    sourcemap: false,
    stdin: {
      resolveDir: root,
      contents: ['http/program/dataDirOf', 'runtime/embedded/dataDir/lock', 'runtime/embedded/badData']
        .map((path) => `export * from './${path}.ts';`)
        .join(''),
    },
    outfile: file,
  });
  const { BadData, dataDirOf, lockDataDir, lockName } = createRequire(file)(file);
  const dataDir = dataDirOf(args, process.env);
  rmSync(file);
  if (!existsSync(join(dataDir, lockName))) return;
  try {
    (await lockDataDir(dataDir))();
  } catch (error) {
    // What else is wrong with it the start says.
    if (!(error instanceof BadData)) return;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Puts what was built in place of what was there. Of two builds at a time the later one stays. */
function putInPlace() {
  const before = `${out}.old`;
  for (let tries = 0; ; tries++)
    try {
      if (existsSync(dist)) renameSync(dist, before);
      renameSync(out, dist);
      return rmSync(before, { recursive: true, force: true });
    } catch (error) {
      // Another build moved it away, or put its own there.
      if (tries === 10 || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
      rmSync(before, { recursive: true, force: true });
    }
}

/** What a build that was killed has left. */
function removeLeft() {
  for (const name of readdirSync(root)) {
    const [, pid] = /^dist\.(\d+)(?:\.old)?$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Beside each file of a folder that is text, and long enough to gain, its compressed bytes. */
async function compressFiles(folder) {
  const texts = readdirSync(folder, { recursive: true }).filter((name) => /\.(html|js|css|svg)$/.test(name));
  for (const name of texts) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < 1_024) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    writeFileSync(join(folder, `${name}.br`), br);
    writeFileSync(join(folder, `${name}.gz`), gz);
  }
}

/** What a file of the sources exports. */
async function ran(entry) {
  const { outputFiles } = await build({
    ...common,
    platform: 'node',
    sourcemap: false,
    write: false,
    // Libraries that are no modules require parts of Node.
    banner: {
      js: `import { createRequire as __from } from 'node:module'; const require = __from(${JSON.stringify(import.meta.url)});`,
    },
    entryPoints: [entry],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** The transition tables of specs/tables, as data and names that the program may import. */
async function compileTables() {
  const compiler = await ran('specs/tables/compile.ts');
  for (const [path, text] of Object.entries(compiler.compileTables(join(root, 'specs/tables')))) {
    const file = join(root, path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

/** The published types of the built-in kinds of Kubernetes, from the models of its client. */
async function compileDefinitions() {
  const compiler = await ran('runtime/embedded/api/published/compile.ts');
  const client = createRequire(import.meta.url).resolve('@kubernetes/client-node');
  const text = compiler.compileDefinitions(join(dirname(client), 'gen/models'));
  writeFileSync(join(out, 'definitions.ndjson'), text);
}

removeLeft();
for (const folder of ['', 'dashboard', 'dashboard/assets']) mkdirSync(join(out, folder));
// A build that fails leaves nothing.
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
if (start !== undefined) await refuseHeld(start);
await compileTables();
// Each to its end: one that goes on after another has failed would write what is removed then.
const parts = await Promise.allSettled([
  compileDefinitions(),
  bundle({
    ...forNode,
    outdir: dist,
    outExtension: { '.js': '.bundle.js' },
    entryPoints: bundles,
    plugins: [clientParts],
  }),
  bundle({ ...forNode, outdir: dist, entryPoints: workers }),
  ...boots(),
  bundle({
    ...forTerminals,
    outdir: dist,
    outExtension: { '.js': '.bundle.js' },
    entryPoints: commandLine,
    // Kept code can require, and not import.
    supported: { 'dynamic-import': false },
    plugins: [agentsApart, programsOnUse, noValidator, schemasWorkedOut],
  }),
  bundle({
    ...common,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: join(dist, 'dashboard'),
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
    plugins: [shellWhole],
  }),
]);
for (const { reason } of parts) if (reason !== undefined) throw reason;
const metafiles = parts.flatMap(({ value }) => (value?.metafile === undefined ? [] : [value.metafile]));
writeFileSync(join(out, 'packages.json'), JSON.stringify(packagesOf(metafiles)));
writeFileSync(join(out, 'dashboard', 'index.html'), readFileSync(join(root, 'http/dashboard/index.html')));
await compressFiles(join(out, 'dashboard'));
// What the operator may do is written once, for every cluster; the embedded one reads it from here.
const { accessIn } = await ran('runtime/local/installedAccess.ts');
writeFileSync(join(out, 'access.json'), JSON.stringify(accessIn(join(root, 'crds/install'))));
// What serves functions goes to their pods as it is written.
cpSync(join(root, 'runtime/services/runners'), join(out, 'runners'), { recursive: true });
writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
for (const name of ['core', 'core.js']) chmodSync(join(out, name), 0o755);
await keepCode();
writeFileSync(join(out, 'built'), stamp);
putInPlace();
imageOf();
