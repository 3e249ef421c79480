// Specs and their libraries, bundled for one run: to load hundreds of modules one by one takes longer than most specs do.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Packages that need files of their own beside them, and one that is large and seldom loaded. */
export const external = [
  'lmdb',
  'fs-native-extensions',
  'esbuild',
  'playwright-core',
  'axe-core',
  '@seriousme/openapi-schema-validator',
  '@aws-sdk/client-s3',
  '@aws-sdk/client-iam',
  'ssh2',
];

/** What runs on a thread or in a process of its own, as in the product a file beside the bundle that starts it. */
const threads = {
  'http/auth/hasher.ts': { bcryptWorker: 'http/auth/bcryptWorker.ts' },
  'runtime/embedded/network/network.ts': { network: 'runtime/embedded/network/process.ts' },
  'runtime/embedded/api/yaml/reader.ts': { yamlWorker: 'runtime/embedded/api/yaml/worker.ts' },
};

/** What specs start as processes of their own, by which of them do. */
const processes = {
  'specs/http/faultyServer.ts': /^specs\/http\/[^/]+$/,
  'specs/http/fuzzedServer.ts': /^specs\/http\/[^/]+$/,
  'specs/runtime/embedded/writer.ts': /^specs\/runtime\/embedded\/[^/]+$/,
  'specs/runtime/embedded/apiProcess.ts': /^specs\/runtime\/embedded\/[^/]+$/,
  'specs/runtime/gitHost/withoutGit.ts': /^specs\/runtime\/gitHost\//,
  'specs/faults/bugs/host.ts': /^specs\/faults\//,
  'specs/faults/worker.ts': /^specs\/guides\//,
  'specs/faults/main.ts': /^specs\/guides\//,
  'specs/check/main.ts': /^specs\/guides\//,
};

/** They import sources that they write themselves, and run from their sources for it. */
const fromSources = new Set(['specs/check/messages.spec.ts', 'specs/faults/planting.spec.ts']);

/** Runs several specs in one process. */
const batch = 'specs/support/batch.ts';

const seeded = fileURLToPath(new URL('seeded.mjs', import.meta.url));

const locations = /(?<!['"`])\bimport\.meta\.url\b/g;

/** Every source keeps its own location, beside which it finds its files; what starts a thread is in the folder. */
const sources = (root, folder) => ({
  name: 'sources',
  setup: (building) => {
    building.onResolve({ filter: /^fast-check$/ }, ({ importer }) =>
      importer === seeded ? undefined : { path: seeded },
    );
    building.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const text = readFileSync(path, 'utf8');
      const name = relative(root, path);
      const location = pathToFileURL(name in threads ? join(folder, 'threads.mjs') : path).href;
      const contents = text.replace(locations, JSON.stringify(location));
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});

const isRunning = (pid) => {
  try {
    return process.kill(Number(pid), 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
};

/** A folder for this run; those of runs that ended without removing theirs go. */
function newFolder(root) {
  const home = join(root, 'node_modules/.cache/specs/bundles');
  mkdirSync(home, { recursive: true });
  for (const pid of readdirSync(home)) if (!isRunning(pid)) rmSync(join(home, pid), { recursive: true, force: true });
  const folder = join(home, String(process.pid));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const traced = /(?:file:\/\/)?(\/[^\s():]+\.mjs):(\d+):(\d+)/g;

/** The places of a bundle in a text as those of the sources; node would read every map before each spec. */
const inSources = (folder) => (text) =>
  text.replace(traced, (place, path, line, column) => {
    if (!path.startsWith(folder) || !existsSync(`${path}.map`)) return place;
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
    if (originalSource === undefined) return place;
    return `${resolve(dirname(path), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  });

/** Bundles specs. Returns the program of each, but for those that run from their sources. */
export async function bundleSpecs(root, files) {
  const folder = newFolder(root);
  const bundled = files.filter((file) => !fromSources.has(file));
  const started = Object.keys(processes).filter((program) => files.some((file) => processes[program].test(file)));
  const lifecycles = readdirSync(join(root, 'specs/lifecycles'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `specs/lifecycles/${name}`);
  const common = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    external,
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  };
  for (const entryPoints of Object.values(threads)) await build({ ...common, format: 'cjs', entryPoints });
  await build({
    ...common,
    entryPoints: [...bundled, ...started, ...lifecycles, batch],
    outbase: root,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
    // Bundled CommonJS packages still ask for `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'external',
    sourcesContent: false,
    plugins: [sources(root, folder)],
  });
  const outputOf = (source) => join(folder, source.replace(/\.tsx?$/, '.mjs'));
  const programs = new Map(bundled.map((file) => [file, outputOf(file)]));
  return { programs, batch: [batch, outputOf(batch)], folder, inSources: inSources(folder) };
}
